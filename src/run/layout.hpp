// SPDX-License-Identifier: BSD-3-Clause
//
// What the library needs to know of a datatype, asked once at init.
#pragma once

#include "host/host.hpp"

#include <cstdint>

namespace mpix::run {

struct Layout {
    std::int64_t size = 0; // bytes of data in an element
    std::int64_t lb = 0;
    std::int64_t extent = 0;
    std::int64_t true_lb = 0;
    std::int64_t true_extent = 0;
    bool dense = false; // any number of elements is one run of bytes, in order, without gaps

    explicit Layout(MPI_Datatype type);
};

bool is_predefined_type(MPI_Datatype type);

} // namespace mpix::run
