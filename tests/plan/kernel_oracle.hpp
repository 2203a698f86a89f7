// SPDX-License-Identifier: BSD-3-Clause
//
// What a kernel should yield for one pair of elements, computed in other ways than the kernels do:
// integers in 128 bits, bits by truth table, floats in more digits than any result needs.
#pragma once

#include "kernel/combine.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <type_traits>

namespace mpix::kernel::test {

__extension__ typedef __int128 Wide;
#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 Exact;
#else
typedef long double Exact;
#endif

// Bit 2 * left + right of the number is the result.
inline unsigned truth_table(Operator op) {
    switch (op) {
    case Operator::logical_and:
    case Operator::bit_and: return 0b1000;
    case Operator::logical_or:
    case Operator::bit_or: return 0b1110;
    default: return 0b0110;
    }
}

inline unsigned looked_up(Operator op, bool left, bool right) {
    return truth_table(op) >> (2 * left + right) & 1;
}

template<class T>
T bit_by_bit(Operator op, T left, T right) {
    Wide result = 0;
    for (unsigned bit = 0; bit < 8 * sizeof(T); ++bit)
        result |= Wide{looked_up(op, left >> bit & 1, right >> bit & 1)} << bit;
    return static_cast<T>(result);
}

// The cast drops the high bits.
template<class T>
T whole_result(Operator op, T left, T right) {
    const Wide a = left, b = right, apart = a < b ? b - a : a - b;
    switch (op) {
    case Operator::sum: return static_cast<T>(a + b);
    case Operator::product: return static_cast<T>(a * b);
    case Operator::minimum: return static_cast<T>((a + b - apart) / 2);
    case Operator::maximum: return static_cast<T>((a + b + apart) / 2);
    case Operator::logical_and:
    case Operator::logical_or:
    case Operator::logical_xor: return static_cast<T>(looked_up(op, left != 0, right != 0));
    default: return bit_by_bit(op, left, right);
    }
}

// Numbers in the order of the floats, both zeros being 0.
template<class T>
Wide place(T value) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
    const Bits bits = std::bit_cast<Bits>(value);
    return bits >= 0 ? Wide{bits} : Wide{std::numeric_limits<Bits>::min()} - bits;
}

// Twice the digits of T and two more: to round once more to T changes nothing.
template<class T>
T float_result(Operator op, T left, T right) {
    static_assert(sizeof(Exact) == 16);
    const bool ordered = !std::isnan(left) && !std::isnan(right);
    switch (op) {
    case Operator::sum: return static_cast<T>(Exact{left} + Exact{right});
    case Operator::product: return static_cast<T>(Exact{left} * Exact{right});
    case Operator::minimum: return ordered && place(right) < place(left) ? right : left;
    default: return ordered && place(right) > place(left) ? right : left;
    }
}

template<class T>
T result(Operator op, T left, T right) {
    if constexpr (std::is_floating_point_v<T>)
        return float_result(op, left, right);
    else
        return whole_result(op, left, right);
}

} // namespace mpix::kernel::test
