// SPDX-License-Identifier: BSD-3-Clause
//
// Small exchanges among all ranks of a context, over the host. Plans move while a rank waits.
#pragma once

#include "host/failure.hpp"
#include "run/context.hpp"

#include <vector>

namespace mpix::run {

// A call that all ranks make: the others wait for this one, so what the host refuses is tried again
// before they are left alone.
template<class Call>
int persist(Call call) {
    constexpr int most_tries = 100;
    int code = call();
    for (int tries = 1; code != MPI_SUCCESS && tries < most_tries; ++tries) code = call();
    return code;
}

// What each rank gives, by rank, in memory that was had before the others are involved. Collective.
template<class Value>
void exchange(const Context& context, const Value& own, std::vector<Value>& all) {
    MPI_Request request = MPI_REQUEST_NULL;
    host::check(persist([&] {
        return HOST(Iallgather)(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE,
                                context.everyone(), &request);
    }));
    host::check(wait_for(request));
}

template<class Value>
std::vector<Value> exchange(const Context& context, const Value& own) {
    std::vector<Value> all(static_cast<std::size_t>(context.ranks_of_all));
    exchange(context, own, all);
    return all;
}

// Combines in place. Not on the stack: any thread that moves the host writes them. Collective.
inline void combine(const Context& context, void* values, int count, MPI_Datatype type, MPI_Op op) {
    MPI_Request request = MPI_REQUEST_NULL;
    host::check(persist([&] {
        return HOST(Iallreduce)(MPI_IN_PLACE, values, count, type, op, context.everyone(),
                                &request);
    }));
    host::check(wait_for(request));
}

} // namespace mpix::run
