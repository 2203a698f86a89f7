// SPDX-License-Identifier: BSD-3-Clause
//
// Plain collectives, blocking and nonblocking: on plans where that is wanted, else they are left to
// the host. Count is int, or MPI_Count in the _c forms.
#pragma once

#include "automatic/making.hpp"
#include "automatic/reading.hpp"
#include "automatic/run.hpp"
#include "intercept/errors.hpp"
#include "intercept/nonblocking.hpp"

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
        if (automatic::CommunicatorPlans* const on = automatic::find_plans(comm)) code = run(*on);
        return MPI_SUCCESS;
    });
    if (failure != MPI_SUCCESS) return failure;
    if (code <= raced_by_host || code == MPI_SUCCESS) return code;
    return host::raise(comm, code);
}

// How a call is made: the handlers below are for both ways.
struct Blocking {
    template<class Read>
    Code operator()(Collective collective, MPI_Comm comm, Read read) const {
        return attempt(collective, comm, [&](automatic::CommunicatorPlans& on) {
            return is_wanted(on, collective) ? run(on, collective, read) : left_to_host;
        });
    }
    // The same of a call without arrays: one that is like the last is not read again.
    template<class Read>
    Code operator()(Collective collective, MPI_Comm comm, const automatic::RawArguments& arguments,
                    Read read) const {
        return attempt(collective, comm, [&](automatic::CommunicatorPlans& on) {
            if (!is_wanted(on, collective)) return left_to_host;
            const Code again = automatic::run_again(on, collective, arguments);
            return again != automatic::not_remembered ? again
                                                      : run(on, collective, read, arguments);
        });
    }

  private:
    static bool is_wanted(automatic::CommunicatorPlans& on, Collective collective) {
        if (on.has_due()) [[unlikely]]
            automatic::make_due(on);
        return on.wants(collective);
    }
    template<class Read, class... More>
    static Code run(automatic::CommunicatorPlans& on, Collective collective, Read read,
                    const More&... arguments) {
        automatic::Reading reading(on, collective, true);
        read(reading);
        const automatic::Invocation* const call = reading.fit_call();
        return call ? automatic::run(on, *call, arguments...) : left_to_host;
    }
};

struct Nonblocking {
    MPI_Request* request;

    template<class Read>
    Code operator()(Collective collective, MPI_Comm comm, Read read) const {
        if (!request) return left_to_host;
        return attempt(collective, comm, [&](automatic::CommunicatorPlans& on) {
            if (!on.wants(collective)) return left_to_host;
            automatic::Reading reading(on, collective, false);
            read(reading);
            const automatic::Invocation* const call = reading.fit_call();
            return call ? begin_call(on, *call, request) : left_to_host;
        });
    }
    template<class Read>
    Code operator()(Collective collective, MPI_Comm comm, const automatic::RawArguments&,
                    Read read) const {
        return (*this)(collective, comm, read);
    }
};

template<class How>
Code barrier(How how, MPI_Comm comm) {
    return how(Collective::barrier, comm, {nullptr, nullptr, 0, MPI_DATATYPE_NULL},
               [](automatic::Reading&) {});
}

template<class How, class Count>
Code bcast(How how, void* buffer, Count count, Type type, int root, MPI_Comm comm) {
    return how(Collective::bcast, comm,
               {buffer, buffer, count, type, 0, MPI_DATATYPE_NULL, MPI_OP_NULL, root},
               [&](automatic::Reading& in) { in.bcast(buffer, count, type, root); });
}

// One block of each rank, all alike, to the root or from it.
template<class How, class Count>
Code rooted(Collective collective, How how, const void* sendbuf, Count sendcount, Type sendtype,
            void* recvbuf, Count recvcount, Type recvtype, int root, MPI_Comm comm) {
    return how(collective, comm,
               {sendbuf, recvbuf, sendcount, sendtype, recvcount, recvtype, MPI_OP_NULL, root},
               [&](automatic::Reading& in) {
                   in.rooted(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root);
               });
}
template<class... Arguments>
Code gather(Arguments... arguments) {
    return rooted(Collective::gather, arguments...);
}
template<class... Arguments>
Code scatter(Arguments... arguments) {
    return rooted(Collective::scatter, arguments...);
}

// Blocks that are alike, from all ranks or neighbours.
template<class How, class Count>
Code exchange(Collective collective, How how, const void* sendbuf, Count sendcount, Type sendtype,
              void* recvbuf, Count recvcount, Type recvtype, MPI_Comm comm) {
    return how(collective, comm, {sendbuf, recvbuf, sendcount, sendtype, recvcount, recvtype},
               [&](automatic::Reading& in) {
                   in.exchange(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
               });
}
template<class... Arguments>
Code allgather(Arguments... arguments) {
    return exchange(Collective::allgather, arguments...);
}
template<class... Arguments>
Code alltoall(Arguments... arguments) {
    return exchange(Collective::alltoall, arguments...);
}
template<class... Arguments>
Code neighbor_allgather(Arguments... arguments) {
    return exchange(Collective::neighbor_allgather, arguments...);
}
template<class... Arguments>
Code neighbor_alltoall(Arguments... arguments) {
    return exchange(Collective::neighbor_alltoall, arguments...);
}

template<class How, class Count, class Displacement>
Code allgatherv(How how, const void* sendbuf, Count sendcount, Type sendtype, void* recvbuf,
                const Count recvcounts[], const Displacement displs[], Type recvtype,
                MPI_Comm comm) {
    return how(Collective::allgatherv, comm, [&](automatic::Reading& in) {
        in.allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype);
    });
}

template<class How, class Count>
Code reduce(How how, const void* sendbuf, void* recvbuf, Count count, Type type, MPI_Op op,
            int root, MPI_Comm comm) {
    return how(Collective::reduce, comm,
               {sendbuf, recvbuf, count, type, 0, MPI_DATATYPE_NULL, op, root},
               [&](automatic::Reading& in) { in.reduce(sendbuf, recvbuf, count, type, op, root); });
}

// With a result on every rank.
template<class How, class Count>
Code reduction(Collective collective, How how, const void* sendbuf, void* recvbuf, Count count,
               Type type, MPI_Op op, MPI_Comm comm) {
    return how(collective, comm, {sendbuf, recvbuf, count, type, 0, MPI_DATATYPE_NULL, op},
               [&](automatic::Reading& in) { in.reduction(sendbuf, recvbuf, count, type, op); });
}
template<class... Arguments>
Code allreduce(Arguments... arguments) {
    return reduction(Collective::allreduce, arguments...);
}
template<class... Arguments>
Code reduce_scatter_block(Arguments... arguments) {
    return reduction(Collective::reduce_scatter_block, arguments...);
}
template<class... Arguments>
Code scan(Arguments... arguments) {
    return reduction(Collective::scan, arguments...);
}
template<class... Arguments>
Code exscan(Arguments... arguments) {
    return reduction(Collective::exscan, arguments...);
}

template<class How, class Count>
Code reduce_scatter(How how, const void* sendbuf, void* recvbuf, const Count recvcounts[],
                    Type type, MPI_Op op, MPI_Comm comm) {
    return how(Collective::reduce_scatter, comm, [&](automatic::Reading& in) {
        in.reduce_scatter(sendbuf, recvbuf, recvcounts, type, op);
    });
}

} // namespace mpix::intercept::plain
