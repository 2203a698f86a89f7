// SPDX-License-Identifier: BSD-3-Clause
//
// Steps are numbered rank after rank, then gates.
#include "order.hpp"

#include <algorithm>
#include <array>
#include <map>

namespace mpix::plan::test {

Order::Order(const std::vector<Plan>& plans) {
    int count = 0;
    for (const Plan& plan : plans) {
        first_.push_back(count);
        count += static_cast<int>(plan.steps.size());
    }
    for (const Plan& plan : plans) {
        first_gate_.push_back(count);
        count += static_cast<int>(plan.gates.size());
    }
    after_.resize(index(count));
    needs_.resize(index(count));
    std::map<std::tuple<int, int, int>, std::array<std::vector<int>, 2>> channels;
    for (std::size_t rank = 0; rank < plans.size(); ++rank) {
        const Plan& plan = plans[rank];
        for (std::size_t g = 0; g < plan.gates.size(); ++g)
            for (const StepId next : plan.after(plan.gates[g]))
                connect(gate(rank, g), step(rank, next));
        for (std::size_t i = 0; i < plan.steps.size(); ++i) {
            const Step& step = plan.steps[i];
            const int self = this->step(rank, static_cast<StepId>(i));
            for (const StepId next : plan.after(step)) connect(self, this->step(rank, next));
            const int r = static_cast<int>(rank);
            if (step.action == Action::send)
                channels[{r, step.peer, step.tag_offset}][0].push_back(self);
            if (receives(step.action)) channels[{step.peer, r, step.tag_offset}][1].push_back(self);
        }
    }
    for (const auto& [key, ends] : channels)
        for (std::size_t k = 0; k < ends[0].size(); ++k)
            after_[index(ends[0][k])].push_back(ends[1][k]);
}

void Order::connect(int earlier, int later) {
    after_[index(earlier)].push_back(later);
    needs_[index(later)].push_back(earlier);
}

std::vector<bool> Order::after(int earlier, int without) const {
    std::vector<bool> seen(after_.size());
    std::vector<int> open{earlier};
    while (!open.empty()) {
        const int at = open.back();
        open.pop_back();
        for (const int next : after_[index(at)]) {
            if (next == without || seen[index(next)]) continue;
            seen[index(next)] = true;
            open.push_back(next);
        }
    }
    return seen;
}

bool Order::implied(int earlier, int later) const {
    const std::vector<bool> seen = after(earlier, later);
    return std::ranges::any_of(needs_[index(later)], [&](int need) { return seen[index(need)]; });
}

} // namespace mpix::plan::test
