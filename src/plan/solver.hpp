// SPDX-License-Identifier: BSD-3-Clause
//
// What a solver is: a name, when it applies, what it costs, how it builds one rank's steps.
// applicable and cost see only the shape, so that every rank chooses the same. Each solver is one
// file; catalogue.cpp is the one table of them.
#pragma once

#include "plan/builder.hpp"

#include <span>

namespace mpix::plan {

// The machine as the planner sees it. All constants of the cost model are here.
struct Model {
    double latency_us = 0.6;         // of a message, from send to receive
    double overhead_us = 0.15;       // of posting one more message
    double per_byte_us = 1.0 / 6000; // moving data to another rank
    double copy_us = 1.0 / 10000;    // copying a byte within the rank
    double reduce_us = 1.0 / 5000;   // combining a byte
    double crossing = 1.2;           // how much longer a byte takes where all ranks send at once
                                     // and not just to a neighbour: paths and caches are shared

    // Of messages within a node.
    static constexpr Model of_node() {
        return {.latency_us = 0.2, .overhead_us = 0.03, .per_byte_us = 1.0 / 9000};
    }

    double message(double bytes) const { return latency_us + bytes * per_byte_us; }
};

struct Solver {
    std::string_view name;
    Kind kind;
    bool (*applicable)(const Shape&);
    double (*cost)(const Shape&, const Model&); // microseconds until the last rank is done
    void (*build)(const Problem&, Builder&);
};

std::span<const Solver* const> catalogue();

} // namespace mpix::plan
