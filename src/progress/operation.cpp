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
#include <climits>
#include <new>
#include <utility>

namespace mpix::progress {

using plan::Action;
using plan::Room;
using plan::Step;
using plan::StepId;

namespace {

// For copies between typed rooms.
std::size_t bounce_of(const plan::Plan& plan, const Binding& binding) {
    std::int64_t bytes = 0;
    if (!binding.is_dense() && !binding.element->flat)
        for (const Step& step : plan.steps)
            if (step.action == Action::copy || step.action == Action::combine)
                bytes = std::max(bytes, step.bytes);
    return static_cast<std::size_t>(bytes);
}

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

} // namespace

// With queues that another process has made nothing fails any more: to leave them is to be done.
void Operation::bind(plan::Plan plan, Binding binding, Tags tags, const OpenLinks& open_links,
                     Delegate delegate) {
    free_host_objects(); // of an attempt that failed
    plan_ = std::move(plan);
    binding_ = std::move(binding);
    binding_.move(rebound_);
    tags_ = std::move(tags);
    delegate_ = std::move(delegate);
    allocate_scratch();
    initial_needs_.clear();
    initial_needs_.reserve(plan_.steps.size());
    for (const Step& step : plan_.steps) initial_needs_.push_back(step.needs);
    needs_ = initial_needs_;
    SlotRing slot_ring = plan_.slots > 0 ? SlotRing(plan_) : SlotRing();
    ready_.resize((slot_ring ? 2 : 1) * plan_.steps.size());
    bounce_.resize(bounce_of(plan_, binding_));
    bound_.reserve(plan_.steps.size());
    first_steps_.reserve(plan_.steps.size());
    fragmentation_ = plan_.may_fragment ? std::make_unique<Fragmentation>(plan_) : nullptr;
    Reserved reserved(messages());
    links_ = open_links(plan_, [this](const Step& step) { return address(step.from); });
    bind_steps();
    order_first_steps();
    steps_ = plan_.steps.size();
    if (has_gates()) bind_gates();
    if (fragmentation_) fragmentation_->bind(bound_);
    const Runner::Guard guard(runner());
    slot_ring_ = std::move(slot_ring);
    if (slot_ring_) find_quick_way();
    reserved.keep();
    is_bound_ = true; // nothing fails any more
    if (is_claimed_) return;
    if (has_gates()) partitions()->send.open(state() == State::active);
    if (state() != State::active) return;
    slot_ring_ ? open_round() : run();
    runner().resume(*this);
}

void Operation::free_host_objects() {
    if (base::is_closed()) return;
    for (Bound& bound : bound_)
        if (bound.receive != MPI_REQUEST_NULL) HOST(Request_free)(&bound.receive);
    for (MPI_Datatype& type : large_types_) HOST(Type_free)(&type);
    bound_.clear();
    large_types_.clear();
}

Operation::Operation(About about) : about_(std::move(about)) {
    is_plain_ = !members() && !callbacks();
    if (!has_gates()) return;
    const Runner::Guard guard(runner());
    runner().reserve_gated();
}

// What is attached may be known to others who would bind it: they have found it whole, or do not
// find it any more.
Operation::~Operation() {
    const Runner::Guard guard(runner());
    about_.attached.reset();
    free_host_objects();
    set_quick(Quick::no);
    part_with_followers();
    if (members()) leave_members();
    if (has_gates()) runner().unreserve_gated();
    if (is_bound_) runner().unreserve(messages());
}

std::size_t Operation::messages() const {
    return static_cast<std::size_t>(
        std::count_if(plan_.steps.begin(), plan_.steps.end(), [](const Step& step) {
            return step.peer >= 0 || step.action == Action::delegate ||
                   step.action == Action::member || step.action == Action::call;
        }));
}

void Operation::allocate_scratch() {
    if (plan_.scratch == 0) return;
    const Binding::Extent extent = binding_.extent_with_room(plan_.scratch);
    scratch_memory_ =
        std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(extent.bytes));
    scratch_ = scratch_memory_.get() - extent.shift;
}

std::byte* Operation::address(const plan::Span& span) const {
    const std::int64_t offset =
        plan::is_blocks(span.room) ? span.offset : binding_.extent_of(span.offset);
    switch (span.room) {
    case Room::send: return binding_.send + offset;
    case Room::recv: return binding_.recv + offset;
    case Room::scratch: return scratch_ + offset;
    case Room::send_blocks: return binding_.send_blocks[static_cast<std::size_t>(offset)].address;
    case Room::recv_blocks: return binding_.recv_blocks[static_cast<std::size_t>(offset)].address;
    case Room::nothing: break;
    }
    return nullptr;
}

void Operation::set_addresses(const Step& step, Bound& bound) const {
    bound.from = address(step.from);
    bound.to = address(step.to);
    if (step.action == Action::combine) bound.stage = address(step.stage);
}

void Operation::bind_steps() {
    for (const Step& step : plan_.steps) {
        Bound& bound = bound_.emplace_back();
        if (step.action == Action::delegate) continue;
        set_addresses(step, bound);
        bound.bytes = step.bytes;
        if (step.peer < 0) continue;
        const auto id = static_cast<StepId>(bound_.size() - 1);
        bound.out = links_->sender(id);
        bound.in = links_->receiver(id);
        bind_message(step, bound);
    }
}

// To take a message within the node is work, and nobody should wait for ours meanwhile. The host's
// receives are best posted before its sends.
void Operation::order_first_steps() {
    const auto first = plan_.after(plan_.gates[0]);
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

void Operation::bind_message(const Step& step, Bound& bound) {
    std::int64_t count = step.bytes, extent = 1;
    bound.type = binding_.element_type;
    if (binding_.element && count > 0) {
        count /= binding_.element->size;
        extent = binding_.element->extent;
    }
    if (count > INT_MAX) {
        bound.type = host::large_type(count, bound.type, extent);
        large_types_.push_back(bound.type);
        count = 1;
    }
    bound.count = static_cast<int>(count);
    bound.tag = tags_.first + step.lane;
    if (receives(step.action) && !bound.in) host::check(init_receive(step, bound));
}

int Operation::init_receive(const Step& step, Bound& bound) const {
    std::byte* const to = step.action == Action::combine ? bound.stage : bound.to;
    return HOST(Recv_init)(to, bound.count, bound.type, step.peer, bound.tag, tags_.comm,
                           &bound.receive);
}

void Operation::renew(StepId id) {
    if (receives(step(id).action)) note(init_receive(step(id), bound(id)));
    if (step(id).action == Action::member) note(member(id).message->renew());
}

// "Allreduce" of MPI_Allreduce_init, "Pallreduce" of MPIX_Pallreduce_init.
void Operation::measure() {
    std::string operation = name();
    const std::size_t begin = operation.find('_') + 1;
    operation = operation.substr(begin, operation.rfind('_') - begin);
    std::int64_t bytes = 0;
    for (const Step& step : plan_.steps)
        if (step.action == Action::send) bytes += step.bytes;
    const Runner::Guard guard(runner());
    meter_.attach(counters_of(operation, std::string(plan_.solver), progress::name(transport())),
                  bytes);
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
    boost::container::small_vector<std::int32_t, 16> gates_of(plan_.steps.size());
    for (std::size_t gate = 1; gate < plan_.gates.size(); ++gate)
        for (const StepId id : plan_.after(plan_.gates[gate]))
            ++gates_of[static_cast<std::size_t>(id)];
    boost::container::small_vector<SendPartitions::Direct, 16> directs;
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
        const Step& step = plan_.steps[i];
        Bound& bound = bound_[i];
        bound.is_direct = bound.out && step.successors == 0 && step.needs == gates_of[i];
        if (bound.is_direct)
            directs.push_back(
                {static_cast<StepId>(i), bound.out, bound.from, gates_of[i], step.peer});
    }
    for (const SendPartitions::Direct& direct : directs)
        initial_needs_[static_cast<std::size_t>(direct.step)] = 0; // it is never released
    steps_ -= directs.size();
    partitions()->send.bind(plan_, {directs.data(), directs.size()});
}

namespace {

void (*start_unbound)(Operation&) = nullptr;

} // namespace

void call_when_started_unbound(void (*callback)(Operation&)) { start_unbound = callback; }

void started_unbound(Operation& operation) {
    if (start_unbound) start_unbound(operation);
}

void Operation::open() {
    meter_.start();
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

void Operation::run() {
    if (fragmentation_) fragmentation_->start_round();
    std::copy(initial_needs_.begin(), initial_needs_.end(), needs_.begin());
    head_ = tail_ = 0;
    remaining_ = steps_;
    if (remaining_ == 0 && !has_gates()) complete();
    release(first_steps_);
}

// What has been executed leaves the queue. There is room for twice as many steps as can be in it.
void Operation::forget_done() {
    std::copy(ready_.begin() + static_cast<std::ptrdiff_t>(head_), ready_.end(), ready_.begin());
    tail_ -= head_;
    head_ = 0;
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

void Operation::open_round() {
    if (slot_ring_.is_idle()) {
        set(State::active);
        error_ = standing_error_;
    }
    if (checks_readiness_ && !bundles_ && is_sender_early(slot_ring_.newest()))
        note(early_sender());
    const std::size_t slot = slot_ring_.begin(), first = slot * slot_ring_.chain();
    std::copy_n(initial_needs_.data() + first, slot_ring_.chain(), needs_.data() + first);
    if (head_ == tail_) head_ = tail_ = 0;
    release(plan_.after(plan_.gates[1 + slot]));
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
    if (slot_ring_.chain() > 1 || links_->has_doorbells() || checks_readiness_ ||
        standing_error_ != MPI_SUCCESS)
        return;
    const Bound& bound = bound_[0];
    if (bound.out && bound.out->is_put_at_once() && !plan_.steps[0].is_synchronous)
        set_quick(Quick::send);
    if (bound.in && bound.in->is_one_chunk() && bound.in->slots() >= slot_ring_.slots() &&
        !bound.in->is_acknowledged_each())
        set_quick(Quick::receive);
}

// What is there now was sent before: over the host what no receive has taken.
bool Operation::is_sender_early(std::size_t slot) {
    const StepId first = plan_.after(plan_.gates[1 + slot])[0];
    const Bound& message = bound(first);
    if (message.in) return message.in->has_come_after(slot_ring_.begun());
    int is_there = 0;
    if (step(first).peer >= 0)
        HOST(Iprobe)(step(first).peer, message.tag, comm(), &is_there, MPI_STATUS_IGNORE);
    return is_there != 0;
}

void Operation::open_idle() {
    is_idle_ = false;
    std::size_t slot = slot_ring_.oldest();
    for (std::size_t i = 0; i < slot_ring_.running(); ++i, slot = slot_ring_.after(slot)) {
        slot_ring_.resume(slot);
        needs_[slot] = initial_needs_[slot];
        if (head_ == tail_) head_ = tail_ = 0;
        release(plan_.after(plan_.gates[1 + slot]));
    }
}

void Operation::done_in_round(StepId id) {
    slot_ring_.done(id);
    if (slot_ring_.is_oldest_done() && !slot_ring_.is_idle()) complete();
}

} // namespace mpix::progress
