// SPDX-License-Identifier: BSD-3-Clause
//
// What a solver is: a name, when it applies, what it costs, how it builds one rank's steps.
// applicable and cost see only the shape, so that every rank chooses the same. Each solver is one
// file; solvers.def is the one table of them.
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

    double ranks_per_core = 1; // above 1 they take turns: while one waits others get on

    // The same of messages within a node.
    double node_latency_us = 0.2;
    double node_overhead_us = 0.03;
    double node_per_byte_us = 1.0 / 9000;

    // For ranks that are all on one node.
    constexpr Model within_node() const {
        Model model = *this;
        model.latency_us = node_latency_us;
        model.overhead_us = node_overhead_us;
        model.per_byte_us = node_per_byte_us;
        return model;
    }
    static constexpr Model of_node();

    double message(double bytes) const { return latency_us + bytes * per_byte_us; }
    // Of messages that follow each other from rank to rank, with work on each. Where ranks take
    // turns the first is at later rounds by then: it counts what each has to do.
    double chain(int messages, double bytes, double work) const {
        return is_crowded() ? overhead_us + bytes * per_byte_us + work
                            : messages * (message(bytes) + work);
    }
    bool is_crowded() const { return ranks_per_core > 1; }
    // Of work that every rank has, for one that is compared with the work of few.
    constexpr double of_everyone(double work) const { return work * ranks_per_core; }
};

constexpr Model Model::of_node() { return Model{}.within_node(); }

struct Solver {
    std::string_view name;
    Kind kind;
    bool (*applicable)(const Shape&);
    double (*cost)(const Shape&, const Model&); // microseconds until the last rank is done
    void (*build)(const Problem&, Builder&);
};

std::span<const Solver* const> catalogue();

// Null if there is none of that name.
const Solver* find_solver(std::string_view name);

} // namespace mpix::plan
