// SPDX-License-Identifier: BSD-3-Clause
// The table of collective calls that block: the host's own collectives, those of neighbourhoods,
// and the initialisation of a plan. In a rooted one the blocked rank is where it must wait.
#pragma once

#include <cctype>

#include "collectives/compare.hpp"
#include "progress/blocking_calls.hpp"

namespace mpitest {

// The blocking call of a row of the table of collectives. Processes of even rank block in a short
// one, the others in a long one.
inline void run_collective(const Collective& row, Scene& s) {
    const bool to_root =
        row.reduces || row.send == Layout::own || row.send == Layout::own_irregular;
    const bool is_bcast = std::string(row.name) == "bcast";
    Variant variant;
    variant.comm = s.comm;
    variant.count = s.middle % 2 == 0 ? 1 : 5'000;
    variant.root = to_root && !is_bcast ? s.blocked : s.partner;
    Bound bound = bind(row, variant);
    bound.point_at(bound.recv, row, variant);
    CHECK_MPI(row.blocking(bound.call));
}

// Two neighbours, two blocks of one int each.
struct Ring {
    MPI_Comm comm;
    int out[2] = {1, 2}, in[2] = {0, 0};
    int counts[2] = {1, 1}, displs[2] = {0, 1};
    MPI_Aint offsets[2] = {0, sizeof(int)};
    MPI_Datatype types[2] = {MPI_INT, MPI_INT};
};

template<class Call>
BlockingCall on_ring(const char* name, Call call) {
    const auto prepare = [](Scene& s) { relays().comm(s.middle, Form::ring); };
    const auto block = [call](Scene& s) {
        Ring ring{relays().comm(s.middle, Form::ring)};
        CHECK_MPI(call(ring));
    };
    return {name, block, nullptr, prepare};
}

inline const std::vector<BlockingCall> blocking_neighbourhoods = {
    on_ring("MPI_Neighbor_allgather",
            [](Ring& r) {
                return MPI_Neighbor_allgather(r.out, 1, MPI_INT, r.in, 1, MPI_INT, r.comm);
            }),
    on_ring("MPI_Neighbor_allgatherv",
            [](Ring& r) {
                return MPI_Neighbor_allgatherv(r.out, 1, MPI_INT, r.in, r.counts, r.displs, MPI_INT,
                                               r.comm);
            }),
    on_ring(
        "MPI_Neighbor_alltoall",
        [](Ring& r) { return MPI_Neighbor_alltoall(r.out, 1, MPI_INT, r.in, 1, MPI_INT, r.comm); }),
    on_ring("MPI_Neighbor_alltoallv",
            [](Ring& r) {
                return MPI_Neighbor_alltoallv(r.out, r.counts, r.displs, MPI_INT, r.in, r.counts,
                                              r.displs, MPI_INT, r.comm);
            }),
    on_ring("MPI_Neighbor_alltoallw",
            [](Ring& r) {
                return MPI_Neighbor_alltoallw(r.out, r.counts, r.offsets, r.types, r.in, r.counts,
                                              r.offsets, r.types, r.comm);
            }),
};

inline void init_barrier(MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Barrier_init(comm, MPI_INFO_NULL, &request));
    free_request(request);
}

inline const std::vector<BlockingCall> blocking_inits = {
    {"MPI_Barrier_init", [](Scene& s) { init_barrier(s.comm); }},
    {"MPI_Barrier_init on a new communicator", [](Scene& s) { init_barrier(s.made); }, nullptr,
     [](Scene& s) { CHECK_MPI(MPI_Comm_dup(s.comm, &s.made)); }, free_made},
};

inline std::vector<BlockingCall> blocking_collectives() {
    std::vector<BlockingCall> calls;
    for (const Collective& row : collectives) {
        std::string name = row.name;
        name[0] = static_cast<char>(std::toupper(name[0]));
        calls.push_back({"MPI_" + name, [&row](Scene& s) { run_collective(row, s); }});
    }
    calls.insert(calls.end(), blocking_neighbourhoods.begin(), blocking_neighbourhoods.end());
    calls.insert(calls.end(), blocking_inits.begin(), blocking_inits.end());
    return calls;
}

} // namespace mpitest
