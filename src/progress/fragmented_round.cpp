// SPDX-License-Identifier: BSD-3-Clause
//
// Executing fragments of steps, and sending and receiving them.
#include "progress/fragmented_round.hpp"

#include "progress/operation.hpp"
#include "progress/runner.hpp"

#include <algorithm>
#include <utility>

namespace mpix::progress {

using plan::Action;
using plan::Step;
using plan::StepId;

FragmentedRound::FragmentedRound(Operation& operation)
    : operation_(operation), fragments_(operation.plan()), flows_(operation.plan().steps.size()) {
    for (std::size_t i = 0; i < flows_.size(); ++i) {
        const auto id = static_cast<StepId>(i);
        Flow& it = flows_[i];
        const Bound& bound = operation_.bound(id);
        if (bound.is_direct) {
            it.state = State::of_threads;
            continue;
        }
        if (operation_.fragmentation_->is_done(id))
            it.state = State::done;
        else if (operation_.queue_.is_released(id))
            it.state = State::under_way;
        it.is_listening = it.state == State::under_way;
        unfinished_ += it.state != State::done;
        if (operation_.step(id).peer >= 0 && !bound.in && !bound.out) over_host_.push_back(id);
        if (it.state == State::done) fragments_.finish(id);
    }
    sent_.reserve(flows_.size());
    if (!operation_.has_gates()) return;
    const SendPartitions& send_partitions = operation_.partitions()->send;
    for (std::size_t p = 0; p < send_partitions.partitions(); ++p)
        if (send_partitions.is_marked(p)) fragments_.open(p + 1);
}

void FragmentedRound::begin() noexcept try {
    for (StepId id = 0; id < static_cast<StepId>(flows_.size()); ++id)
        if (flow(id).state == State::ours && operation_.bound(id).in) listen(id);
    own_messages();
} catch (...) {
    fail();
}

void FragmentedRound::own_messages() noexcept try {
    if (operation_.has_gates()) {
        SendPartitions& send_partitions = operation_.partitions()->send;
        bool any = false;
        send_partitions.fragment([&](StepId id) {
            flow(id).state = State::ours;
            ++unfinished_;
            any = true;
        });
        for (std::size_t p = 0; any && p < send_partitions.partitions(); ++p)
            if (send_partitions.is_marked(p)) fragments_.open(p + 1);
        const auto all = static_cast<StepId>(any ? flows_.size() : 0);
        for (StepId id = 0; id < all; ++id)
            if (flow(id).state == State::ours && operation_.is_direct(id)) send(id);
    }
    run();
} catch (...) {
    fail();
}

void FragmentedRound::open(std::size_t gate) noexcept try {
    fragments_.open(gate);
    run();
} catch (...) {
    fail();
}

void FragmentedRound::done(StepId id) noexcept try {
    Flow& it = flow(id);
    it.state = State::ours;
    finish(id, {0, fragments_.size(id)});
    run();
} catch (...) {
    fail();
}

void FragmentedRound::run() {
    for (StepId id = fragments_.next(); id >= 0; id = fragments_.next())
        execute(id, fragments_.take(id));
    operation_.ring();
}

void FragmentedRound::execute(StepId id, const Set& parts) {
    Flow& it = flow(id);
    if (it.state == State::under_way || it.state == State::done) return;
    const Action action = operation_.step(id).action;
    if (action == Action::arrive) return arrive(id, parts);
    if (action == Action::send || receives(action)) {
        it.ready += parts;
        if (it.state == State::of_threads) return;
        if (action == Action::send) return send(id);
        if (!operation_.bound(id).in && !std::exchange(it.is_listening, true)) listen(id);
        return use(id);
    }
    for (const Interval& part : parts) {
        action == Action::reduce
            ? operation_.steps_.reduce(id, part.lower(), part.upper(), operation_.error_)
            : operation_.steps_.copy(id, part.lower(), part.upper(), operation_.error_);
        finish(id, part);
    }
}

// A partition has come when its last byte has.
void FragmentedRound::arrive(StepId id, const Set& parts) {
    Flow& it = flow(id);
    it.come += parts;
    const Step& step = operation_.step(id);
    const auto first = static_cast<std::size_t>(step.number);
    const Interval come = boost::icl::hull(parts);
    plan::Bytes begin = 0, end = 0;
    for (std::size_t i = first; i < first + static_cast<std::size_t>(step.arrivals); ++i) {
        begin = std::exchange(end, end + operation_.plan().arrival_bytes[i]);
        if (begin < end && (end <= come.lower() || begin >= come.upper())) continue;
        const bool is_there = begin == end || boost::icl::contains(it.come, Interval(begin, end));
        if (is_there && !operation_.partitions()->recv.has(i)) operation_.arrive_at(i);
    }
    for (const Interval& part : parts) finish(id, part);
}

void FragmentedRound::finish(StepId id, const Interval& part) {
    fragments_.finish(id, part);
    if (!fragments_.is_finished(id)) return;
    flow(id).state = State::done;
    operation_.note_step(id);
    operation_.fragmentation_->note(id); // the round may go on as a whole, and in fragments again
    if (operation_.is_direct(id)) return sent_.push_back(id);
    --unfinished_;
    operation_.queue_.end_step();
}

// What was marked while this began may have begun here, and stand in the log still. Read later, it
// would let the same steps begin as a whole.
bool FragmentedRound::is_done() const {
    return unfinished_ == 0 &&
           (!operation_.has_gates() || operation_.partitions()->send.are_read());
}

// Threads may still be in the marks that let these messages go.
void FragmentedRound::tell_of_sent() {
    std::erase_if(sent_, [this](StepId id) {
        SendPartitions& send_partitions = operation_.partitions()->send;
        if (!send_partitions.is_left(id)) return false;
        send_partitions.sent();
        --unfinished_;
        return true;
    });
}

// ---- receiving ----

std::byte* FragmentedRound::hold(StepId id) {
    Flow& it = flow(id);
    const Binding::Extent extent =
        operation_.steps_.binding().extent_with_room(operation_.bound(id).bytes);
    if (!it.hold)
        it.hold = plan::insist_on_memory([bytes = static_cast<std::size_t>(extent.bytes)] {
            return std::make_unique_for_overwrite<std::byte[]>(bytes);
        });
    return it.hold.get() - extent.shift;
}

// What comes on a queue may come before it can be used; over the host another on its tag may.
void FragmentedRound::listen(StepId id) {
    const Bound& bound = operation_.bound(id);
    if (bound.in) {
        bound.in->begin();
        return take_on_queue(id);
    }
    post(id, hold(id), bound.count, bound.type);
}

// Without memory for it what has come waits where it is.
void FragmentedRound::take(StepId id) noexcept {
    try {
        hold(id);
    } catch (...) {
        return runner().await(operation_, id, operation_.bound(id).in->awaited());
    }
    try {
        take_on_queue(id);
        run();
    } catch (...) {
        fail();
    }
}

// What was begun before as a whole, and comes as one, is still taken so.
void FragmentedRound::take_on_queue(StepId id) {
    shmem::Receiver& in = *operation_.bound(id).in;
    const Interval whole(0, fragments_.size(id));
    while (in.awaited().is_there()) {
        bool is_last = false;
        if (in.has_fragment()) {
            const auto [begin, bytes] = in.next_fragment();
            is_last = in.take_fragment(hold(id));
            came(id, {static_cast<plan::Bytes>(begin), static_cast<plan::Bytes>(begin + bytes)});
        } else if (flow(id).state == State::under_way) {
            is_last = operation_.take(id);
            if (is_last) finish(id, whole);
        } else {
            is_last = in.copy_to(hold(id));
            if (is_last) came(id, whole);
        }
        if (in.failed()) operation_.note(unreadable());
        if (is_last) return;
    }
    runner().await(operation_, id, in.awaited());
}

// All that a step waits for was done when it was begun.
void FragmentedRound::came(StepId id, const Interval& part) {
    Flow& it = flow(id);
    it.come += part;
    if (std::exchange(it.state, State::ours) == State::under_way)
        it.ready = Set(Interval(0, fragments_.size(id)));
    use(id);
}

// What has come in chunks of a queue may end within an element, whose rest is the next to come.
FragmentedRound::Set FragmentedRound::of_whole_elements(StepId id, const Set& parts) const {
    const plan::Bytes grain = operation_.steps_.binding().grain();
    if (grain == 1 || operation_.bound(id).bytes == 0) return parts;
    Set whole;
    for (const Interval& part : parts) {
        const Interval elements((part.lower() + grain - 1) / grain * grain,
                                part.upper() / grain * grain);
        if (elements.lower() < elements.upper()) whole += elements;
    }
    return whole;
}

void FragmentedRound::use(StepId id) {
    Flow& it = flow(id);
    const Set parts = of_whole_elements(id, it.come & it.ready);
    it.come -= parts;
    for (const Interval& part : parts) {
        operation_.steps_.take_from(hold(id), id, part.lower(), part.upper(), operation_.error_);
        finish(id, part);
    }
}

// ---- sending ----

void FragmentedRound::push(StepId id) noexcept try {
    if (flow(id).state == State::under_way) {
        shmem::Sender& out = *operation_.bound(id).out;
        return out.proceed() ? done(id) : runner().await(operation_, id, out.awaited());
    }
    if (proceed(id)) send(id);
    run();
} catch (...) {
    fail();
}

// What is next of that which may be sent, as much as one message of the host has.
void FragmentedRound::take_next(Flow& it) {
    constexpr plan::Bytes most = 1 << 30;
    const plan::Bytes grain = operation_.steps_.binding().grain();
    it.current = *it.ready.begin();
    if (it.current.upper() - it.current.lower() > most)
        it.current = {it.current.lower(), it.current.lower() + most / grain * grain};
    it.ready -= it.current;
}

bool FragmentedRound::is_whole(StepId id) {
    return flow(id).current == Interval(0, fragments_.size(id));
}

void FragmentedRound::send(StepId id) {
    Flow& it = flow(id);
    while (!it.is_sending && !it.ready.empty()) {
        take_next(it);
        it.is_sending = true;
        if (!operation_.bound(id).out)
            send_over_host(id);
        else
            begin_on_queue(id);
        operation_.note_begun(id);
        if (!proceed(id)) return;
    }
}

// True if the fragment is on its way.
bool FragmentedRound::proceed(StepId id) {
    Flow& it = flow(id);
    if (shmem::Sender* const out = operation_.bound(id).out) {
        if (!out->proceed()) {
            runner().await(operation_, id, out->awaited());
            return false;
        }
    } else if (!have_ended(it)) {
        return false;
    }
    it.is_sending = false;
    finish(id, it.current);
    return true;
}

void FragmentedRound::begin_on_queue(StepId id) {
    const Bound& bound = operation_.bound(id);
    const auto begin = static_cast<std::uint64_t>(flow(id).current.lower());
    const auto end = static_cast<std::uint64_t>(flow(id).current.upper());
    if (is_whole(id))
        bound.out->begin(bound.from);
    else
        bound.out->begin_fragment(bound.from + begin, begin, end - begin);
}

} // namespace mpix::progress
