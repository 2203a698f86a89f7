// SPDX-License-Identifier: BSD-3-Clause
//
// An operation: a plan bound to buffers, peers and tags, and the counters that change while it
// runs. The plan itself never changes; Start copies its counters. One that the program has made
// before its peer was known gets the plan later, even while it is active. A channel may be started
// several times before it is waited for: then its state is that of the oldest round.
#pragma once

#include "plan/plan.hpp"
#include "progress/about.hpp"
#include "progress/bound_plan.hpp"
#include "progress/fragmentation.hpp"
#include "progress/host_race.hpp"
#include "progress/observation.hpp"
#include "progress/slot_ring.hpp"
#include "progress/step_queue.hpp"
#include "progress/watchers.hpp"
#include "progress/wave.hpp"
#include "shmem/line_memory.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace mpix::progress {

class alignas(shmem::cache_line) Operation : public shmem::OnLines {
  public:
    enum class State : std::uint8_t { inactive, active, complete };

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
    const BoundPlan& steps() const { return steps_; }
    const plan::Plan& plan() const { return steps_.plan(); }
    Partitions* partitions() const { return about_.partitions.get(); }
    // The solver of the plan, or "delegate" where the host does it all; what has won where it was
    // raced.
    std::string_view solver() const { return plan().solver_of(settled_way()); }
    bool is_delegated() const { return plan().delegates(settled_way()); }
    // Has the plan's rivals do some of the first rounds, and the quickest way all that follow. The
    // last of them is the host. Before the first start.
    void race(std::unique_ptr<HostRace> race);
    // Of one that somebody else races: the way of its next rounds, which has to be the same on all
    // ranks. Inactive.
    void take_way(std::size_t way);
    void keep_way() { steps_.keep(way_); }
    bool has_gates() const { return partitions() && partitions()->send.partitions() > 0; }

    // Makes this operation, which has no plan, a request for one partition of another: it is active
    // from each Start of that until the partition has arrived.
    void follow(Operation& leader, std::size_t partition);
    bool is_follower() const { return completed_by_ == CompletedBy::leader; }

    // Makes this operation, which has no plan, active until something else is done, as that tells
    // it then.
    void promise();
    void fulfil(int code, const std::optional<Envelope>& envelope);
    bool is_promise() const { return completed_by_ == CompletedBy::promise; }
    bool is_nonblocking() const { return about_.is_nonblocking; }
    const std::shared_ptr<void>& attached() const { return about_.attached; }

    // Whether who waits for it is best quick to give the core away: the host carries it all, and
    // what is awaited is seldom there as soon as this rank's messages are sent.
    bool waits_in_turn() const { return waits_in_turn_ >> way_ & 1; }
    bool waits_promptly() const { return waits_promptly_ >> way_ & 1; } // as Manner has it
    bool waits_asleep() const { return waits_asleep_ >> way_ & 1; }     // the same

    // Whether it has nothing to do with bundles, partitions of others, functions of the program.
    bool is_plain() const { return is_plain_; }
    Members* members() const { return about_.members.get(); }
    Callbacks* callbacks() const { return about_.callbacks.get(); }
    const std::shared_ptr<Bundles>& bundles(); // that have it as a member
    bool is_member() const { return bundles_ && !bundles_->all.empty(); }
    bool is_held() const { return bundles_ && bundles_->any_active(); } // by an active bundle
    // Neither active nor a member of an active bundle.
    bool is_free() const { return state() == State::inactive && !is_held(); }
    // Whether a start of it begins a round of it and of nothing else.
    bool starts_alone() const {
        return is_plain() || !(is_follower() || members() || callbacks() || is_held());
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
    // The same of one that is bound, and moves.
    void move(const Places& to) { steps_.move(to); }

    // From now on it is counted with its kind, while anybody counts. Bound. Throws bad_alloc.
    void measure();

    // The status of what a completion call finds, with MPI_ERROR left alone.
    void tell(MPI_Status* status) const;

    void set_envelope(const std::optional<Envelope>& envelope) { about_.envelope = envelope; }

    // From now on a round completes with an error if its message was there before it was started.
    void check_readiness() { checks_readiness_ = true; }

    // From now on it completes with this error. Nothing is sent or received if it has no plan.
    void fail(int code);

    bool completes_itself() const { return completed_by_ == CompletedBy::its_steps; }
    // Whether the engine has begun what it is waited for.
    bool is_running() const { return state() == State::active && !is_idle_; }

    // Makes a complete operation inactive, or ends the oldest round; returns its error code.
    int finish() {
        if (slot_ring_) return finish_round();
        set(State::inactive);
        return error_;
    }

    // ---- rounds that need no engine, in quick_rounds.hpp: of channels of short messages ----

    // Whether there is any: what other requests cost for them. Relaxed: a thread that may use one
    // has synchronised with its bind.
    static bool any_quick() { return quick_operations.load(std::memory_order_relaxed) != 0; }
    // A send is put at once, and done. A receive is not begun before somebody waits: until then it
    // is idle. False, and nothing happens, where that is not the way.
    bool start_quickly();
    // Whether the oldest round may be waited for with the next, and whether that is done: then
    // finish() has to follow.
    bool is_quick() const {
        return quick_ == Quick::receive ? is_idle_
                                        : quick_ == Quick::send && state() == State::complete;
    }
    bool is_done_quickly();
    // Somebody waits otherwise: what is idle is begun by the engine.
    bool is_idle() const { return is_idle_; }
    void open_idle();

    // ---- and of one wave, which the engine looks at for who waits ----

    // Whether its rounds may be waves, and whether one may begin, or is under way. Where no other
    // thread may be in MPI.
    bool has_waves() const { return has_waves_; }
    bool may_begin_wave() const;
    bool is_in_wave() const { return has_waves_ && is_idle_; }
    Wave& wave() { return *wave_; }
    std::span<const plan::StepId> first_steps() const { return first_steps_; }
    void open_wave();
    void end_wave();

    // ---- for the engine ----

    void open();
    void open_claimed();
    bool open_claimed_quickly();
    bool has_ready() const { return queue_.has_ready(); }
    plan::StepId next_ready() { return queue_.next_ready(); }
    void done(plan::StepId id) {
        if (notes_steps_ && note_done(id)) [[unlikely]]
            return;
        queue_.release(plan().after(step(id)));
        if (slot_ring_) return done_in_round(id);
        if (queue_.end_step() && !has_gates()) end_steps();
    }
    // Of a channel within the node: its messages take one queue, one after the other.
    bool takes_queue(plan::StepId id) { return !slot_ring_ || slot_ring_.takes_queue(id); }
    // It is not done at once.
    void note_begun(plan::StepId id) {
        if (is_watched()) [[unlikely]]
            observe_begun(id);
    }
    void free_queue() {
        if (!slot_ring_) return;
        if (const plan::StepId next = slot_ring_.free_queue(); next >= 0) queue_.make_ready(next);
    }
    // Opens what the program has marked ready. `stalled(step)` gets messages without room.
    template<class Stalled>
    void open_gates(Stalled stalled) {
        partitions()->send.read_log(
            [this](std::size_t gate) { open_gate(gate); },
            [&](const SendPartitions::Direct& direct) { stalled(direct.step); });
    }
    bool is_direct(plan::StepId id) const { return steps_.bound(id).is_direct; }
    // All that is left to do of an operation with gates is to tell the program.
    void complete_if_done() {
        if (queue_.is_done() && is_bound_ && !is_fragmented() && partitions()->send.is_done())
            complete();
    }
    void arrive(plan::StepId id) {
        const auto first = static_cast<std::size_t>(step(id).number);
        const std::size_t end = first + static_cast<std::size_t>(step(id).arrivals);
        for (std::size_t partition = first; partition < end; ++partition) arrive_at(partition);
    }
    void arrive_at(std::size_t partition) {
        partitions()->recv.note(partition);
        if (!partitions()->followers.empty()) [[unlikely]]
            complete_followers(partition);
    }
    void note(int code) { note_error(error_, code); }

    const plan::Step& step(plan::StepId id) const { return steps_.step(id); }
    Bound& bound(plan::StepId id) { return steps_.bound(id); }
    MPI_Comm comm() const { return steps_.tags().comm; }
    void renew(plan::StepId id); // makes the request of a receive once more
    int post_receive(const Bound& bound, MPI_Request* request) { // of one that moves
        return steps_.post_receive(bound, request);
    }
    void copy(plan::StepId id) {
        const Bound& bound = this->bound(id);
        if (!bound.is_dense_copy) return steps_.copy(id, error_);
        std::memcpy(bound.to, bound.from, static_cast<std::size_t>(bound.bytes));
    }
    void reduce(plan::StepId id) { steps_.reduce(id, error_); }
    void ring() const {
        if (is_bound_) steps_.links().ring();
    }
    // What has come on a queue; true if that is all.
    bool take(plan::StepId id) { return steps_.take(id, error_); }
    // A message of the host has come: combines it where that is to be done.
    void received(plan::StepId id) {
        if (bound(id).action == plan::Action::combine) steps_.combine(id, error_);
    }
    int start_delegate(MPI_Request* request);
    Member& member(plan::StepId id) {
        return members()->all[static_cast<std::size_t>(step(id).number)];
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

    bool note_done(plan::StepId id);
    bool note_opened(std::size_t gate);
    void open_gate(std::size_t gate) {
        if (notes_steps_ && note_opened(gate)) [[unlikely]]
            return;
        queue_.release(plan().after(plan().gates[gate]));
    }
    bool call(); // a function of the program
    void note_start() {
        if (is_watched()) [[unlikely]]
            observe_start();
    }
    void note_completion() {
        if (is_watched()) [[unlikely]]
            observe_completion();
    }
    // Of a channel: a message that is put as soon as its round is started, and one that is there.
    void note_pass() {
        if (is_watched()) [[unlikely]]
            observe_pass();
    }
    void note_arrival() {
        if (is_watched()) [[unlikely]]
            observe_arrival();
    }
    void note_step(plan::StepId id);
    void note_gate(std::size_t gate);
    bool is_traced() const { return observation_ && observation_->trace; }
    Observation& observation(); // made if it is not there. Throws bad_alloc
    void observe();
    void observe_plan();
    void attach_meter();
    void count_start() noexcept;
    void observe_start() noexcept;
    void observe_completion() noexcept;
    void observe_done_rounds() noexcept;
    void observe_begun(plan::StepId id) noexcept;
    void observe_pass() noexcept;
    void observe_arrival() noexcept;
    void complete() {
        note_completion();
        set(State::complete);
    }
    enum class Opened { by_start, when_bound };
    void open_round(Opened opened = Opened::by_start);
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
    void find_quick_way();
    void make_wave();
    void find_waves();
    bool is_sender_early(std::size_t slot);
    void set(State state) { state_.store(state, std::memory_order_release); }
    void run();
    void run_plan();
    void end_steps() {
        if (race_ && !race_->end()) [[unlikely]]
            return run_raced();
        complete();
    }
    void run_raced();
    std::size_t settled_way() const { return race_ && !race_->is_over() ? 0 : way_; }
    void bind_gates();
    void order_first_steps();

    // All that a quick start or completion touches: two lines.
    enum class Quick : std::uint8_t { no, send, receive };
    enum class CompletedBy : std::uint8_t { its_steps, leader, promise };
    std::atomic<State> state_{State::inactive};
    Quick quick_ = Quick::no;
    bool is_idle_ = false; // its rounds are started, and the engine does not know
    bool is_plain_ = true;
    bool is_claimed_ = false; // active, and its turn has not come
    bool is_bound_ = false;
    bool is_measured_ = false;
    bool has_waves_ = false;   // a round of it may be a wave
    bool notes_steps_ = false; // that are done: it is traced, or may be fragmented
    CompletedBy completed_by_ = CompletedBy::its_steps;
    int error_ = MPI_SUCCESS;
    int standing_error_ = MPI_SUCCESS;
    std::unique_ptr<Observation> observation_; // where somebody wanted to know
    SlotRing slot_ring_;                       // of a channel
    BoundPlan steps_;                          // its beginning

    void set_quick(Quick quick);
    static constinit std::atomic<std::size_t> quick_operations;

    About about_;
    std::shared_ptr<Bundles> bundles_;
    Operation* leader_ = nullptr; // of a follower, while there is one

    Places rebound_; // before it was bound

    // What a wave touches beside the beginning.
    std::size_t way_ = 0;             // of the plan, that this round takes
    std::uint32_t waits_in_turn_ = 0; // by way, the first the least
    std::uint32_t waits_promptly_ = 0, waits_asleep_ = 0;
    std::unique_ptr<Wave> wave_;            // of one that may have waves
    std::vector<plan::StepId> first_steps_; // that Start begins with

    StepQueue queue_;
    std::unique_ptr<Fragmentation> fragmentation_; // of one whose messages may be fragmented
    std::unique_ptr<HostRace> race_;               // until it is over
    bool checks_readiness_ = false;
};

} // namespace mpix::progress
