// SPDX-License-Identifier: BSD-3-Clause
//
// The agreement of an init: one small nonblocking allreduce on the shadow communicator. It finds
// out whether all ranks called the same thing, and gives them the facts that a common choice
// depends on.
#pragma once

#include "run/context.hpp"

#include <cstdint>
#include <vector>

namespace mpix::run {

struct Facts {
    // Must be equal on every rank.
    std::int64_t collective = 0;
    std::int64_t root = 0;
    std::int64_t commutative = 0;
    std::int64_t bytes = 0; // of the whole operation where every rank knows them, else 0
    // The largest on any rank is taken.
    std::int64_t total = 0;
    std::int64_t largest = 0;
};

// Makes total and largest the largest of all ranks. Throws where ranks disagree, the same error on
// each of them. Collective.
void agree(Context& context, Facts& facts);

// The value that every rank gives, by rank. Collective.
std::vector<std::int64_t> exchange(Context& context, std::int64_t own);

} // namespace mpix::run
