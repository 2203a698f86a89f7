// SPDX-License-Identifier: BSD-3-Clause
//
// How many nodes the ranks of a shape are on, and how many ranks they have.
#pragma once

#include "plan/problem.hpp"

namespace mpix::plan {

int count_nodes(const Shape& shape); // 0 if the shape does not say
int largest_node(const Shape& shape);
int smallest_node(const Shape& shape);

} // namespace mpix::plan
