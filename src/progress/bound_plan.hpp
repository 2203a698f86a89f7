// SPDX-License-Identifier: BSD-3-Clause
//
// A plan bound to buffers, peers, tags and links: all that its steps need in this process. It
// changes by rebinding alone. What moves or combines data within the rank is done here; what fails
// returns the host's error code.
#pragma once

#include "plan/plan.hpp"
#include "progress/binding.hpp"
#include "progress/bound.hpp"
#include "progress/links.hpp"
#include "progress/tags.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace mpix::progress {

// The host's nonblocking collective with the cached arguments, for plans that delegate; the buffers
// are those of the binding.
using Delegate = std::function<int(const Binding&, MPI_Request*)>;

// How its messages travel: over the host with these tags, or on queues.
using OpenLinks = std::function<std::unique_ptr<Links>(const plan::Plan&, const Links::Source&)>;

inline void note_error(int& error, int code) {
    if (code != MPI_SUCCESS && error == MPI_SUCCESS) error = code;
}

class BoundPlan {
  public:
    BoundPlan() = default;
    ~BoundPlan() { free_host_objects(); }
    BoundPlan(const BoundPlan&) = delete;
    BoundPlan& operator=(const BoundPlan&) = delete;

    // Once, but for an attempt that failed. Takes memory.
    void take(plan::Plan&& plan, Binding&& binding, Tags&& tags, Delegate&& delegate);
    // After that: the links, and what each step needs. Where another process has made the links
    // nothing fails any more: to leave them is to be done.
    void connect(const OpenLinks& open_links);

    // The same steps, that wait for each other in another order.
    void reorder(plan::Plan plan) { plan_ = std::move(plan); }
    // Other buffers with the same shapes. Throws Failure, bad_alloc; then it is as it was.
    void rebind(const Places& to);
    // The same where the binding moves, for next to nothing. What it throws may leave some of the
    // steps where they were.
    void move(const Places& to);

    const plan::Plan& plan() const { return plan_; }
    const Binding& binding() const { return binding_; }
    const Tags& tags() const { return tags_; }
    const Links& links() const { return *links_; }
    const std::vector<Bound>& all_bound() const { return bound_; }
    const plan::Step& step(plan::StepId id) const {
        return plan_.steps[static_cast<std::size_t>(id)];
    }
    Bound& bound(plan::StepId id) { return bound_[static_cast<std::size_t>(id)]; }
    const Bound& bound(plan::StepId id) const { return bound_[static_cast<std::size_t>(id)]; }

    // Whom its messages go to, and whom they come from.
    std::vector<int> destinations() const { return peers(true); }
    std::vector<int> sources() const { return peers(false); }
    std::size_t messages() const; // that may be pending at once
    // Of each way a bit, the first the least: what has something on a queue within the node, and
    // what has messages of the host. Take no memory.
    std::uint32_t ways_on_queues() const;
    std::uint32_t ways_over_host() const;

    // Makes the request of a receive that does not move, also in place of one that the host has
    // freed.
    int init_receive(Bound& bound) const;
    int post_receive(const Bound& bound, MPI_Request* request) const;
    int start_delegate(MPI_Request* request) const { return delegate_(binding_, request); }
    // Of the ways of the plan this one alone is taken from now on.
    void keep(std::size_t way);

    void copy(plan::StepId id, int& error);
    void reduce(plan::StepId id, int& error) const;
    // What was received stands in the stage.
    void combine(plan::StepId id, int& error);
    // What has come on a queue; true if that is all.
    bool take(plan::StepId id, int& error);
    // Bytes begin to end of a step; of what was received, which stands in `hold`.
    void copy(plan::StepId id, std::int64_t begin, std::int64_t end, int& error);
    void reduce(plan::StepId id, std::int64_t begin, std::int64_t end, int& error) const;
    void take_from(std::byte* hold, plan::StepId id, std::int64_t begin, std::int64_t end,
                   int& error);

    void free_host_objects();

  private:
    template<class Condition>
    std::uint32_t ways_with(Condition is_one) const;
    void allocate_scratch();
    void bind_steps();
    void set_addresses(const plan::Step& step, Bound& bound) const;
    bool is_dense_copy(const plan::Step& step) const;
    void bind_message(const plan::Step& step, Bound& bound);
    void move_step(const plan::Step& step, Bound& bound) const;
    void rebind_step(const plan::Step& step, Bound& bound) const;
    std::byte* address(const plan::Span& span) const;
    std::vector<int> peers(bool are_destinations) const;
    void copy_elements(const std::byte* from, std::byte* to, std::int64_t bytes, int& error);
    void reduce_elements(const std::byte* from, std::byte* to, std::int64_t bytes,
                         int& error) const;
    void combine_elements(std::byte* received, const std::byte* own, std::byte* to,
                          std::int64_t bytes, bool received_first, int& error);

    std::vector<Bound> bound_; // by step; first: a quick start reads it
    plan::Plan plan_;
    plan::StepRange kept_; // all, or those of the way that is kept
    Binding binding_;
    Tags tags_;
    Delegate delegate_;
    std::unique_ptr<Links> links_;
    std::unique_ptr<std::byte[]> scratch_memory_;
    std::byte* scratch_ = nullptr;
    std::vector<std::byte> bounce_; // for copies between typed rooms
    std::vector<MPI_Datatype> large_types_;
};

// The error of a rank whose memory cannot be read. Below the host's progress, where nothing may be
// thrown.
int unreadable() noexcept;

} // namespace mpix::progress
