// SPDX-License-Identifier: BSD-3-Clause
//
// Finding what is joined.
#include "progress/fragmentation.hpp"

namespace mpix::progress {

using plan::Action;
using plan::Step;
using plan::StepId;

Fragmentation::Fragmentation(const plan::Plan& plan)
    : done_(plan.steps.size()), joints_(plan.steps.size(), Joint{SIZE_MAX, 0}) {
    const auto join = [&](StepId id, std::size_t partition) {
        Joint& joint = joints_[static_cast<std::size_t>(id)];
        joint = {std::min(joint.first, partition), std::max(joint.last, partition)};
    };
    for (std::size_t p = 0; p < plan.partitions(); ++p)
        for (const StepId id : plan.after(plan.gates[p + 1])) {
            join(id, p);
            const Step& step = plan.steps[static_cast<std::size_t>(id)];
            if (step.action != Action::copy || step.needs != 1) continue;
            for (const StepId next : plan.after(step)) join(next, p); // once it is packed
        }
}

void Fragmentation::bind(const std::vector<Bound>& bound) noexcept {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < joints_.size(); ++i)
        if (joints_[i].first < joints_[i].last && !bound[i].is_direct) joints_[kept++] = joints_[i];
    joints_.resize(kept);
}

} // namespace mpix::progress
