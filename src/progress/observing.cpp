// SPDX-License-Identifier: BSD-3-Clause
//
// What operations do to be counted and traced. Not before somebody wants to know: a tool may come
// at any time, and then the first round that it sees makes the observation.
#include "progress/engine.hpp"
#include "progress/operation.hpp"

#include <memory>
#include <new>
#include <string>

namespace mpix::progress {

using plan::StepId;

Observation& Operation::observation() {
    if (!observation_) observation_ = std::make_unique<Observation>();
    return *observation_;
}

// Requests that something else completes have no rounds.
void Operation::observe() {
    if (is_traced() || about_.is_nonblocking || !trace().is_on()) return;
    const Runner::Guard guard(runner());
    PlanTrace& made = observation().trace.emplace(name());
    if (has_gates()) partitions()->send.record_to(made);
}

void Operation::observe_plan() {
    observe();
    if (is_traced()) observation_->trace->bind(plan(), steps_.tags(), engine().turns());
}

void Operation::attach_meter() {
    Meter& meter = observation().meter;
    if (!is_measured_ || meter.is_attached()) return;
    std::int64_t bytes = 0;
    for (const plan::Step& step : plan().steps_of(0))
        if (step.action == plan::Action::send) bytes += step.bytes;
    meter.attach(counters_of({name_of_calls(name()), std::string(plan().solver),
                              progress::name(steps_.links().transport())}),
                 bytes);
}

void Operation::measure() {
    const Runner::Guard guard(runner());
    is_measured_ = true;
    if (!is_counting() && !observation_) return;
    attach_meter();
    if (is_counting()) observation_->meter.init();
}

// One that is bound and not measured has members that are.
void Operation::count_start() noexcept try {
    if (is_bound_ && !is_measured_) return;
    attach_meter();
    observation_->meter.start();
} catch (const std::bad_alloc&) { // it is not counted
}

// Of a channel one of its chains.
void Operation::observe_start() noexcept {
    if (is_counting()) count_start();
    if (!is_traced()) return;
    const std::size_t steps = slot_ring_ ? slot_ring_.chain() : plan().steps.size();
    const std::size_t first = slot_ring_ ? slot_ring_.newest() * steps : 0;
    PlanTrace& trace = *observation_->trace;
    if (!slot_ring_ && !race_)
        trace.reserve(plan().range(way_), has_gates() ? partitions()->send.partitions() : 0);
    trace.start(first, steps, engine().turns());
}

void Operation::observe_completion() noexcept {
    if (!observation_) return;
    observation_->meter.complete();
    if (observation_->trace) observation_->trace->complete(engine().turns(), !has_gates());
}

// Of a channel, whose later round may be done first.
void Operation::observe_done_rounds() noexcept {
    while (slot_ring_.tell_next()) observe_completion();
}

// Parts of a long message are put between other steps, and the last one may be received before
// these are done.
void Operation::observe_begun(StepId id) noexcept {
    if (is_traced() && step(id).action == plan::Action::send)
        observation_->trace->begun(id, engine().turns());
}

void Operation::note_step(StepId id) {
    if (!is_traced()) return;
    const plan::Step& done = step(id);
    observation_->trace->done(id, plan().after(done), engine().turns(), done.action);
}

void Operation::observe_pass() noexcept {
    slot_ring_.tell_when_begun();
    observe_start();
    note_step(static_cast<StepId>(slot_ring_.newest()));
    observe_completion();
}

void Operation::observe_arrival() noexcept {
    note_step(static_cast<StepId>(slot_ring_.oldest()));
    observe_completion();
}

void Operation::note_gate(std::size_t gate) {
    if (is_traced()) observation_->trace->ready(plan().after(plan().gates[gate]), engine().turns());
}

} // namespace mpix::progress
