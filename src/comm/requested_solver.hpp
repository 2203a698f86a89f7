// SPDX-License-Identifier: BSD-3-Clause
//
// Solvers as ranks tell each other of them.
#pragma once

#include "plan/solver.hpp"

#include <cstdint>
#include <string_view>

namespace mpix::comm {

// A solver, or delegation, as a number that ranks can compare.
using RequestedSolver = std::int64_t;
inline constexpr RequestedSolver no_requested_solver = INT64_MIN;
inline constexpr RequestedSolver delegation = 0; // a solver is 1 and its place in the catalogue

// Of a solver, or "delegate"; of anything else no_requested_solver.
RequestedSolver find_requested_solver(std::string_view name);
std::string_view name_of(RequestedSolver requested_solver);
const plan::Solver* solver_of(RequestedSolver requested_solver); // null: delegation

} // namespace mpix::comm
