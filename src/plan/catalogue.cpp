// SPDX-License-Identifier: BSD-3-Clause
//
// The table of solvers, as solvers.def has them.
#include "plan/solver.hpp"

#include <algorithm>

namespace mpix::plan {

#define SOLVER(name)                                                                               \
    namespace name {                                                                               \
    extern const Solver solver;                                                                    \
    }
#include "plan/solvers.def"
#undef SOLVER

std::span<const Solver* const> catalogue() {
    static constexpr const Solver* solvers[] = {
#define SOLVER(name) &name::solver,
#include "plan/solvers.def"
#undef SOLVER
    };
    return solvers;
}

const Solver* find_solver(std::string_view name) {
    const auto all = catalogue();
    const auto found = std::ranges::find(all, name, &Solver::name);
    return found == all.end() ? nullptr : *found;
}

} // namespace mpix::plan
