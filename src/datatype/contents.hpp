// SPDX-License-Identifier: BSD-3-Clause
//
// How a datatype was made: its constructor and what that was called with.
#pragma once

#include "host/host.hpp"

#include <cstdint>
#include <vector>

namespace mpix::datatype {

// One level of a type's construction. The numbers are those of MPI-4.1 section 5.1.13 in the order
// of the constructor's arguments, whether it was called with ints, addresses or large counts:
//   contiguous             count
//   vector, hvector        count, block length, stride
//   indexed, hindexed      count, lengths..., displacements...
//   (h)indexed_block       count, block length, displacements...
//   struct                 count, lengths..., displacements...
//   subarray               dimensions, sizes..., subsizes..., starts..., order
//   darray                 size, rank, dimensions, gsizes..., distribs..., dargs..., psizes...,
//                          order
struct Contents {
    int combiner = MPI_COMBINER_NAMED;
    std::vector<std::int64_t> numbers;
    std::vector<MPI_Datatype> types;

    explicit Contents(MPI_Datatype type);
    ~Contents();
    Contents(const Contents&) = delete;
    Contents& operator=(const Contents&) = delete;
};

bool is_predefined_type(MPI_Datatype type);

} // namespace mpix::datatype
