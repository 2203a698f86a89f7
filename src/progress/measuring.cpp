// SPDX-License-Identifier: BSD-3-Clause
//
// What operations do to be counted. Not before somebody wants to know: a tool may come at any time,
// and then the first round that it sees makes the meter.
#include "progress/operation.hpp"
#include "progress/runner.hpp"

#include <memory>
#include <new>
#include <string>

namespace mpix::progress {
namespace {

// "Allreduce" of MPI_Allreduce_init, "Pallreduce" of MPIX_Pallreduce_init.
std::string kind_of(const std::string& call) {
    const std::size_t begin = call.find('_') + 1;
    return call.substr(begin, call.rfind('_') - begin);
}

} // namespace

void Operation::attach_meter() {
    if (!meter_) meter_ = std::make_unique<Meter>();
    if (!is_measured_ || meter_->is_attached()) return;
    std::int64_t bytes = 0;
    for (const plan::Step& step : plan().steps)
        if (step.action == plan::Action::send) bytes += step.bytes;
    meter_->attach(counters_of({kind_of(name()), std::string(plan().solver),
                                progress::name(steps_.links().transport())}),
                   bytes);
}

void Operation::measure() {
    const Runner::Guard guard(runner());
    is_measured_ = true;
    if (!is_counting() && !meter_) return;
    attach_meter();
    if (is_counting()) meter_->init();
}

// One that is bound and not measured has members that are.
void Operation::count_start() noexcept try {
    if (is_bound_ && !is_measured_) return;
    attach_meter();
    meter_->start();
} catch (const std::bad_alloc&) { // it is not counted
}

void Operation::count_completion() noexcept {
    if (meter_) meter_->complete();
}

void Operation::count_round() noexcept {
    count_start();
    count_completion();
}

} // namespace mpix::progress
