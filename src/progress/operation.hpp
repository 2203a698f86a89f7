// SPDX-License-Identifier: BSD-3-Clause
//
// An operation: a plan bound to buffers, peers and tags, and the counters that change while it
// runs. The plan itself never changes; Start copies its counters. One that the program has made
// before its peer was known gets the plan later, even while it is active. A channel may be started
// several times before it is waited for: then its state is that of the oldest round.
#pragma once

#include "plan/plan.hpp"
#include "progress/about.hpp"
#include "progress/binding.hpp"
#include "progress/bound.hpp"
#include "progress/counters.hpp"
#include "progress/fragmentation.hpp"
#include "progress/links.hpp"
#include "progress/slot_ring.hpp"
#include "progress/tags.hpp"
#include "shmem/line_memory.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace mpix::progress {

class alignas(shmem::cache_line) Operation : public shmem::OnLines {
  public:
    enum class State : std::uint8_t { inactive, active, complete };

    // The host's nonblocking collective with the cached arguments, for plans that delegate; the
    // buffers are those of the binding.
    using Delegate = std::function<int(const Binding&, MPI_Request*)>;

    // How its messages travel: over the host with these tags, or on queues.
    using OpenLinks =
        std::function<std::unique_ptr<Links>(const plan::Plan&, const Links::Source&)>;

    explicit Operation(About about);
    ~Operation();
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;

    // Once. What it throws leaves it without a plan.
    void bind(plan::Plan plan, Binding binding, Tags tags, const OpenLinks& open_links,
              Delegate delegate = {});
    bool is_bound() const { return is_bound_; }

    const char* name() const { return about_.name; }
    // Threads that ask for partitions look too: acquire, with the release of set(), so that who
    // finds it complete sees all that has come.
    State state() const { return state_.load(std::memory_order_acquire); }
    bool may_start() const {
        return state() == State::inactive || (slot_ring_ && !slot_ring_.is_full() && is_bound_);
    }
    bool is_channel() const { return about_.is_channel; }
    std::size_t slots() const { return slot_ring_ ? slot_ring_.slots() : 1; }
    const std::shared_ptr<const ErrorCommunicator>& error_communicator() const {
        return about_.error_communicator;
    }
    MPI_Comm errors_to() const { return error_communicator()->errors_to(); }
    const Buffers& buffers() const { return about_.buffers; }
    const std::vector<base::CheckedArray>& checked_arrays() const { return about_.checked_arrays; }
    const plan::Plan& plan() const { return plan_; }
    const Transport& transport() const { return links_->transport(); }
    Partitions* partitions() const { return about_.partitions.get(); }
    bool has_gates() const { return partitions() && partitions()->send.partitions() > 0; }

    // Makes this operation, which has no plan, a request for one partition of another: it is active
    // from each Start of that until the partition has arrived.
    void follow(Operation& leader, std::size_t partition);
    bool is_follower() const { return is_follower_; }

    // Makes this operation, which has no plan, active until something else is done, as that tells
    // it then.
    void promise();
    void fulfil(int code, const std::optional<Envelope>& envelope);
    bool is_promise() const { return is_promise_; }
    const std::shared_ptr<void>& attached() const { return about_.attached; }

    // Whether it has nothing to do with bundles, partitions of others, functions of the program.
    bool is_plain() const { return is_plain_; }
    Members* members() const { return about_.members.get(); }
    Callbacks* callbacks() const { return about_.callbacks.get(); }
    const std::shared_ptr<Bundles>& bundles(); // that have it as a member
    bool is_member() const { return bundles_ && !bundles_->all.empty(); }
    // Neither active nor a member of an active bundle.
    bool is_free() const {
        return state() == State::inactive && !(bundles_ && bundles_->any_active());
    }

    // Makes it active, with all its members, before their turn has come: partitions may be marked.
    void claim();
    // Whether that is no more than this.
    bool is_light() const {
        return about_.checked_arrays.empty() && !members() && !callbacks() && !partitions();
    }
    void claim_alone() {
        set(State::active);
        is_claimed_ = true;
        error_ = standing_error_;
    }

    // The same steps, that wait for each other in another order. Of an inactive bundle.
    void reorder(plan::Plan plan);

    // Gives it other buffers with the same shapes, also before there is a plan. Of an inactive
    // operation. Throws Failure, bad_alloc; then it is as it was.
    void rebind(const Places& to);

    // Whom its messages go to, and whom they come from.
    std::vector<int> destinations() const { return peers(true); }
    std::vector<int> sources() const { return peers(false); }
    const Tags& tags() const { return tags_; }

    // From now on it is counted with its kind.
    void measure();

    // The status of what a completion call finds, with MPI_ERROR left alone.
    void tell(MPI_Status* status) const;

    void set_envelope(const std::optional<Envelope>& envelope) { about_.envelope = envelope; }

    // From now on a round completes with an error if its message was there before it was started.
    void check_readiness() { checks_readiness_ = true; }

    // From now on it completes with this error. Nothing is sent or received if it has no plan.
    void fail(int code);

    // Makes a complete operation inactive, or ends the oldest round; returns its error code.
    int finish() {
        if (slot_ring_) return finish_round();
        set(State::inactive);
        return error_;
    }

    // ---- channels of short messages within the node: they need no engine ----

    // Whether there is any: what other requests cost for them. Relaxed: a thread that may use one
    // has synchronised with its bind.
    static bool any_quick() { return quick_operations.load(std::memory_order_relaxed) != 0; }
    // A send is put at once, and done. A receive is not begun before somebody waits: until then it
    // is idle. False, and nothing happens, where that is not the way.
    bool start_quickly() {
        if (quick_ == Quick::no || slot_ring_.is_full()) return false;
        Bound& bound = bound_[slot_ring_.newest()];
        if (quick_ == Quick::send) {
            if (!slot_ring_.is_queue_free() || !bound.out->has_room()) return false;
            if (slot_ring_.is_idle()) set(State::complete);
            slot_ring_.pass();
            meter_.pass();
            bound.out->put(bound.from);
            return true;
        }
        if (!slot_ring_.is_idle() && !is_idle_) return false;
        if (slot_ring_.is_idle()) set(State::active);
        is_idle_ = true;
        slot_ring_.pass();
        meter_.start();
        return true;
    }
    // Whether the oldest round may be waited for with the next, and whether that is done: then
    // finish() has to follow.
    bool is_quick() const { return quick_ == Quick::send ? state() == State::complete : is_idle_; }
    bool is_done_quickly() {
        if (quick_ == Quick::send) return true;
        Bound& bound = bound_[slot_ring_.oldest()];
        if (!bound.in->copy_to(bound.to)) return false;
        is_idle_ = slot_ring_.running() > 1;
        complete();
        return true;
    }
    // Somebody waits otherwise: what is idle is begun by the engine.
    bool is_idle() const { return is_idle_; }
    void open_idle();

    // ---- for the engine ----

    void open();
    void open_claimed();
    bool open_claimed_quickly();
    bool has_ready() const { return head_ < tail_; }
    plan::StepId next_ready() { return ready_[head_++]; }
    void done(plan::StepId id) {
        if (fragmentation_ && is_done_in_fragments(id)) [[unlikely]]
            return;
        release(plan_.after(step(id)));
        if (slot_ring_) return done_in_round(id);
        if (--remaining_ == 0 && !has_gates()) complete();
    }
    // Of a channel within the node: its messages take one queue, one after the other.
    bool takes_queue(plan::StepId id) { return !slot_ring_ || slot_ring_.takes_queue(id); }
    void free_queue() {
        if (!slot_ring_) return;
        if (const plan::StepId next = slot_ring_.free_queue(); next >= 0) make_ready(next);
    }
    // Opens what the program has marked ready. `stalled(step)` gets messages without room.
    template<class Stalled>
    void open_gates(Stalled stalled) {
        partitions()->send.read_log(
            [this](std::size_t gate) { open_gate(gate); },
            [&](const SendPartitions::Direct& direct) { stalled(direct.step); });
    }
    bool is_direct(plan::StepId id) const { return bound_[static_cast<std::size_t>(id)].is_direct; }
    // All that is left to do of an operation with gates is to tell the program.
    void complete_if_done() {
        if (remaining_ == 0 && is_bound_ && !is_fragmented() && partitions()->send.is_done())
            complete();
    }
    void arrive(plan::StepId id) {
        const auto first = static_cast<std::size_t>(step(id).lane);
        const std::size_t end = first + static_cast<std::size_t>(step(id).arrivals);
        for (std::size_t partition = first; partition < end; ++partition) arrive_at(partition);
    }
    void arrive_at(std::size_t partition) {
        partitions()->recv.note(partition);
        if (!partitions()->followers.empty()) [[unlikely]]
            complete_followers(partition);
    }
    void note(int code) {
        if (code != MPI_SUCCESS && error_ == MPI_SUCCESS) error_ = code;
    }

    const plan::Step& step(plan::StepId id) const {
        return plan_.steps[static_cast<std::size_t>(id)];
    }
    Bound& bound(plan::StepId id) { return bound_[static_cast<std::size_t>(id)]; }
    MPI_Comm comm() const { return tags_.comm; }
    void renew(plan::StepId id); // makes the request of a receive once more
    void copy(plan::StepId id);
    void reduce(plan::StepId id);
    void ring() const {
        if (is_bound_) links_->ring();
    }
    bool take(plan::StepId id); // what has come on a queue; true if that is all
    // A message of the host has come: combines it where that is to be done.
    void received(plan::StepId id) {
        if (step(id).action == plan::Action::combine) combine_stage(id);
    }
    int start_delegate(MPI_Request* request) { return delegate_(binding_, request); }
    Member& member(plan::StepId id) {
        return members()->all[static_cast<std::size_t>(step(id).lane)];
    }
    bool ask(plan::StepId id); // what has to be asked; true if it is done

    // ---- rounds in fragments ----

    bool may_fragment() const { return fragmentation_ != nullptr; }
    bool is_fragmented() const { return fragmentation_ && fragmentation_->round; }
    FragmentedRound& fragmented() { return *fragmentation_->round; }
    // Whether what waits for several partitions has some, and not all; and has so for a while.
    bool has_incomplete() const;
    bool is_quiet() { return fragmentation_->is_quiet(partitions()->send.sum_of_marks()); }
    bool fragment(); // from here on; false where there is no memory for that
    void end_fragments();
    // Whether what comes for a receive on a queue is for a round in fragments to take.
    bool takes_fragments(plan::StepId id) {
        return fragmentation_ &&
               (fragmentation_->round || (bound(id).in && bound(id).in->has_fragment()));
    }
    // Whether a message of the host is empty, which tells that it comes in fragments.
    bool is_announcement(plan::StepId id, const MPI_Status& status) const;

  private:
    friend class FragmentedRound;

    bool is_done_in_fragments(plan::StepId id);
    void open_in_fragments(std::size_t gate);
    void open_gate(std::size_t gate) {
        if (is_fragmented()) [[unlikely]]
            return open_in_fragments(gate);
        release(plan_.after(plan_.gates[gate]));
    }
    // Bytes begin to end of a step; of what was received, which stands in `hold`.
    void copy(plan::StepId id, std::int64_t begin, std::int64_t end);
    void reduce(plan::StepId id, std::int64_t begin, std::int64_t end);
    void take_from(std::byte* hold, plan::StepId id, std::int64_t begin, std::int64_t end);
    void note_unreadable();
    void combine_elements(std::byte* received, const std::byte* own, std::byte* to,
                          std::int64_t bytes, bool received_first);
    bool call(); // a function of the program
    void complete() {
        meter_.complete();
        set(State::complete);
    }
    void open_round();
    void done_in_round(plan::StepId id);
    int finish_round() {
        slot_ring_.end();
        if (slot_ring_.is_idle())
            set(State::inactive);
        else if (is_idle_ || !slot_ring_.is_oldest_done())
            set(State::active);
        return std::exchange(error_, standing_error_);
    }
    void complete_followers(std::size_t partition);
    void start_followers();
    void part_with_followers();
    void leave_members();
    void start_round();
    std::vector<int> peers(bool are_destinations) const;
    void find_quick_way();
    bool is_sender_early(std::size_t slot);
    void set(State state) { state_.store(state, std::memory_order_release); }
    void run();
    void bind_gates();
    void allocate_scratch();
    void free_host_objects();
    void open_links();
    void bind_steps();
    void order_first_steps();
    void set_addresses(const plan::Step& step, Bound& bound) const;
    void rebind_step(const plan::Step& step, Bound& bound) const;
    void bind_message(const plan::Step& step, Bound& bound);
    int init_receive(const plan::Step& step, Bound& bound) const;
    std::byte* address(const plan::Span& span) const;
    void release(std::span<const plan::StepId> steps) {
        for (const plan::StepId next : steps)
            if (--needs_[static_cast<std::size_t>(next)] == 0) make_ready(next);
    }
    void make_ready(plan::StepId id) {
        if (tail_ == ready_.size()) [[unlikely]] // only of rounds that follow each other
            forget_done();
        ready_[tail_++] = id;
    }
    void forget_done();
    void copy_elements(const std::byte* from, std::byte* to, std::int64_t bytes);
    void reduce_elements(const std::byte* from, std::byte* to, std::int64_t bytes);
    void combine_stage(plan::StepId id);
    std::size_t messages() const;

    // All that a quick start or completion touches: two lines.
    enum class Quick : std::uint8_t { no, send, receive };
    std::atomic<State> state_{State::inactive};
    Quick quick_ = Quick::no;
    bool is_idle_ = false; // its rounds are started, and the engine does not know
    bool is_plain_ = true;
    bool is_claimed_ = false; // active, and its turn has not come
    bool is_bound_ = false;
    bool is_follower_ = false;
    bool is_promise_ = false;
    int error_ = MPI_SUCCESS;
    int standing_error_ = MPI_SUCCESS;
    std::vector<Bound> bound_;
    Meter meter_;
    SlotRing slot_ring_; // of a channel

    void set_quick(Quick quick);
    static constinit std::atomic<std::size_t> quick_operations;

    About about_;
    std::shared_ptr<Bundles> bundles_;
    Operation* leader_ = nullptr; // of a follower, while there is one

    // Once it is bound these do not change.
    plan::Plan plan_;
    Binding binding_;
    Places rebound_; // before it was bound
    Tags tags_;
    Delegate delegate_;

    std::unique_ptr<std::byte[]> scratch_memory_;
    std::byte* scratch_ = nullptr;
    std::vector<std::byte> bounce_; // for copies between typed rooms
    std::vector<MPI_Datatype> large_types_;
    std::unique_ptr<Links> links_;
    std::unique_ptr<Fragmentation> fragmentation_; // of one whose messages may be fragmented
    bool checks_readiness_ = false;

    std::vector<plan::StepId> first_steps_; // that Start begins with
    std::vector<std::int32_t> initial_needs_;
    std::vector<std::int32_t> needs_;
    std::vector<plan::StepId> ready_; // each step is there at most once at a time
    std::size_t head_ = 0;
    std::size_t tail_ = 0;
    std::size_t steps_ = 0; // of a round that the runner executes
    std::size_t remaining_ = 0;
};

} // namespace mpix::progress
