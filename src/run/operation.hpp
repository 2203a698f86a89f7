// SPDX-License-Identifier: BSD-3-Clause
//
// An operation: a plan bound to buffers, peers and tags, and the counters that change while it
// runs. The plan itself never changes; Start copies its counters.
#pragma once

#include "plan/plan.hpp"
#include "run/binding.hpp"
#include "run/channels.hpp"
#include "run/context.hpp"
#include "run/retained.hpp"
#include "run/statistics.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace mpix::run {

// A step with addresses and handles. Counts are of `type`.
struct Bound {
    std::byte* from = nullptr;
    std::byte* to = nullptr;
    std::int64_t bytes = 0;
    int count = 0;
    MPI_Datatype type = MPI_BYTE;
    int tag = 0;
    MPI_Request receive = MPI_REQUEST_NULL; // persistent, made once
    std::byte* stage = nullptr;             // combine
    node::Outgoing* out = nullptr;          // within the node: the message's edge
    node::Incoming* in = nullptr;
};

class Operation {
  public:
    enum class State : std::uint8_t { inactive, active, complete };

    // The host's nonblocking collective with the cached arguments, for plans that delegate.
    using Delegate = std::function<int(MPI_Request*)>;

    Operation(const Arguments& arguments, plan::Plan plan, Binding binding,
              std::shared_ptr<Context> context, Tags tags, Retained retained, Delegate delegate);
    ~Operation();
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;

    const char* name() const { return name_; }
    State state() const { return state_; }
    MPI_Comm errors_to() const { return context_->errors_to(); }
    const std::vector<Watched>& watched() const { return watched_; }
    const plan::Plan& plan() const { return plan_; }
    const Transport& transport() const { return channels_->transport(); }

    // From now on it is counted with its kind.
    void measure();

    // Makes a complete operation inactive; returns its error code.
    int finish() {
        state_ = State::inactive;
        return error_;
    }

    // ---- for the engine ----

    void open();
    bool has_ready() const { return head_ < tail_; }
    plan::StepId next_ready() { return ready_[head_++]; }
    void done(plan::StepId id) {
        release(plan_.after(step(id)));
        if (--remaining_ == 0) complete();
    }
    void note(int code) {
        if (code != MPI_SUCCESS && error_ == MPI_SUCCESS) error_ = code;
    }

    const plan::Step& step(plan::StepId id) const {
        return plan_.steps[static_cast<std::size_t>(id)];
    }
    Bound& bound(plan::StepId id) { return bound_[static_cast<std::size_t>(id)]; }
    MPI_Comm comm() const { return shadow_->comm; }
    void renew(plan::StepId id); // makes the request of a receive once more
    void copy(plan::StepId id);
    void reduce(plan::StepId id);
    void ring() const { channels_->ring(); }
    bool take(plan::StepId id); // what has come on an edge; true if that is all
    // A message of the host has come: combines it where that is to be done.
    void received(plan::StepId id) {
        if (step(id).action == plan::Action::combine) combine_stage(id);
    }
    int start_delegate(MPI_Request* request) { return delegate_(request); }

  private:
    void complete() {
        state_ = State::complete;
        meter_.complete();
    }
    void allocate_scratch();
    void free_host_objects();
    void open_channels();
    void bind_steps();
    void order_first_steps();
    void bind_message(const plan::Step& step, Bound& bound);
    int init_receive(const plan::Step& step, Bound& bound) const;
    std::byte* address(const plan::Span& span) const;
    void release(std::span<const plan::StepId> steps) {
        for (const plan::StepId next : steps)
            if (--needs_[static_cast<std::size_t>(next)] == 0) ready_[tail_++] = next;
    }
    void copy_elements(const std::byte* from, std::byte* to, std::int64_t bytes);
    void reduce_elements(const std::byte* from, std::byte* to, std::int64_t bytes);
    void combine_stage(plan::StepId id);
    std::size_t messages() const;

    const char* name_;
    const std::vector<Watched> watched_;
    const plan::Plan plan_;
    const Binding binding_;
    const std::shared_ptr<Context> context_;
    const std::shared_ptr<Shadow> shadow_;
    Retained retained_;
    Delegate delegate_;
    const int first_tag_;

    std::unique_ptr<std::byte[]> scratch_memory_;
    std::byte* scratch_ = nullptr;
    std::vector<std::byte> bounce_; // for copies between typed rooms
    std::vector<Bound> bound_;
    std::vector<MPI_Datatype> large_types_;
    std::unique_ptr<Channels> channels_;

    State state_ = State::inactive;
    int error_ = MPI_SUCCESS;
    Meter meter_;
    std::vector<plan::StepId> first_steps_; // that Start begins with
    std::vector<std::int32_t> initial_needs_;
    std::vector<std::int32_t> needs_;
    std::vector<plan::StepId> ready_; // each step enters once a round
    std::size_t head_ = 0;
    std::size_t tail_ = 0;
    std::size_t remaining_ = 0;
};

} // namespace mpix::run
