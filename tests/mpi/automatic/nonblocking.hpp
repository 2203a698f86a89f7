// SPDX-License-Identifier: BSD-3-Clause
// The nonblocking calls of the collectives that may run on plans.
#pragma once

#include "collectives/compare.hpp"

namespace mpitest {

struct Nonblocking {
    const char* name;
    int (*begin)(const Call&, MPI_Request*);
};

inline const Nonblocking nonblocking_calls[] = {
    {"barrier", [](const Call& c, MPI_Request* r) { return MPI_Ibarrier(c.comm, r); }},
    {"bcast",
     [](const Call& c, MPI_Request* r) {
         return MPI_Ibcast(c.recv, bcast_count(c), bcast_type(c), c.root, c.comm, r);
     }},
    {"gather",
     [](const Call& c, MPI_Request* r) {
         return MPI_Igather(c.send, c.send_count, c.send_type, c.recv, c.recv_count, c.recv_type,
                            c.root, c.comm, r);
     }},
    {"scatter",
     [](const Call& c, MPI_Request* r) {
         return MPI_Iscatter(c.send, c.send_count, c.send_type, c.recv, c.recv_count, c.recv_type,
                             c.root, c.comm, r);
     }},
    {"allgather",
     [](const Call& c, MPI_Request* r) {
         return MPI_Iallgather(c.send, c.send_count, c.send_type, c.recv, c.recv_count, c.recv_type,
                               c.comm, r);
     }},
    {"allgatherv",
     [](const Call& c, MPI_Request* r) {
         return MPI_Iallgatherv(c.send, c.send_count, c.send_type, c.recv, c.recv_counts.data(),
                                c.recv_displs.data(), c.recv_type, c.comm, r);
     }},
    {"alltoall",
     [](const Call& c, MPI_Request* r) {
         return MPI_Ialltoall(c.send, c.send_count, c.send_type, c.recv, c.recv_count, c.recv_type,
                              c.comm, r);
     }},
    {"reduce",
     [](const Call& c, MPI_Request* r) {
         return MPI_Ireduce(c.send, c.recv, c.send_count, c.send_type, c.op, c.root, c.comm, r);
     }},
    {"allreduce",
     [](const Call& c, MPI_Request* r) {
         return MPI_Iallreduce(c.send, c.recv, c.send_count, c.send_type, c.op, c.comm, r);
     }},
    {"reduce_scatter",
     [](const Call& c, MPI_Request* r) {
         return MPI_Ireduce_scatter(c.send, c.recv, c.send_counts.data(), c.send_type, c.op, c.comm,
                                    r);
     }},
    {"reduce_scatter_block",
     [](const Call& c, MPI_Request* r) {
         return MPI_Ireduce_scatter_block(c.send, c.recv, c.recv_count, c.send_type, c.op, c.comm,
                                          r);
     }},
    {"scan",
     [](const Call& c, MPI_Request* r) {
         return MPI_Iscan(c.send, c.recv, c.send_count, c.send_type, c.op, c.comm, r);
     }},
    {"exscan",
     [](const Call& c, MPI_Request* r) {
         return MPI_Iexscan(c.send, c.recv, c.send_count, c.send_type, c.op, c.comm, r);
     }},
};

// Null for what never runs on a plan.
inline const Nonblocking* nonblocking_of(const Collective& row) {
    for (const Nonblocking& call : nonblocking_calls)
        if (std::string(call.name) == row.name) return &call;
    return nullptr;
}

} // namespace mpitest
