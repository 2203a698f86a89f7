// SPDX-License-Identifier: BSD-3-Clause
//
// Element-wise combination of two arrays of a built-in type: the arithmetic of reductions. No MPI
// here. Every level gives the same bits, save those of a NaN that a sum or a product yields.
#pragma once

#include <cstddef>

namespace mpix::kernel {

enum class Element { i8, i16, i32, i64, u8, u16, u32, u64, f32, f64 };
inline constexpr std::size_t elements = 10;

enum class Operator {
    sum, // integers wrap around, in products too
    product,
    minimum,     // right < left ? right : left, so left where one is a NaN or both are zeros
    maximum,     // right > left ? right : left, likewise
    logical_and, // anything but 0 is true; yields 0 or 1
    logical_or,
    logical_xor,
    bit_and,
    bit_or,
    bit_xor
};
inline constexpr std::size_t operators = 10;

// to[i] = left[i] op right[i]. `to` may be left or right or both; otherwise it overlaps neither.
// Any alignment.
using Combine = void (*)(const void* left, const void* right, void* to, std::size_t count);

// Null where there is no such pair: floats have no logical and no bit operators.
Combine find_combine(Element element, Operator op);

// What the loops are compiled for: the levels of the x86-64 psABI; elsewhere there is only `base`.
enum class Level { base, v2, v3, v4 };

// The highest that this machine runs. find_combine() takes its loops.
Level best_level();

// The loops of a level up to the best one, for tests.
Combine find_combine(Element element, Operator op, Level level);

} // namespace mpix::kernel
