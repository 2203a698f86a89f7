// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/timing.hpp"

#include <algorithm>

namespace mpix::bench {

double clock_cost() {
    static const double cost = [] {
        double least = 1e9;
        for (int repeat = 0; repeat < 1000; ++repeat) {
            const auto first = Clock::now();
            least = std::min(least, nanoseconds(Clock::now() - first));
        }
        return least;
    }();
    return cost;
}

Spread spread(std::vector<double> values) {
    if (values.empty()) return {};
    std::ranges::sort(values);
    const std::size_t middle = values.size() / 2;
    const double upper = values[middle];
    return {values.front(), values.size() % 2 ? upper : (values[middle - 1] + upper) / 2};
}

Spread spread(std::vector<double> batches, const Ranks& ranks) {
    ranks.maximum(batches);
    return spread(std::move(batches));
}

} // namespace mpix::bench
