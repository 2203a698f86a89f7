// SPDX-License-Identifier: BSD-3-Clause
//
// How long the plans of all ranks take on a machine that there may not be: their dependencies are
// executed in LogGP time. A rank does one thing at a time, and the ranks of a node share its
// network card, which carries so many messages side by side, in each direction. D. Culler et al.,
// "LogP: towards a realistic model of parallel computation", 1993; A. Alexandrov et al., "LogGP",
// 1995.
#pragma once

#include "plan/model.hpp"
#include "plan/plan.hpp"

#include <optional>
#include <span>
#include <vector>

namespace mpix::plan {

struct Simulated {
    double us = 0;      // until the last rank is done
    int messages = 0;   // from one node to another, at most
    Bytes crossing = 0; // all bytes that cross
};

// All that a step needs is done at `ready`; its rank works at it from `begin` to `end`. A receive
// is worked at when its message is there, and a send for as long as it takes to post.
struct StepTimes {
    double ready = 0, begin = 0, end = 0;
};

struct MessageTimes {
    int from = 0, to = 0;
    StepId send = 0, receive = 0;
    double left = 0, there = 0;
};

// What happened when.
struct Timeline {
    std::vector<std::vector<StepTimes>> steps; // of each rank
    std::vector<MessageTimes> messages;
};

// The constants of the model are those of a message that nothing shares. Nothing if some rank waits
// for ever. The timeline is written down if it is asked for.
std::optional<Simulated> simulate(std::span<const Plan> plans, const Nodes& nodes,
                                  const Model& model, Timeline* timeline = nullptr);

} // namespace mpix::plan
