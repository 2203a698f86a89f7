// SPDX-License-Identifier: BSD-3-Clause
//
// A vector that goes from rank to rank in segments: every rank passes a segment on while it
// receives the next. How many segments there are, and what that costs. A
// piece of a vector is one.
#pragma once

#include "plan/model.hpp"
#include "plan/problem.hpp"

namespace mpix::plan {

// `work_us`: what a rank does with a byte before it passes it on.
int pipeline_segments(const Shape& shape, const Model& model, double work_us);
double cost_of_pipeline(const Shape& shape, const Model& model, double work_us);

} // namespace mpix::plan
