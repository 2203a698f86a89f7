// SPDX-License-Identifier: BSD-3-Clause
//
// What there are loops for: pairs of a built-in type and an operator.
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

} // namespace mpix::kernel
