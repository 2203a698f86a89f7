// SPDX-License-Identifier: BSD-3-Clause
//
// Places of blocks and their sizes, for all ranks. What is alike for all is not looked at one by
// one.
#pragma once

#include "plan/problem.hpp"

namespace mpix::plan {

Sizes sizes(const Blocks& blocks);
Bytes sum_of(const Sizes& sizes);
Bytes largest_of(const Sizes& sizes);
bool are_alike(const Sizes& sizes);

// The same bytes in the same order, in as few places as possible.
Blocks runs(const Blocks& places);
// They are a single run, whose blocks are alike.
bool are_gapless(const Blocks& places);

// `count` of the places, from number `first` on, going round at the end, in as few as possible.
Blocks around(const Blocks& places, int first, int count);

// Where `count` blocks from number `first` on begin when they follow one another, going round at
// the end; the last entry is the end of the last.
Sizes offsets(const Sizes& sizes, int first, int count);

// The blocks [from, to) of those offsets.
Place slice(const Place& whole, const Sizes& offsets, int from, int to);

// Places of those sizes, one after another in `whole`.
Blocks slices(const Place& whole, const Sizes& sizes);

} // namespace mpix::plan
