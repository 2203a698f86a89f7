// SPDX-License-Identifier: BSD-3-Clause
// The table of collectives on ordinary communicators: the blocking call, the persistent one, the
// one with large counts. A row says how its buffers are laid out and where MPI allows MPI_IN_PLACE;
// tests walk the table.
#pragma once

#include "common/call.hpp"

namespace mpitest {

enum class InPlace { nowhere, send_at_root, recv_at_root, everywhere };

struct Collective {
    const char* name;
    Layout send, recv;
    bool rooted, reduces;
    InPlace in_place;
    int (*blocking)(const Call&);
    int (*persistent)(const Call&, MPI_Request*);
    int (*persistent_c)(const Call&, MPI_Request*);
};

// The tail that every persistent initialisation shares.
#define MPIX_TEST_TAIL c.comm, MPI_INFO_NULL, r

inline int bcast_count(const Call& c) { return c.at_root() ? c.send_count : c.recv_count; }
inline MPI_Datatype bcast_type(const Call& c) { return c.at_root() ? c.send_type : c.recv_type; }

inline const Collective collectives[] = {
    {"barrier", Layout::none, Layout::none, false, false, InPlace::nowhere,
     [](const Call& c) { return MPI_Barrier(c.comm); },
     [](const Call& c, MPI_Request* r) { return MPI_Barrier_init(MPIX_TEST_TAIL); },
     [](const Call& c, MPI_Request* r) { return MPI_Barrier_init(MPIX_TEST_TAIL); }},
    {"bcast", Layout::own, Layout::own, true, false, InPlace::nowhere,
     [](const Call& c) { return MPI_Bcast(c.recv, bcast_count(c), bcast_type(c), c.root, c.comm); },
     [](const Call& c, MPI_Request* r) {
         return MPI_Bcast_init(c.recv, bcast_count(c), bcast_type(c), c.root, MPIX_TEST_TAIL);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Bcast_init_c(c.recv, bcast_count(c), bcast_type(c), c.root, MPIX_TEST_TAIL);
     }},
    {"gather", Layout::own, Layout::all, true, false, InPlace::send_at_root,
     [](const Call& c) {
         return MPI_Gather(c.send, c.send_count, c.send_type, c.recv, c.recv_count, c.recv_type,
                           c.root, c.comm);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Gather_init(c.send, c.send_count, c.send_type, c.recv, c.recv_count,
                                c.recv_type, c.root, MPIX_TEST_TAIL);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Gather_init_c(c.send, c.send_count, c.send_type, c.recv, c.recv_count,
                                  c.recv_type, c.root, MPIX_TEST_TAIL);
     }},
    {"gatherv", Layout::own_irregular, Layout::all_irregular, true, false, InPlace::send_at_root,
     [](const Call& c) {
         return MPI_Gatherv(c.send, c.send_count, c.send_type, c.recv, c.recv_counts.data(),
                            c.recv_displs.data(), c.recv_type, c.root, c.comm);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Gatherv_init(c.send, c.send_count, c.send_type, c.recv, c.recv_counts.data(),
                                 c.recv_displs.data(), c.recv_type, c.root, MPIX_TEST_TAIL);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Gatherv_init_c(c.send, c.send_count, c.send_type, c.recv,
                                   c.recv_counts_c.data(), c.recv_displs_c.data(), c.recv_type,
                                   c.root, MPIX_TEST_TAIL);
     }},
    {"scatter", Layout::all, Layout::own, true, false, InPlace::recv_at_root,
     [](const Call& c) {
         return MPI_Scatter(c.send, c.send_count, c.send_type, c.recv, c.recv_count, c.recv_type,
                            c.root, c.comm);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Scatter_init(c.send, c.send_count, c.send_type, c.recv, c.recv_count,
                                 c.recv_type, c.root, MPIX_TEST_TAIL);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Scatter_init_c(c.send, c.send_count, c.send_type, c.recv, c.recv_count,
                                   c.recv_type, c.root, MPIX_TEST_TAIL);
     }},
    {"scatterv", Layout::all_irregular, Layout::own_irregular, true, false, InPlace::recv_at_root,
     [](const Call& c) {
         return MPI_Scatterv(c.send, c.send_counts.data(), c.send_displs.data(), c.send_type,
                             c.recv, c.recv_count, c.recv_type, c.root, c.comm);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Scatterv_init(c.send, c.send_counts.data(), c.send_displs.data(), c.send_type,
                                  c.recv, c.recv_count, c.recv_type, c.root, MPIX_TEST_TAIL);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Scatterv_init_c(c.send, c.send_counts_c.data(), c.send_displs_c.data(),
                                    c.send_type, c.recv, c.recv_count, c.recv_type, c.root,
                                    MPIX_TEST_TAIL);
     }},
    {"allgather", Layout::own, Layout::all, false, false, InPlace::everywhere,
     [](const Call& c) {
         return MPI_Allgather(c.send, c.send_count, c.send_type, c.recv, c.recv_count, c.recv_type,
                              c.comm);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Allgather_init(c.send, c.send_count, c.send_type, c.recv, c.recv_count,
                                   c.recv_type, MPIX_TEST_TAIL);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Allgather_init_c(c.send, c.send_count, c.send_type, c.recv, c.recv_count,
                                     c.recv_type, MPIX_TEST_TAIL);
     }},
    {"allgatherv", Layout::own_irregular, Layout::all_irregular, false, false, InPlace::everywhere,
     [](const Call& c) {
         return MPI_Allgatherv(c.send, c.send_count, c.send_type, c.recv, c.recv_counts.data(),
                               c.recv_displs.data(), c.recv_type, c.comm);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Allgatherv_init(c.send, c.send_count, c.send_type, c.recv, c.recv_counts.data(),
                                    c.recv_displs.data(), c.recv_type, MPIX_TEST_TAIL);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Allgatherv_init_c(c.send, c.send_count, c.send_type, c.recv,
                                      c.recv_counts_c.data(), c.recv_displs_c.data(), c.recv_type,
                                      MPIX_TEST_TAIL);
     }},
    {"alltoall", Layout::all, Layout::all, false, false, InPlace::everywhere,
     [](const Call& c) {
         return MPI_Alltoall(c.send, c.send_count, c.send_type, c.recv, c.recv_count, c.recv_type,
                             c.comm);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Alltoall_init(c.send, c.send_count, c.send_type, c.recv, c.recv_count,
                                  c.recv_type, MPIX_TEST_TAIL);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Alltoall_init_c(c.send, c.send_count, c.send_type, c.recv, c.recv_count,
                                    c.recv_type, MPIX_TEST_TAIL);
     }},
    {"alltoallv", Layout::mesh, Layout::mesh, false, false, InPlace::everywhere,
     [](const Call& c) {
         return MPI_Alltoallv(c.send, c.send_counts.data(), c.send_displs.data(), c.send_type,
                              c.recv, c.recv_counts.data(), c.recv_displs.data(), c.recv_type,
                              c.comm);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Alltoallv_init(c.send, c.send_counts.data(), c.send_displs.data(), c.send_type,
                                   c.recv, c.recv_counts.data(), c.recv_displs.data(), c.recv_type,
                                   MPIX_TEST_TAIL);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Alltoallv_init_c(c.send, c.send_counts_c.data(), c.send_displs_c.data(),
                                     c.send_type, c.recv, c.recv_counts_c.data(),
                                     c.recv_displs_c.data(), c.recv_type, MPIX_TEST_TAIL);
     }},
    {"alltoallw", Layout::mesh, Layout::mesh, false, false, InPlace::everywhere,
     [](const Call& c) {
         return MPI_Alltoallw(c.send, c.send_counts.data(), c.send_offsets.data(),
                              c.send_types.data(), c.recv, c.recv_counts.data(),
                              c.recv_offsets.data(), c.recv_types.data(), c.comm);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Alltoallw_init(c.send, c.send_counts.data(), c.send_offsets.data(),
                                   c.send_types.data(), c.recv, c.recv_counts.data(),
                                   c.recv_offsets.data(), c.recv_types.data(), MPIX_TEST_TAIL);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Alltoallw_init_c(c.send, c.send_counts_c.data(), c.send_offsets_c.data(),
                                     c.send_types.data(), c.recv, c.recv_counts_c.data(),
                                     c.recv_offsets_c.data(), c.recv_types.data(), MPIX_TEST_TAIL);
     }},
    {"reduce", Layout::own, Layout::own, true, true, InPlace::send_at_root,
     [](const Call& c) {
         return MPI_Reduce(c.send, c.recv, c.send_count, c.send_type, c.op, c.root, c.comm);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Reduce_init(c.send, c.recv, c.send_count, c.send_type, c.op, c.root,
                                MPIX_TEST_TAIL);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Reduce_init_c(c.send, c.recv, c.send_count, c.send_type, c.op, c.root,
                                  MPIX_TEST_TAIL);
     }},
    {"allreduce", Layout::own, Layout::own, false, true, InPlace::everywhere,
     [](const Call& c) {
         return MPI_Allreduce(c.send, c.recv, c.send_count, c.send_type, c.op, c.comm);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Allreduce_init(c.send, c.recv, c.send_count, c.send_type, c.op, MPIX_TEST_TAIL);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Allreduce_init_c(c.send, c.recv, c.send_count, c.send_type, c.op,
                                     MPIX_TEST_TAIL);
     }},
    {"reduce_scatter", Layout::packed_irregular, Layout::own_irregular, false, true,
     InPlace::everywhere,
     [](const Call& c) {
         return MPI_Reduce_scatter(c.send, c.recv, c.send_counts.data(), c.send_type, c.op, c.comm);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Reduce_scatter_init(c.send, c.recv, c.send_counts.data(), c.send_type, c.op,
                                        MPIX_TEST_TAIL);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Reduce_scatter_init_c(c.send, c.recv, c.send_counts_c.data(), c.send_type, c.op,
                                          MPIX_TEST_TAIL);
     }},
    {"reduce_scatter_block", Layout::all, Layout::own, false, true, InPlace::everywhere,
     [](const Call& c) {
         return MPI_Reduce_scatter_block(c.send, c.recv, c.recv_count, c.send_type, c.op, c.comm);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Reduce_scatter_block_init(c.send, c.recv, c.recv_count, c.send_type, c.op,
                                              MPIX_TEST_TAIL);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Reduce_scatter_block_init_c(c.send, c.recv, c.recv_count, c.send_type, c.op,
                                                MPIX_TEST_TAIL);
     }},
    {"scan", Layout::own, Layout::own, false, true, InPlace::everywhere,
     [](const Call& c) {
         return MPI_Scan(c.send, c.recv, c.send_count, c.send_type, c.op, c.comm);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Scan_init(c.send, c.recv, c.send_count, c.send_type, c.op, MPIX_TEST_TAIL);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Scan_init_c(c.send, c.recv, c.send_count, c.send_type, c.op, MPIX_TEST_TAIL);
     }},
    {"exscan", Layout::own, Layout::own, false, true, InPlace::everywhere,
     [](const Call& c) {
         return MPI_Exscan(c.send, c.recv, c.send_count, c.send_type, c.op, c.comm);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Exscan_init(c.send, c.recv, c.send_count, c.send_type, c.op, MPIX_TEST_TAIL);
     },
     [](const Call& c, MPI_Request* r) {
         return MPI_Exscan_init_c(c.send, c.recv, c.send_count, c.send_type, c.op, MPIX_TEST_TAIL);
     }},
};

#undef MPIX_TEST_TAIL

} // namespace mpitest
