// SPDX-License-Identifier: BSD-3-Clause
//
// One loop for each operation and width; the compiler vectorises them.
#include "host/unsigned_reduction.hpp"

namespace mpix::host {
namespace {

// Bytes of an unsigned integer type, 0 for any other type.
int unsigned_width(MPI_Datatype type) {
    if (type == MPI_UNSIGNED_CHAR || type == MPI_UINT8_T) return 1;
    if (type == MPI_UNSIGNED_SHORT || type == MPI_UINT16_T) return 2;
    if (type == MPI_UNSIGNED || type == MPI_UINT32_T) return 4;
    if (type == MPI_UINT64_T || type == MPI_UNSIGNED_LONG_LONG) return 8;
    if (type == MPI_UNSIGNED_LONG) return sizeof(unsigned long);
    return 0;
}

template<class T>
void reduce(const void* in, void* inout, int count, MPI_Op op) {
    const T* const from = static_cast<const T*>(in);
    T* const to = static_cast<T*>(inout);
    if (op == MPI_SUM)
        for (int i = 0; i < count; ++i) to[i] = static_cast<T>(to[i] + from[i]);
    else if (op == MPI_MIN)
        for (int i = 0; i < count; ++i) to[i] = from[i] < to[i] ? from[i] : to[i];
    else
        for (int i = 0; i < count; ++i) to[i] = from[i] > to[i] ? from[i] : to[i];
}

} // namespace

bool reduce_unsigned(const void* in, void* inout, int count, MPI_Datatype type, MPI_Op op) {
    if (op != MPI_SUM && op != MPI_MIN && op != MPI_MAX) return false;
    switch (unsigned_width(type)) {
    case 1: reduce<std::uint8_t>(in, inout, count, op); return true;
    case 2: reduce<std::uint16_t>(in, inout, count, op); return true;
    case 4: reduce<std::uint32_t>(in, inout, count, op); return true;
    case 8: reduce<std::uint64_t>(in, inout, count, op); return true;
    default: return false;
    }
}

} // namespace mpix::host
