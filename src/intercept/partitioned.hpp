// SPDX-License-Identifier: BSD-3-Clause
//
// The partitioned collectives' inits: which arguments are significant where. Counts are of one
// partition.
#pragma once

#include "intercept/collectives.hpp"

namespace mpix::intercept {

using Counts = const MPI_Count*;
using Displacements = const MPI_Aint*;
using Types = const MPI_Datatype*;
using Parts = const int*;

template<class Read>
int parted_init(Collective collective, MPI_Comm comm, MPI_Info info, MPI_Request* request,
                Read read) {
    return init(plan::Call{collective, true}, comm, info, request, read);
}

inline int pbcast_init(void* buf, int parts, MPI_Count count, Type type, int root, MPI_Comm comm,
                       MPI_Info info, MPI_Request* request) {
    return parted_init(Collective::bcast, comm, info, request, [&](Reader& in) {
        in.root(root);
        in.parted_side(in.arguments.recv, buffer_names, buf, parts, count, type);
    });
}

inline int pgather_init(const void* sendbuf, int sendparts, MPI_Count sendcount, Type sendtype,
                        void* recvbuf, int recvparts, MPI_Count recvcount, Type recvtype, int root,
                        MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return parted_init(Collective::gather, comm, info, request, [&](Reader& in) {
        in.root(root);
        auto [send, recv] = in.sides();
        if (in.is_root()) in.parted_side(recv, recv_names, recvbuf, recvparts, recvcount, recvtype);
        if (!in.in_place(send, send_names, sendbuf, in.is_root()))
            in.parted_side(send, send_names, sendbuf, sendparts, sendcount, sendtype);
    });
}

inline int pgatherv_init(const void* sendbuf, int sendparts, MPI_Count sendcount, Type sendtype,
                         void* recvbuf, Parts recvparts, Counts recvcounts, Displacements displs,
                         Type recvtype, int root, MPI_Comm comm, MPI_Info info,
                         MPI_Request* request) {
    return parted_init(Collective::gatherv, comm, info, request, [&](Reader& in) {
        in.root(root);
        auto [send, recv] = in.sides();
        if (in.is_root())
            in.parted_side(recv, recv_names, recvbuf, in.ranks(), recvparts, recvcounts, displs,
                           {&recvtype, 1});
        if (!in.in_place(send, send_names, sendbuf, in.is_root()))
            in.parted_side(send, send_names, sendbuf, sendparts, sendcount, sendtype);
    });
}

inline int pscatter_init(const void* sendbuf, int sendparts, MPI_Count sendcount, Type sendtype,
                         void* recvbuf, int recvparts, MPI_Count recvcount, Type recvtype, int root,
                         MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return parted_init(Collective::scatter, comm, info, request, [&](Reader& in) {
        in.root(root);
        auto [send, recv] = in.sides();
        if (in.is_root()) in.parted_side(send, send_names, sendbuf, sendparts, sendcount, sendtype);
        if (!in.in_place(recv, recv_names, recvbuf, in.is_root()))
            in.parted_side(recv, recv_names, recvbuf, recvparts, recvcount, recvtype);
    });
}

inline int pscatterv_init(const void* sendbuf, Parts sendparts, Counts sendcounts,
                          Displacements displs, Type sendtype, void* recvbuf, int recvparts,
                          MPI_Count recvcount, Type recvtype, int root, MPI_Comm comm,
                          MPI_Info info, MPI_Request* request) {
    return parted_init(Collective::scatterv, comm, info, request, [&](Reader& in) {
        in.root(root);
        auto [send, recv] = in.sides();
        if (in.is_root())
            in.parted_side(send, send_names, sendbuf, in.ranks(), sendparts, sendcounts, displs,
                           {&sendtype, 1});
        if (!in.in_place(recv, recv_names, recvbuf, in.is_root()))
            in.parted_side(recv, recv_names, recvbuf, recvparts, recvcount, recvtype);
    });
}

inline int pscatterw_init(const void* sendbuf, Parts sendparts, Counts sendcounts,
                          Displacements sdispls, Types sendtypes, void* recvbuf, int recvparts,
                          MPI_Count recvcount, Type recvtype, int root, MPI_Comm comm,
                          MPI_Info info, MPI_Request* request) {
    return parted_init(Collective::scatterw, comm, info, request, [&](Reader& in) {
        in.root(root);
        auto [send, recv] = in.sides();
        send.in_bytes = true;
        if (in.is_root())
            in.parted_side(send, send_names, sendbuf, in.ranks(), sendparts, sendcounts, sdispls,
                           {sendtypes, in.ranks()});
        if (!in.in_place(recv, recv_names, recvbuf, in.is_root()))
            in.parted_side(recv, recv_names, recvbuf, recvparts, recvcount, recvtype);
    });
}

inline int pallgather_init(const void* sendbuf, int sendparts, MPI_Count sendcount, Type sendtype,
                           void* recvbuf, int recvparts, MPI_Count recvcount, Type recvtype,
                           MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return parted_init(Collective::allgather, comm, info, request, [&](Reader& in) {
        auto [send, recv] = in.sides();
        in.parted_side(recv, recv_names, recvbuf, recvparts, recvcount, recvtype);
        if (!in.in_place(send, send_names, sendbuf, true))
            in.parted_side(send, send_names, sendbuf, sendparts, sendcount, sendtype);
    });
}

inline int pallgatherv_init(const void* sendbuf, int sendparts, MPI_Count sendcount, Type sendtype,
                            void* recvbuf, Parts recvparts, Counts recvcounts, Displacements displs,
                            Type recvtype, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return parted_init(Collective::allgatherv, comm, info, request, [&](Reader& in) {
        auto [send, recv] = in.sides();
        in.parted_side(recv, recv_names, recvbuf, in.ranks(), recvparts, recvcounts, displs,
                       {&recvtype, 1});
        if (!in.in_place(send, send_names, sendbuf, true))
            in.parted_side(send, send_names, sendbuf, sendparts, sendcount, sendtype);
    });
}

inline int palltoall_init(const void* sendbuf, int sendparts, MPI_Count sendcount, Type sendtype,
                          void* recvbuf, int recvparts, MPI_Count recvcount, Type recvtype,
                          MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return parted_init(Collective::alltoall, comm, info, request, [&](Reader& in) {
        auto [send, recv] = in.sides();
        in.parted_side(recv, recv_names, recvbuf, recvparts, recvcount, recvtype);
        if (!in.in_place(send, send_names, sendbuf, true))
            in.parted_side(send, send_names, sendbuf, sendparts, sendcount, sendtype);
    });
}

inline int palltoallv_init(const void* sendbuf, Parts sendparts, Counts sendcounts,
                           Displacements sdispls, Type sendtype, void* recvbuf, Parts recvparts,
                           Counts recvcounts, Displacements rdispls, Type recvtype, MPI_Comm comm,
                           MPI_Info info, MPI_Request* request) {
    return parted_init(Collective::alltoallv, comm, info, request, [&](Reader& in) {
        auto [send, recv] = in.sides();
        in.parted_side(recv, recv_names, recvbuf, in.ranks(), recvparts, recvcounts, rdispls,
                       {&recvtype, 1});
        if (!in.in_place(send, send_names, sendbuf, true))
            in.parted_side(send, send_names, sendbuf, in.ranks(), sendparts, sendcounts, sdispls,
                           {&sendtype, 1});
    });
}

inline int palltoallw_init(const void* sendbuf, Parts sendparts, Counts sendcounts,
                           Displacements sdispls, Types sendtypes, void* recvbuf, Parts recvparts,
                           Counts recvcounts, Displacements rdispls, Types recvtypes, MPI_Comm comm,
                           MPI_Info info, MPI_Request* request) {
    return parted_init(Collective::alltoallw, comm, info, request, [&](Reader& in) {
        auto [send, recv] = in.sides();
        send.in_bytes = recv.in_bytes = true;
        in.parted_side(recv, recv_names, recvbuf, in.ranks(), recvparts, recvcounts, rdispls,
                       {recvtypes, in.ranks()});
        if (!in.in_place(send, send_names, sendbuf, true))
            in.parted_side(send, send_names, sendbuf, in.ranks(), sendparts, sendcounts, sdispls,
                           {sendtypes, in.ranks()});
    });
}

inline int preduce_init(const void* sendbuf, void* recvbuf, int parts, MPI_Count count, Type type,
                        MPI_Op op, int root, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return parted_init(Collective::reduce, comm, info, request, [&](Reader& in) {
        in.root(root);
        auto [send, recv] = in.sides();
        if (in.is_root()) in.parted_side(recv, reduce_recv_names, recvbuf, parts, count, type);
        if (!in.in_place(send, send_names, sendbuf, in.is_root()))
            in.parted_side(send, reduce_send_names, sendbuf, parts, count, type);
        in.op(op);
    });
}

// Reductions in which every rank has a result.
inline int parted_reduction(Collective collective, const void* sendbuf, void* recvbuf, int parts,
                            MPI_Count count, Type type, MPI_Op op, MPI_Comm comm, MPI_Info info,
                            MPI_Request* request) {
    return parted_init(collective, comm, info, request, [&](Reader& in) {
        auto [send, recv] = in.sides();
        in.parted_side(recv, reduce_recv_names, recvbuf, parts, count, type);
        if (!in.in_place(send, send_names, sendbuf, true))
            in.parted_side(send, reduce_send_names, sendbuf, parts, count, type);
        in.op(op);
    });
}

template<Collective collective>
constexpr auto parted_reducer = [](const void* sendbuf, void* recvbuf, int parts, MPI_Count count,
                                   Type type, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                   MPI_Request* request) {
    return parted_reduction(collective, sendbuf, recvbuf, parts, count, type, op, comm, info,
                            request);
};
inline constexpr auto pallreduce_init = parted_reducer<Collective::allreduce>;
inline constexpr auto preduce_scatter_block_init = parted_reducer<Collective::reduce_scatter_block>;
inline constexpr auto pscan_init = parted_reducer<Collective::scan>;
inline constexpr auto pexscan_init = parted_reducer<Collective::exscan>;

inline int preduce_scatter_init(const void* sendbuf, void* recvbuf, Parts parts, Counts recvcounts,
                                Type type, MPI_Op op, MPI_Comm comm, MPI_Info info,
                                MPI_Request* request) {
    return parted_init(Collective::reduce_scatter, comm, info, request, [&](Reader& in) {
        auto [send, recv] = in.sides();
        in.parted_segments(recv, recvbuf, parts, recvcounts, type);
        if (!in.in_place(send, send_names, sendbuf, true))
            in.parted_segments(send, sendbuf, parts, recvcounts, type);
        in.op(op);
    });
}

inline int pneighbor_allgather_init(const void* sendbuf, int sendparts, MPI_Count sendcount,
                                    Type sendtype, void* recvbuf, int recvparts,
                                    MPI_Count recvcount, Type recvtype, MPI_Comm comm,
                                    MPI_Info info, MPI_Request* request) {
    return parted_init(Collective::neighbor_allgather, comm, info, request, [&](Reader& in) {
        auto [send, recv] = in.sides();
        in.parted_side(recv, recv_names, recvbuf, recvparts, recvcount, recvtype);
        in.parted_side(send, send_names, sendbuf, sendparts, sendcount, sendtype);
    });
}

inline int pneighbor_allgatherv_init(const void* sendbuf, int sendparts, MPI_Count sendcount,
                                     Type sendtype, void* recvbuf, Parts recvparts,
                                     Counts recvcounts, Displacements displs, Type recvtype,
                                     MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return parted_init(Collective::neighbor_allgatherv, comm, info, request, [&](Reader& in) {
        auto [send, recv] = in.sides();
        in.parted_side(recv, recv_names, recvbuf, in.indegree(), recvparts, recvcounts, displs,
                       {&recvtype, 1});
        in.parted_side(send, send_names, sendbuf, sendparts, sendcount, sendtype);
    });
}

inline int pneighbor_alltoall_init(const void* sendbuf, int sendparts, MPI_Count sendcount,
                                   Type sendtype, void* recvbuf, int recvparts, MPI_Count recvcount,
                                   Type recvtype, MPI_Comm comm, MPI_Info info,
                                   MPI_Request* request) {
    return parted_init(Collective::neighbor_alltoall, comm, info, request, [&](Reader& in) {
        auto [send, recv] = in.sides();
        in.parted_side(recv, recv_names, recvbuf, recvparts, recvcount, recvtype);
        in.parted_side(send, send_names, sendbuf, sendparts, sendcount, sendtype);
    });
}

inline int pneighbor_alltoallv_init(const void* sendbuf, Parts sendparts, Counts sendcounts,
                                    Displacements sdispls, Type sendtype, void* recvbuf,
                                    Parts recvparts, Counts recvcounts, Displacements rdispls,
                                    Type recvtype, MPI_Comm comm, MPI_Info info,
                                    MPI_Request* request) {
    return parted_init(Collective::neighbor_alltoallv, comm, info, request, [&](Reader& in) {
        auto [send, recv] = in.sides();
        in.parted_side(recv, recv_names, recvbuf, in.indegree(), recvparts, recvcounts, rdispls,
                       {&recvtype, 1});
        in.parted_side(send, send_names, sendbuf, in.outdegree(), sendparts, sendcounts, sdispls,
                       {&sendtype, 1});
    });
}

inline int pneighbor_alltoallw_init(const void* sendbuf, Parts sendparts, Counts sendcounts,
                                    Displacements sdispls, Types sendtypes, void* recvbuf,
                                    Parts recvparts, Counts recvcounts, Displacements rdispls,
                                    Types recvtypes, MPI_Comm comm, MPI_Info info,
                                    MPI_Request* request) {
    return parted_init(Collective::neighbor_alltoallw, comm, info, request, [&](Reader& in) {
        auto [send, recv] = in.sides();
        send.in_bytes = recv.in_bytes = true;
        in.parted_side(recv, recv_names, recvbuf, in.indegree(), recvparts, recvcounts, rdispls,
                       {recvtypes, in.indegree()});
        in.parted_side(send, send_names, sendbuf, in.outdegree(), sendparts, sendcounts, sdispls,
                       {sendtypes, in.outdegree()});
    });
}

} // namespace mpix::intercept
