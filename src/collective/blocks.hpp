// SPDX-License-Identifier: BSD-3-Clause
//
// Which rank has a block for which, on one group or between two, as far as the arguments of this
// rank say it.
#pragma once

#include "collective/translation.hpp"

namespace mpix::collective {

std::int64_t bytes_of(const Side& side, std::size_t block);

// Neighbourhoods have edges instead.
comm::SizeCheck pair_blocks(const Context& context, const Arguments& arguments);

// Says of a reduction what its ranks must agree on. Returns whether the op commutes.
bool describe_reduction(Facts& facts, MPI_Op op, MPI_Datatype type);

// The largest count or displacement, by its amount, that delegation hands to the host.
std::int64_t widest(const Arguments& arguments);

// What the ranks of two groups must agree on. Throws as agree() does. Collective.
Facts agree_between_groups(Context& context, const Arguments& arguments);

} // namespace mpix::collective
