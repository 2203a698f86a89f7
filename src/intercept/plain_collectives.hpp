// SPDX-License-Identifier: BSD-3-Clause
//
// Plain collectives: on plans where that is wanted, else they are left to the host. Count is int,
// or MPI_Count in the _c forms.
#pragma once

#include "automatic/reading.hpp"
#include "automatic/run.hpp"
#include "intercept/errors.hpp"

namespace mpix::intercept::plain {

using automatic::left_to_host;
using automatic::raced_by_host;
using Code = int; // or one of these
using Type = MPI_Datatype;
using plan::Collective;

// What is thrown was thrown on this rank, which alone has taken part: the program hears of it.
template<class Run>
Code attempt(Collective collective, MPI_Comm comm, Run run) {
    if (!automatic::may_want(collective)) [[likely]]
        return left_to_host;
    Code code = left_to_host;
    const int failure = with_errors(comm, [&] {
        automatic::CommunicatorPlans* const on = automatic::find_plans(comm, collective);
        if (on) code = run(*on);
        return MPI_SUCCESS;
    });
    if (failure != MPI_SUCCESS) return failure;
    if (code <= raced_by_host || code == MPI_SUCCESS) return code;
    return host::raise(comm, code);
}

template<class Read>
Code attempt_reading(Collective collective, MPI_Comm comm, Read read) {
    return attempt(collective, comm, [&](automatic::CommunicatorPlans& on) {
        automatic::Reading reading(on, collective);
        read(reading);
        const automatic::Invocation* const call = reading.fit_call();
        return call ? automatic::run(on, *call) : left_to_host;
    });
}

// The same of a call without arrays: one that is like the last is not read again.
template<class Read>
Code attempt_reading(Collective collective, MPI_Comm comm, const automatic::RawArguments& arguments,
                     Read read) {
    return attempt(collective, comm, [&](automatic::CommunicatorPlans& on) {
        const Code again = automatic::run_again(on, collective, arguments);
        if (again != automatic::not_remembered) return again;
        automatic::Reading reading(on, collective);
        read(reading);
        const automatic::Invocation* const call = reading.fit_call();
        return call ? automatic::run(on, *call, arguments) : left_to_host;
    });
}

inline Code barrier(MPI_Comm comm) {
    return attempt_reading(Collective::barrier, comm, {nullptr, nullptr, 0, MPI_DATATYPE_NULL},
                           [](automatic::Reading&) {});
}

template<class Count>
Code bcast(void* buffer, Count count, Type type, int root, MPI_Comm comm) {
    return attempt_reading(Collective::bcast, comm,
                           {buffer, buffer, count, type, 0, MPI_DATATYPE_NULL, MPI_OP_NULL, root},
                           [&](automatic::Reading& in) { in.bcast(buffer, count, type, root); });
}

template<class Count>
Code gather(const void* sendbuf, Count sendcount, Type sendtype, void* recvbuf, Count recvcount,
            Type recvtype, int root, MPI_Comm comm) {
    return attempt_reading(
        Collective::gather, comm,
        {sendbuf, recvbuf, sendcount, sendtype, recvcount, recvtype, MPI_OP_NULL, root},
        [&](automatic::Reading& in) {
            in.gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
        });
}

template<class Count>
Code scatter(const void* sendbuf, Count sendcount, Type sendtype, void* recvbuf, Count recvcount,
             Type recvtype, int root, MPI_Comm comm) {
    return attempt_reading(
        Collective::scatter, comm,
        {sendbuf, recvbuf, sendcount, sendtype, recvcount, recvtype, MPI_OP_NULL, root},
        [&](automatic::Reading& in) {
            in.scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
        });
}

template<class Count>
Code allgather(const void* sendbuf, Count sendcount, Type sendtype, void* recvbuf, Count recvcount,
               Type recvtype, MPI_Comm comm) {
    return attempt_reading(
        Collective::allgather, comm, {sendbuf, recvbuf, sendcount, sendtype, recvcount, recvtype},
        [&](automatic::Reading& in) {
            in.allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
        });
}

template<class Count, class Displacement>
Code allgatherv(const void* sendbuf, Count sendcount, Type sendtype, void* recvbuf,
                const Count recvcounts[], const Displacement displs[], Type recvtype,
                MPI_Comm comm) {
    return attempt_reading(Collective::allgatherv, comm, [&](automatic::Reading& in) {
        in.allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype);
    });
}

template<class Count>
Code alltoall(const void* sendbuf, Count sendcount, Type sendtype, void* recvbuf, Count recvcount,
              Type recvtype, MPI_Comm comm) {
    return attempt_reading(
        Collective::alltoall, comm, {sendbuf, recvbuf, sendcount, sendtype, recvcount, recvtype},
        [&](automatic::Reading& in) {
            in.alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
        });
}

template<class Count>
Code reduce(const void* sendbuf, void* recvbuf, Count count, Type type, MPI_Op op, int root,
            MPI_Comm comm) {
    return attempt_reading(
        Collective::reduce, comm, {sendbuf, recvbuf, count, type, 0, MPI_DATATYPE_NULL, op, root},
        [&](automatic::Reading& in) { in.reduce(sendbuf, recvbuf, count, type, op, root); });
}

template<class Count>
Code allreduce(const void* sendbuf, void* recvbuf, Count count, Type type, MPI_Op op,
               MPI_Comm comm) {
    return attempt_reading(
        Collective::allreduce, comm, {sendbuf, recvbuf, count, type, 0, MPI_DATATYPE_NULL, op},
        [&](automatic::Reading& in) { in.allreduce(sendbuf, recvbuf, count, type, op); });
}

template<class Count>
Code reduce_scatter(const void* sendbuf, void* recvbuf, const Count recvcounts[], Type type,
                    MPI_Op op, MPI_Comm comm) {
    return attempt_reading(Collective::reduce_scatter, comm, [&](automatic::Reading& in) {
        in.reduce_scatter(sendbuf, recvbuf, recvcounts, type, op);
    });
}

template<class Count>
Code reduce_scatter_block(const void* sendbuf, void* recvbuf, Count recvcount, Type type, MPI_Op op,
                          MPI_Comm comm) {
    return attempt_reading(Collective::reduce_scatter_block, comm,
                           {sendbuf, recvbuf, recvcount, type, 0, MPI_DATATYPE_NULL, op},
                           [&](automatic::Reading& in) {
                               in.reduce_scatter_block(sendbuf, recvbuf, recvcount, type, op);
                           });
}

template<class Count>
Code scan(const void* sendbuf, void* recvbuf, Count count, Type type, MPI_Op op, MPI_Comm comm) {
    return attempt_reading(
        Collective::scan, comm, {sendbuf, recvbuf, count, type, 0, MPI_DATATYPE_NULL, op},
        [&](automatic::Reading& in) { in.scan(sendbuf, recvbuf, count, type, op); });
}

template<class Count>
Code exscan(const void* sendbuf, void* recvbuf, Count count, Type type, MPI_Op op, MPI_Comm comm) {
    return attempt_reading(
        Collective::exscan, comm, {sendbuf, recvbuf, count, type, 0, MPI_DATATYPE_NULL, op},
        [&](automatic::Reading& in) { in.exscan(sendbuf, recvbuf, count, type, op); });
}

template<class Count>
Code neighbor_allgather(const void* sendbuf, Count sendcount, Type sendtype, void* recvbuf,
                        Count recvcount, Type recvtype, MPI_Comm comm) {
    return attempt_reading(
        Collective::neighbor_allgather, comm,
        {sendbuf, recvbuf, sendcount, sendtype, recvcount, recvtype}, [&](automatic::Reading& in) {
            in.neighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
        });
}

template<class Count>
Code neighbor_alltoall(const void* sendbuf, Count sendcount, Type sendtype, void* recvbuf,
                       Count recvcount, Type recvtype, MPI_Comm comm) {
    return attempt_reading(
        Collective::neighbor_alltoall, comm,
        {sendbuf, recvbuf, sendcount, sendtype, recvcount, recvtype}, [&](automatic::Reading& in) {
            in.neighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
        });
}

} // namespace mpix::intercept::plain
