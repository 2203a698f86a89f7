// SPDX-License-Identifier: BSD-3-Clause
//
// Element-wise combination of two arrays of a built-in type: the arithmetic of reductions. No MPI
// here. Every level gives the same bits, save those of a NaN that a sum or a product yields.
#pragma once

#include "kernel/pairs.hpp"

namespace mpix::kernel {

// Null where there is no such pair: floats have no logical and no bit operators.
Combine find_combine(Element element, Operator op);

// What the loops are compiled for: the levels of the x86-64 psABI; elsewhere there is only `base`.
enum class Level { base, v2, v3, v4 };

// The highest that this machine runs. find_combine() takes its loops.
Level best_level();

// The loops of a level up to the best one, for tests.
Combine find_combine(Element element, Operator op, Level level);

} // namespace mpix::kernel
