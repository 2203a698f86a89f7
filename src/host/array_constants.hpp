// SPDX-License-Identifier: BSD-3-Clause
//
// The constants in what MPI_Type_get_contents tells of subarrays and darrays. Through the
// standard's ABI Open MPI 6.0.0rc2 tells those of its own mpi.h, which are none of the ABI's.
#pragma once

#include "host/symbols.hpp"

#include <cstdint>

namespace mpix::host {

inline bool is_either(std::int64_t told, std::int64_t standard, std::int64_t open_mpi) {
    return told == standard || (BUILT_FOR_abi && told == open_mpi);
}

inline bool is_fortran_order(std::int64_t order) { return is_either(order, MPI_ORDER_FORTRAN, 1); }
inline bool is_block(std::int64_t distribution) {
    return is_either(distribution, MPI_DISTRIBUTE_BLOCK, 0);
}
inline bool is_undistributed(std::int64_t distribution) {
    return is_either(distribution, MPI_DISTRIBUTE_NONE, 2);
}
inline bool is_default(std::int64_t argument) {
    return is_either(argument, MPI_DISTRIBUTE_DFLT_DARG, -1);
}

} // namespace mpix::host
