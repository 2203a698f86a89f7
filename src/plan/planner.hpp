// SPDX-License-Identifier: BSD-3-Clause
//
// The planner: problem in, plan out. It walks the catalogue, takes the applicable solver that
// costs least, and packs and unpacks around it what is not dense.
#pragma once

#include "plan/solver.hpp"

#include <functional>
#include <string>

namespace mpix::plan {

// Decides for one solver whether the user allows it; the same on every rank.
using Allowed = std::function<bool(const Solver&)>;

// The cheapest applicable and allowed solver; null if there is none.
const Solver* choose(const Shape& shape, const Model& model, const Allowed& allowed);

// What the solver costs there: between nodes some bytes cross and some do not, and the ranks of a
// node share its network card.
double cost(const Solver& solver, const Shape& shape, const Model& model);

// The constants as they are for those ranks: where they are on several nodes they are a mixture.
Model seen_from(const Shape& shape, const Model& model);

// All applicable ones with their costs, the cheapest first, in a line.
std::string costs_to_text(const Shape& shape, const Model& model);

Plan build(const Solver& solver, const Problem& problem, const Model& model);

Plan delegated(Kind kind);

} // namespace mpix::plan
