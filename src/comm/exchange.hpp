// SPDX-License-Identifier: BSD-3-Clause
//
// Small exchanges over the host among all ranks that take part in something. Plans move while a
// rank waits.
#pragma once

#include "host/failure.hpp"
#include "progress/waiting.hpp"

#include <vector>

namespace mpix::comm {

// Those, on an intercommunicator of both its groups.
struct AllRanks {
    MPI_Comm comm = MPI_COMM_NULL;
    int rank = 0;
    int ranks = 1;
};

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
void exchange(const AllRanks& all_ranks, const Value& own, std::vector<Value>& all) {
    MPI_Request request = MPI_REQUEST_NULL;
    host::check(persist([&] {
        return HOST(Iallgather)(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE,
                                all_ranks.comm, &request);
    }));
    host::check(progress::wait_for(request));
}

template<class Value>
std::vector<Value> exchange(const AllRanks& all_ranks, const Value& own) {
    std::vector<Value> all(static_cast<std::size_t>(all_ranks.ranks));
    exchange(all_ranks, own, all);
    return all;
}

// Combines in place. Not on the stack: any thread that moves the host writes them. Collective.
inline void combine(const AllRanks& all_ranks, void* values, int count, MPI_Datatype type,
                    MPI_Op op) {
    MPI_Request request = MPI_REQUEST_NULL;
    host::check(persist([&] {
        return HOST(Iallreduce)(MPI_IN_PLACE, values, count, type, op, all_ranks.comm, &request);
    }));
    host::check(progress::wait_for(request));
}

} // namespace mpix::comm
