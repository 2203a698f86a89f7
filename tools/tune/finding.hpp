// SPDX-License-Identifier: BSD-3-Clause
//
// What a trial finds: values, without MPI.
#pragma once

#include "plan/solver.hpp"

#include <string_view>

namespace mpix::tune {

struct Solver {
    const plan::Solver* solver = nullptr; // null delegates

    std::string_view name() const { return solver ? solver->name : "delegate"; }
    friend bool operator==(const Solver&, const Solver&) = default;
};

struct Finding {
    Solver usual;   // what the planner takes of itself
    Solver fastest; // the same, unless another one is faster by the least gain
    double gain;    // time of the usual one over that of the fastest
};

} // namespace mpix::tune
