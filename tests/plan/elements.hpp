// SPDX-License-Identifier: BSD-3-Clause
//
// Elements of a reduction that know what they are: which of the vector, in which round, and which
// ranks they combine.
#pragma once

#include "plan/problem.hpp"

#include <string>

namespace mpix::plan::test {

inline constexpr Bytes element = 8; // the grain of reductions

// The elements from `first` on, with the ranks of `mask` combined.
void write_elements(std::byte* to, Bytes bytes, std::uint64_t mask, Bytes first, int round);

// inout = in (op) inout; what is wrong, or "".
std::string combine_elements(const std::byte* in, std::byte* inout, Bytes bytes, bool commutative);

} // namespace mpix::plan::test
