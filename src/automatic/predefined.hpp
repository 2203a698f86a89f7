// SPDX-License-Identifier: BSD-3-Clause
//
// The predefined datatypes without gaps, to be looked up in every call.
#pragma once

#include "host/symbols.hpp"

#include <cstdint>

namespace mpix::automatic {

struct Predefined {
    int size = 0;
    // Of reductions: a number that is equal for types which are combined alike, the operations that
    // a kernel does on it, a bit each by their number, and whether their order shows in the bits.
    std::int16_t element = -1;
    std::uint32_t ops = 0;
    bool order_shows = false;
};

// Null for a type with gaps or one of the program's own. Any thread.
const Predefined* find_predefined(MPI_Datatype type);

} // namespace mpix::automatic
