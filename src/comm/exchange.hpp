// SPDX-License-Identifier: BSD-3-Clause
//
// Small exchanges over the host among ranks that take part in something, on a communicator of ours.
// Plans move while a rank waits. Each rank sends and receives as many messages as the number of
// ranks has bits.
#pragma once

#include "host/failure.hpp"
#include "progress/waiting.hpp"

#include <vector>

namespace mpix::comm {

// All of them, on an intercommunicator of both its groups; or those in a list.
struct Ranks {
    MPI_Comm comm = MPI_COMM_NULL;
    int self = 0; // the position of this rank
    int count = 1;
    const int* list = nullptr;

    int at(int position) const { return list ? list[position] : position; }
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

// What each rank gives, by position, in memory that was had before the others are involved.
// Collective. J. Bruck et al., "Efficient algorithms for all-to-all communications in multiport
// message-passing systems", 1997.
void exchange(const Ranks& ranks, const void* own, std::size_t bytes, std::byte* all);

template<class Value>
void exchange(const Ranks& ranks, const Value& own, std::vector<Value>& all) {
    static_assert(std::is_trivially_copyable_v<Value>);
    exchange(ranks, &own, sizeof own, reinterpret_cast<std::byte*>(all.data()));
}

template<class Value>
std::vector<Value> exchange(const Ranks& ranks, const Value& own) {
    std::vector<Value> all(static_cast<std::size_t>(ranks.count));
    exchange(ranks, own, all);
    return all;
}

// Combines in place, on all ranks of the communicator. Not on the stack: any thread that moves the
// host writes them. Collective.
inline void combine(const Ranks& ranks, void* values, int count, MPI_Datatype type, MPI_Op op) {
    MPI_Request request = MPI_REQUEST_NULL;
    host::check(persist([&] {
        return HOST(Iallreduce)(MPI_IN_PLACE, values, count, type, op, ranks.comm, &request);
    }));
    host::check(progress::wait_for(request));
}

} // namespace mpix::comm
