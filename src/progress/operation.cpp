// SPDX-License-Identifier: BSD-3-Clause
//
// Binding a plan, and the counters of a round.
#include "progress/operation.hpp"

#include "base/closed.hpp"
#include "host/failure.hpp"
#include "progress/runner.hpp"
#include "progress/unbound.hpp"

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <bit>
#include <new>
#include <utility>

namespace mpix::progress {

using plan::Action;
using plan::Buffer;
using plan::Step;
using plan::StepId;

namespace {

// Room in the engine for a plan that may fail yet.
class Reserved {
  public:
    explicit Reserved(std::size_t messages) : messages_(messages) {
        const Runner::Guard guard(runner());
        runner().reserve(messages_);
    }
    ~Reserved() {
        const Runner::Guard guard(runner());
        runner().unreserve(messages_);
    }
    Reserved(const Reserved&) = delete;
    Reserved& operator=(const Reserved&) = delete;
    void keep() { messages_ = 0; }

  private:
    std::size_t messages_;
};

// Those whose messages come later than this rank's are sent, where that matters.
std::uint32_t ways_in_turn(const plan::Plan& plan) {
    if (!host::can_yield_first() || runner().is_threaded()) return 0;
    std::uint32_t found = 0;
    for (std::size_t way = 0; way < plan.ways(); ++way) {
        const std::size_t like = plan.delegates(way) ? 0 : way; // the host's are about as long
        if (host::here().comes_later(plan::longest_awaited(plan, like), plan.is_mutual))
            found |= 1U << way;
    }
    return found;
}

} // namespace

void Operation::bind(plan::Plan plan, Binding binding, Tags tags, const OpenLinks& open_links,
                     Delegate delegate) {
    binding.move(rebound_);
    steps_.take(std::move(plan), std::move(binding), std::move(tags), std::move(delegate));
    queue_.take(this->plan());
    observe_plan();
    first_steps_.reserve(this->plan().steps.size());
    SlotRing slot_ring = this->plan().slots > 0 ? SlotRing(this->plan()) : SlotRing();
    fragmentation_ =
        this->plan().may_fragment ? std::make_unique<Fragmentation>(this->plan()) : nullptr;
    make_wave();
    Reserved reserved(steps_.messages());
    steps_.connect(open_links);
    order_first_steps();
    if (has_gates()) bind_gates();
    if (fragmentation_) fragmentation_->bind(steps_.all_bound());
    const Runner::Guard guard(runner());
    const std::uint32_t on_queues = steps_.ways_on_queues();
    waits_in_turn_ = ways_in_turn(this->plan()) & ~on_queues;
    const std::uint32_t over_host = steps_.ways_over_host();
    waits_promptly_ = this->plan().is_mutual ? on_queues & over_host : 0;
    waits_asleep_ = this->plan().is_mutual && this->plan().leaves_node ? on_queues & ~over_host : 0;
    if (static_cast<std::size_t>(std::popcount(on_queues & ~over_host)) == this->plan().ways())
        wave_ = nullptr;
    slot_ring_ = std::move(slot_ring);
    if (slot_ring_) find_quick_way();
    reserved.keep();
    notes_steps_ = fragmentation_ || is_traced();
    find_waves();
    is_bound_ = true; // nothing fails any more
    if (is_claimed_) return;
    if (has_gates()) partitions()->send.open(state() == State::active);
    if (state() != State::active) return;
    slot_ring_ ? open_round(Opened::when_bound) : run();
    runner().resume(*this);
}

void Operation::rebind(const Places& to) {
    if (!is_bound_) {
        rebound_ = to;
        return;
    }
    steps_.rebind(to);
    if (has_gates()) partitions()->send.rebind([this](StepId id) { return bound(id).from; });
}

Operation::Operation(About about) : about_(std::move(about)) {
    is_plain_ = !members() && !callbacks();
    if (partitions()) observe(); // it may be started before it has a plan
    if (!has_gates()) return;
    const Runner::Guard guard(runner());
    runner().reserve_gated();
}

// What is attached may be known to others who would bind it: they have found it whole, or do not
// find it any more.
Operation::~Operation() {
    const Runner::Guard guard(runner());
    about_.attached.reset();
    steps_.free_host_objects();
    set_quick(Quick::no);
    part_with_followers();
    if (members()) leave_members();
    if (has_gates()) runner().unreserve_gated();
    if (is_bound_) runner().unreserve(steps_.messages());
}

// To take a message within the node is work, and nobody should wait for ours meanwhile. The host's
// receives are best posted before its sends.
void Operation::order_first_steps() {
    const auto first = plan().after(plan().start(way_));
    first_steps_.assign(first.begin(), first.end());
    enum { send_in_node, recv_of_host, send_to_host, work_alone, take_in_node };
    const auto turn = [this](StepId id) {
        if (bound(id).out) return send_in_node;
        if (bound(id).in) return take_in_node;
        const Action action = step(id).action;
        if (receives(action)) return recv_of_host;
        const bool is_local = step(id).peer < 0 && action != Action::delegate;
        return is_local ? work_alone : send_to_host;
    };
    std::sort(first_steps_.begin(), first_steps_.end(),
              [&](StepId a, StepId b) { return std::pair(turn(a), a) < std::pair(turn(b), b); });
}

void Operation::renew(StepId id) {
    if (receives(step(id).action) && !steps_.binding().moves) note(steps_.init_receive(bound(id)));
    if (step(id).action == Action::member) note(member(id).message->renew());
}

void Operation::tell(MPI_Status* status) const {
    host::clear(status);
    if (callbacks() && state() == State::complete) return callbacks()->tell(status);
    if (!about_.envelope || state() != State::complete || status == MPI_STATUS_IGNORE) return;
    const int error = status->MPI_ERROR;
    status->MPI_SOURCE = about_.envelope->source;
    status->MPI_TAG = about_.envelope->tag;
    HOST(Status_set_elements_x)(status, MPI_BYTE, about_.envelope->bytes);
    status->MPI_ERROR = error;
}

void Operation::fail(int code) {
    standing_error_ = code;
    note(code);
}

// A message within the node that needs partitions and nothing else, and that nothing waits for.
void Operation::bind_gates() {
    boost::container::small_vector<std::int32_t, 16> gates_of(plan().steps.size());
    for (std::size_t gate = 1; gate < plan().gates.size(); ++gate)
        for (const StepId id : plan().after(plan().gates[gate]))
            ++gates_of[static_cast<std::size_t>(id)];
    boost::container::small_vector<SendPartitions::Direct, 16> directs;
    for (std::size_t i = 0; i < plan().steps.size(); ++i) {
        const Step& step = plan().steps[i];
        Bound& bound = this->bound(static_cast<StepId>(i));
        bound.is_direct = bound.out && step.successors == 0 && step.needs == gates_of[i];
        if (bound.is_direct)
            directs.push_back(
                {static_cast<StepId>(i), bound.out, bound.from, gates_of[i], step.peer});
    }
    for (const SendPartitions::Direct& direct : directs) queue_.leave_out(direct.step);
    partitions()->send.bind(plan(), {directs.data(), directs.size()});
}

namespace {

void (*start_unbound)(Operation&) = nullptr;

} // namespace

void call_when_started_unbound(void (*callback)(Operation&)) { start_unbound = callback; }

void started_unbound(Operation& operation) {
    if (start_unbound) start_unbound(operation);
}

void Operation::open() {
    note_start();
    if (slot_ring_) return open_round();
    set(State::active);
    error_ = standing_error_;
    if (partitions()) start_round();
    if (is_bound_) return run();
    started_unbound(*this);
}

void Operation::start_round() {
    partitions()->send.start_round();
    partitions()->recv.start_round();
    if (!partitions()->followers.empty()) start_followers();
}

void Operation::race(std::unique_ptr<HostRace> race) {
    race_ = std::move(race);
    find_waves();
}

int Operation::start_delegate(MPI_Request* request) {
    return race_ && race_->is_comparing() ? race_->compare(request)
                                          : steps_.start_delegate(request);
}

// The program has started it: the host's communicator may go.
void Operation::run() {
    if (!race_) [[likely]]
        return run_plan();
    if (!race_->is_over()) return run_raced();
    race_.reset();
    steps_.keep(way_);
    find_waves();
    run_plan();
}

void Operation::run_raced() {
    take_way(race_->begin());
    // What waited for a comparison could begin no earlier.
    if (is_traced()) [[unlikely]]
        observation_->trace->ready(plan().after(plan().start(way_)), engine().turns());
    run_plan();
}

void Operation::take_way(std::size_t way) {
    if (way == way_) return;
    way_ = way;
    queue_.limit(plan().range(way));
    order_first_steps();
    find_waves();
}

void Operation::run_plan() {
    if (fragmentation_) fragmentation_->start_round();
    queue_.begin();
    if (queue_.is_done() && !has_gates()) end_steps();
    queue_.release(first_steps_);
}

namespace {

int early_sender() noexcept {
    try {
        return host::error_code(MPI_ERR_OTHER,
                                "the sender of the channel started before its receiver");
    } catch (const std::bad_alloc&) {
        return MPI_ERR_OTHER;
    }
}

} // namespace

// When it is bound late its sender may rightly have started since.
void Operation::open_round(Opened opened) {
    if (slot_ring_.is_idle()) {
        set(State::active);
        error_ = standing_error_;
    }
    if (checks_readiness_ && opened == Opened::by_start && !bundles_ &&
        is_sender_early(slot_ring_.newest()))
        note(early_sender());
    const std::size_t slot = slot_ring_.begin();
    queue_.begin_chain(slot * slot_ring_.chain(), slot_ring_.chain());
    queue_.release(plan().after(plan().gates[1 + slot]));
}

constinit std::atomic<std::size_t> Operation::quick_operations{0};

void Operation::set_quick(Quick quick) {
    if (quick_ != Quick::no) quick_operations.fetch_sub(1, std::memory_order_relaxed);
    if (quick != Quick::no) quick_operations.fetch_add(1, std::memory_order_relaxed);
    quick_ = quick;
}

// One message a round, which is one chunk, and of which there is room for all. Who sleeps is woken
// by the engine.
void Operation::find_quick_way() {
    if (slot_ring_.chain() > 1 || steps_.links().has_doorbells() || checks_readiness_ ||
        standing_error_ != MPI_SUCCESS)
        return;
    const Bound& bound = steps_.bound(0);
    if (bound.out && bound.out->is_put_at_once() && !plan().steps[0].is_synchronous)
        set_quick(Quick::send);
    if (bound.in && bound.in->is_one_chunk() && bound.in->slots() >= slot_ring_.slots() &&
        !bound.in->is_acknowledged_each())
        set_quick(Quick::receive);
}

// With room for the longest.
void Operation::make_wave() {
    wave_ = nullptr;
    std::size_t steps = 0;
    for (std::size_t way = 0; way < plan().ways(); ++way)
        if (plan().is_one_wave(way)) steps = std::max(steps, plan().steps_of(way).size());
    const bool may_have = is_plain_ && !partitions() && !plan().may_fragment && plan().slots == 0;
    if (!may_have || steps == 0) return;
    wave_ = std::make_unique<Wave>();
    wave_->reserve(steps);
}

// All steps of a round begin at once, and none is followed by another. What is on queues alone the
// engine takes, also for who waits for something else.
void Operation::find_waves() {
    has_waves_ = false;
    if (!wave_ || race_ || !about_.checked_arrays.empty()) return;
    const auto is_quick = [this](StepId id) {
        const Bound& bound = this->bound(id);
        if (bound.out) return bound.out->is_put_at_once() && !step(id).is_synchronous;
        return !bound.in || bound.in->is_one_chunk();
    };
    const std::uint32_t without_host = steps_.ways_on_queues() & ~steps_.ways_over_host();
    has_waves_ = plan().is_one_wave(way_) && (without_host >> way_ & 1) == 0 &&
                 std::ranges::all_of(first_steps_, is_quick);
}

// What is there now was sent before: over the host what no receive has taken.
bool Operation::is_sender_early(std::size_t slot) {
    const StepId first = plan().after(plan().gates[1 + slot])[0];
    const Bound& message = bound(first);
    if (message.in) return message.in->has_come_after(slot_ring_.begun());
    int is_there = 0;
    if (step(first).peer >= 0)
        HOST(Iprobe)(step(first).peer, message.tag, comm(), &is_there, MPI_STATUS_IGNORE);
    return is_there != 0;
}

void Operation::open_idle() {
    is_idle_ = false;
    if (has_waves_) return queue_.begin_last(wave_->size());
    std::size_t slot = slot_ring_.oldest();
    for (std::size_t i = 0; i < slot_ring_.running(); ++i, slot = slot_ring_.after(slot)) {
        slot_ring_.resume(slot);
        queue_.begin_chain(slot, 1);
        queue_.release(plan().after(plan().gates[1 + slot]));
    }
}

void Operation::done_in_round(StepId id) {
    slot_ring_.done(id);
    if (slot_ring_.is_idle() || !slot_ring_.is_oldest_done()) return;
    if (is_watched()) [[unlikely]]
        observe_done_rounds();
    set(State::complete);
}

} // namespace mpix::progress
