// SPDX-License-Identifier: BSD-3-Clause
//
// Its memory.
#include "progress/step_queue.hpp"

namespace mpix::progress {

void StepQueue::take(const plan::Plan& plan) {
    initial_needs_.clear();
    initial_needs_.reserve(plan.steps.size());
    for (const plan::Step& step : plan.steps) initial_needs_.push_back(step.needs);
    needs_ = initial_needs_;
    ready_.resize((plan.slots > 0 ? 2 : 1) * plan.steps.size());
    limit(plan.range(0));
}

void StepQueue::reorder(const plan::Plan& plan) {
    for (std::size_t id = 0; id < plan.steps.size(); ++id)
        initial_needs_[id] = plan.steps[id].needs;
}

// What has been executed leaves. There is room for twice as many steps as can be in it.
void StepQueue::forget_done() {
    std::copy(ready_.begin() + static_cast<std::ptrdiff_t>(head_), ready_.end(), ready_.begin());
    tail_ -= head_;
    head_ = 0;
}

} // namespace mpix::progress
