// SPDX-License-Identifier: BSD-3-Clause
//
// Datatypes of the program's own, which may be what a predefined one is: one run of bytes, in
// order.
#pragma once

#include "host/symbols.hpp"

#include <cstdint>

namespace mpix::automatic {

struct Derived {
    std::int64_t size = 0;
    bool is_dense = false;
};

// Taken apart at its first call, and kept as an attribute of the type. Any thread. Throws Failure,
// bad_alloc.
Derived derived_of(MPI_Datatype type);

void forget_derived(); // at the end of MPI

} // namespace mpix::automatic
