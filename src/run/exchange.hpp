// SPDX-License-Identifier: BSD-3-Clause
//
// Small exchanges among all ranks of a context, over the host. Plans move while a rank waits.
#pragma once

#include "run/context.hpp"
#include "run/failure.hpp"

#include <vector>

namespace mpix::run {

// What each rank gives, by rank. Collective.
template<class Value>
std::vector<Value> exchange(const Context& context, const Value& own) {
    std::vector<Value> all(static_cast<std::size_t>(context.ranks_of_all));
    MPI_Request request = MPI_REQUEST_NULL;
    check(HOST(Iallgather)(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE,
                           context.everyone(), &request));
    check(wait_for(request));
    return all;
}

// Combines in place. Not on the stack: any thread that moves the host writes them. Collective.
inline void combine(const Context& context, void* values, int count, MPI_Datatype type, MPI_Op op) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(HOST(Iallreduce)(MPI_IN_PLACE, values, count, type, op, context.everyone(), &request));
    check(wait_for(request));
}

} // namespace mpix::run
