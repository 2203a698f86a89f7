// SPDX-License-Identifier: BSD-3-Clause
//
// A plan as a picture: ranks are lines, nodes bands, steps boxes along simulated time, messages
// arrows. What it shows has been simulated elsewhere.
#pragma once

#include "bench/common/markup.hpp"
#include "plan/clock.hpp"

#include <span>
#include <string>
#include <vector>

namespace mpix::simulate {

struct Shown {
    std::string title;
    const plan::Nodes& nodes;
    std::span<const plan::Plan> plans;           // of all ranks
    std::vector<std::vector<std::string>> texts; // of their steps
    const plan::Timeline& timeline;
    double us;
};

// Stands alone.
markup::Element draw(const Shown& shown);

} // namespace mpix::simulate
