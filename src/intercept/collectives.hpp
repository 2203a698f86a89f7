// SPDX-License-Identifier: BSD-3-Clause
//
// The persistent collectives' inits: which arguments are significant where, and where in place is
// allowed. Count is int, or MPI_Count in the _c forms; displacements are int or MPI_Aint.
#pragma once

#include "intercept/reader.hpp"

namespace mpix::intercept {

// A function that reads arguments, by reference: a std::function would allocate outside of init().
struct Reading {
    void* function;
    void (*call)(void* function, Reader& reader);
};

// Reads, checks and plans; raises errors; sets *request on success.
int init(plan::Call call, MPI_Comm comm, MPI_Info info, MPI_Request* request, Reading reading);

template<class Read>
int init(plan::Call call, MPI_Comm comm, MPI_Info info, MPI_Request* request, Read read) {
    const auto read_all = [](void* function, Reader& reader) {
        (*static_cast<Read*>(function))(reader);
    };
    return init(call, comm, info, request, Reading{&read, read_all});
}

template<class Read>
int init(Collective collective, MPI_Comm comm, MPI_Info info, MPI_Request* request, Read read) {
    return init(plan::Call{collective, false}, comm, info, request, read);
}

using Type = MPI_Datatype;

inline int barrier_init(MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return init(Collective::barrier, comm, info, request, [](Reader&) {});
}

template<class Count>
int bcast_init(void* buffer, Count count, Type type, int root, MPI_Comm comm, MPI_Info info,
               MPI_Request* request) {
    return init(Collective::bcast, comm, info, request, [&](Reader& in) {
        in.root(root);
        if (in.is_root() || in.sends_to_root())
            in.side(in.arguments.recv, buffer_names, buffer, count, type);
    });
}

template<class Count>
int gather_init(const void* sendbuf, Count sendcount, Type sendtype, void* recvbuf, Count recvcount,
                Type recvtype, int root, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return init(Collective::gather, comm, info, request, [&](Reader& in) {
        in.root(root);
        auto [send, recv] = in.sides();
        if (in.is_root()) in.side(recv, recv_names, recvbuf, recvcount, recvtype);
        if (in.sends_to_root() && !in.in_place(send, send_names, sendbuf, in.is_root()))
            in.side(send, send_names, sendbuf, sendcount, sendtype);
    });
}

template<class Count, class Displacement>
int gatherv_init(const void* sendbuf, Count sendcount, Type sendtype, void* recvbuf,
                 const Count recvcounts[], const Displacement displs[], Type recvtype, int root,
                 MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return init(Collective::gatherv, comm, info, request, [&](Reader& in) {
        in.root(root);
        auto [send, recv] = in.sides();
        if (in.is_root())
            in.side(recv, recv_names, recvbuf, in.ranks(), recvcounts, displs, {&recvtype, 1});
        if (in.sends_to_root() && !in.in_place(send, send_names, sendbuf, in.is_root()))
            in.side(send, send_names, sendbuf, sendcount, sendtype);
    });
}

template<class Count>
int scatter_init(const void* sendbuf, Count sendcount, Type sendtype, void* recvbuf,
                 Count recvcount, Type recvtype, int root, MPI_Comm comm, MPI_Info info,
                 MPI_Request* request) {
    return init(Collective::scatter, comm, info, request, [&](Reader& in) {
        in.root(root);
        auto [send, recv] = in.sides();
        if (in.is_root()) in.side(send, send_names, sendbuf, sendcount, sendtype);
        if (in.sends_to_root() && !in.in_place(recv, recv_names, recvbuf, in.is_root()))
            in.side(recv, recv_names, recvbuf, recvcount, recvtype);
    });
}

template<class Count, class Displacement>
int scatterv_init(const void* sendbuf, const Count sendcounts[], const Displacement displs[],
                  Type sendtype, void* recvbuf, Count recvcount, Type recvtype, int root,
                  MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return init(Collective::scatterv, comm, info, request, [&](Reader& in) {
        in.root(root);
        auto [send, recv] = in.sides();
        if (in.is_root())
            in.side(send, send_names, sendbuf, in.ranks(), sendcounts, displs, {&sendtype, 1});
        if (in.sends_to_root() && !in.in_place(recv, recv_names, recvbuf, in.is_root()))
            in.side(recv, recv_names, recvbuf, recvcount, recvtype);
    });
}

template<class Count>
int allgather_init(const void* sendbuf, Count sendcount, Type sendtype, void* recvbuf,
                   Count recvcount, Type recvtype, MPI_Comm comm, MPI_Info info,
                   MPI_Request* request) {
    return init(Collective::allgather, comm, info, request, [&](Reader& in) {
        auto [send, recv] = in.sides();
        in.side(recv, recv_names, recvbuf, recvcount, recvtype);
        if (!in.in_place(send, send_names, sendbuf, true))
            in.side(send, send_names, sendbuf, sendcount, sendtype);
    });
}

template<class Count, class Displacement>
int allgatherv_init(const void* sendbuf, Count sendcount, Type sendtype, void* recvbuf,
                    const Count recvcounts[], const Displacement displs[], Type recvtype,
                    MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return init(Collective::allgatherv, comm, info, request, [&](Reader& in) {
        auto [send, recv] = in.sides();
        in.side(recv, recv_names, recvbuf, in.ranks(), recvcounts, displs, {&recvtype, 1});
        if (!in.in_place(send, send_names, sendbuf, true))
            in.side(send, send_names, sendbuf, sendcount, sendtype);
    });
}

template<class Count>
int alltoall_init(const void* sendbuf, Count sendcount, Type sendtype, void* recvbuf,
                  Count recvcount, Type recvtype, MPI_Comm comm, MPI_Info info,
                  MPI_Request* request) {
    return init(Collective::alltoall, comm, info, request, [&](Reader& in) {
        auto [send, recv] = in.sides();
        in.side(recv, recv_names, recvbuf, recvcount, recvtype);
        if (!in.in_place(send, send_names, sendbuf, true))
            in.side(send, send_names, sendbuf, sendcount, sendtype);
    });
}

template<class Count, class Displacement>
int alltoallv_init(const void* sendbuf, const Count sendcounts[], const Displacement sdispls[],
                   Type sendtype, void* recvbuf, const Count recvcounts[],
                   const Displacement rdispls[], Type recvtype, MPI_Comm comm, MPI_Info info,
                   MPI_Request* request) {
    return init(Collective::alltoallv, comm, info, request, [&](Reader& in) {
        auto [send, recv] = in.sides();
        in.side(recv, recv_names, recvbuf, in.ranks(), recvcounts, rdispls, {&recvtype, 1});
        if (!in.in_place(send, send_names, sendbuf, true))
            in.side(send, send_names, sendbuf, in.ranks(), sendcounts, sdispls, {&sendtype, 1});
    });
}

template<class Count, class Displacement>
int alltoallw_init(const void* sendbuf, const Count sendcounts[], const Displacement sdispls[],
                   const Type sendtypes[], void* recvbuf, const Count recvcounts[],
                   const Displacement rdispls[], const Type recvtypes[], MPI_Comm comm,
                   MPI_Info info, MPI_Request* request) {
    return init(Collective::alltoallw, comm, info, request, [&](Reader& in) {
        auto [send, recv] = in.sides();
        send.in_bytes = recv.in_bytes = true;
        in.side(recv, recv_names, recvbuf, in.ranks(), recvcounts, rdispls,
                {recvtypes, in.ranks()});
        if (!in.in_place(send, send_names, sendbuf, true))
            in.side(send, send_names, sendbuf, in.ranks(), sendcounts, sdispls,
                    {sendtypes, in.ranks()});
    });
}

template<class Count>
int reduce_init(const void* sendbuf, void* recvbuf, Count count, Type type, MPI_Op op, int root,
                MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return init(Collective::reduce, comm, info, request, [&](Reader& in) {
        in.root(root);
        auto [send, recv] = in.sides();
        if (in.is_root()) in.side(recv, reduce_recv_names, recvbuf, count, type);
        if (in.sends_to_root() && !in.in_place(send, send_names, sendbuf, in.is_root()))
            in.side(send, reduce_send_names, sendbuf, count, type);
        if (in.is_root() || in.sends_to_root()) in.op(op);
    });
}

// Reductions in which every rank has a result.
template<class Count>
int reduction_init(Collective collective, const void* sendbuf, void* recvbuf, Count count,
                   Type type, MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return init(collective, comm, info, request, [&](Reader& in) {
        auto [send, recv] = in.sides();
        in.side(recv, reduce_recv_names, recvbuf, count, type);
        if (!in.in_place(send, send_names, sendbuf, true))
            in.side(send, reduce_send_names, sendbuf, count, type);
        in.op(op);
    });
}

template<class Count>
int allreduce_init(const void* sendbuf, void* recvbuf, Count count, Type type, MPI_Op op,
                   MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return reduction_init(Collective::allreduce, sendbuf, recvbuf, count, type, op, comm, info,
                          request);
}

template<class Count>
int reduce_scatter_block_init(const void* sendbuf, void* recvbuf, Count recvcount, Type type,
                              MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return reduction_init(Collective::reduce_scatter_block, sendbuf, recvbuf, recvcount, type, op,
                          comm, info, request);
}

template<class Count>
int scan_init(const void* sendbuf, void* recvbuf, Count count, Type type, MPI_Op op, MPI_Comm comm,
              MPI_Info info, MPI_Request* request) {
    return reduction_init(Collective::scan, sendbuf, recvbuf, count, type, op, comm, info, request);
}

template<class Count>
int exscan_init(const void* sendbuf, void* recvbuf, Count count, Type type, MPI_Op op,
                MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return reduction_init(Collective::exscan, sendbuf, recvbuf, count, type, op, comm, info,
                          request);
}

template<class Count>
int reduce_scatter_init(const void* sendbuf, void* recvbuf, const Count recvcounts[], Type type,
                        MPI_Op op, MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return init(Collective::reduce_scatter, comm, info, request, [&](Reader& in) {
        auto [send, recv] = in.sides();
        in.segments(recv, recvbuf, recvcounts, type);
        if (!in.in_place(send, send_names, sendbuf, true))
            in.segments(send, sendbuf, recvcounts, type);
        in.op(op);
    });
}

template<class Count>
int neighbor_allgather_init(const void* sendbuf, Count sendcount, Type sendtype, void* recvbuf,
                            Count recvcount, Type recvtype, MPI_Comm comm, MPI_Info info,
                            MPI_Request* request) {
    return init(Collective::neighbor_allgather, comm, info, request, [&](Reader& in) {
        auto [send, recv] = in.sides();
        in.side(recv, recv_names, recvbuf, recvcount, recvtype);
        in.side(send, send_names, sendbuf, sendcount, sendtype);
    });
}

template<class Count, class Displacement>
int neighbor_allgatherv_init(const void* sendbuf, Count sendcount, Type sendtype, void* recvbuf,
                             const Count recvcounts[], const Displacement displs[], Type recvtype,
                             MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return init(Collective::neighbor_allgatherv, comm, info, request, [&](Reader& in) {
        auto [send, recv] = in.sides();
        in.side(recv, recv_names, recvbuf, in.indegree(), recvcounts, displs, {&recvtype, 1});
        in.side(send, send_names, sendbuf, sendcount, sendtype);
    });
}

template<class Count>
int neighbor_alltoall_init(const void* sendbuf, Count sendcount, Type sendtype, void* recvbuf,
                           Count recvcount, Type recvtype, MPI_Comm comm, MPI_Info info,
                           MPI_Request* request) {
    return init(Collective::neighbor_alltoall, comm, info, request, [&](Reader& in) {
        auto [send, recv] = in.sides();
        in.side(recv, recv_names, recvbuf, recvcount, recvtype);
        in.side(send, send_names, sendbuf, sendcount, sendtype);
    });
}

template<class Count, class Displacement>
int neighbor_alltoallv_init(const void* sendbuf, const Count sendcounts[],
                            const Displacement sdispls[], Type sendtype, void* recvbuf,
                            const Count recvcounts[], const Displacement rdispls[], Type recvtype,
                            MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return init(Collective::neighbor_alltoallv, comm, info, request, [&](Reader& in) {
        auto [send, recv] = in.sides();
        in.side(recv, recv_names, recvbuf, in.indegree(), recvcounts, rdispls, {&recvtype, 1});
        in.side(send, send_names, sendbuf, in.outdegree(), sendcounts, sdispls, {&sendtype, 1});
    });
}

template<class Count>
int neighbor_alltoallw_init(const void* sendbuf, const Count sendcounts[], const MPI_Aint sdispls[],
                            const Type sendtypes[], void* recvbuf, const Count recvcounts[],
                            const MPI_Aint rdispls[], const Type recvtypes[], MPI_Comm comm,
                            MPI_Info info, MPI_Request* request) {
    return init(Collective::neighbor_alltoallw, comm, info, request, [&](Reader& in) {
        auto [send, recv] = in.sides();
        send.in_bytes = recv.in_bytes = true;
        in.side(recv, recv_names, recvbuf, in.indegree(), recvcounts, rdispls,
                {recvtypes, in.indegree()});
        in.side(send, send_names, sendbuf, in.outdegree(), sendcounts, sdispls,
                {sendtypes, in.outdegree()});
    });
}

} // namespace mpix::intercept
