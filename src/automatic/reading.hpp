// SPDX-License-Identifier: BSD-3-Clause
//
// The arguments of a plain collective, read in every call. What is not as it should be, or is no
// good for a plan, leaves the call to the host, which says what is wrong with it. That has to be so
// on all ranks or in none: it may depend on what is equal on all of them, and on mistakes.
#pragma once

#include "automatic/communicator_plans.hpp"

namespace mpix::automatic {

class Reading {
  public:
    // Of a nonblocking call, which may not wait for others, or a blocking one.
    Reading(CommunicatorPlans& on, plan::Collective collective, bool may_wait)
        : on_(on), may_wait_(may_wait) {
        call_.key.collective = collective;
        call_.ranks = blocks();
    }

    // Null where the host is to do it.
    const Invocation* fit_call() const { return is_fit_ && has_fit_size() ? &call_ : nullptr; }

    template<class Count>
    void bcast(void* buffer, Count count, MPI_Datatype type, int root) {
        if (!has_root(root)) return;
        Region& region = on_.rank == root ? call_.send : call_.recv;
        read(region, buffer, count, type, 1);
        call_.key.bytes = region.bytes;
    }

    // Gather and scatter.
    template<class Count>
    void rooted(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                Count recvcount, MPI_Datatype recvtype, int root) {
        if (!has_root(root)) return;
        if (call_.key.collective == plan::Collective::gather)
            gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
        else
            scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
    }

    // Allgather and alltoall, of all ranks or neighbours.
    template<class Count>
    void exchange(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                  Count recvcount, MPI_Datatype recvtype) {
        const plan::Collective collective = call_.key.collective;
        const bool one_block = collective == plan::Collective::allgather ||
                               collective == plan::Collective::neighbor_allgather;
        if (plan::is_neighbor(collective))
            exchange_near(one_block, sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype);
        else
            exchange_all(one_block ? 1 : blocks(), sendbuf, sendcount, sendtype, recvbuf, recvcount,
                         recvtype);
    }

    template<class Count, class Displacement>
    void allgatherv(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                    const Count recvcounts[], const Displacement displs[], MPI_Datatype recvtype) {
        if (!recvcounts || !displs) return refuse();
        read_blocks(call_.recv, recvbuf, Numbers(recvcounts), Numbers(displs), recvtype);
        call_.key.in_place = call_.keeps_received = sendbuf == MPI_IN_PLACE;
        if (!call_.key.in_place) read(call_.send, sendbuf, sendcount, sendtype, 1, true);
    }

    template<class Count>
    void reduce(const void* sendbuf, void* recvbuf, Count count, MPI_Datatype type, MPI_Op op,
                int root) {
        if (!has_root(root) || !reduces(type, op)) return;
        const bool is_root = on_.rank == root;
        if (is_root) read(call_.recv, recvbuf, count, type, 1);
        send_of_reduction(sendbuf, count, type, is_root);
        call_.key.bytes = call_.send.bytes;
    }
    // With a result on every rank.
    template<class Count>
    void reduction(const void* sendbuf, void* recvbuf, Count count, MPI_Datatype type, MPI_Op op) {
        if (!reduces(type, op)) return;
        switch (call_.key.collective) {
        case plan::Collective::allreduce: return allreduce(sendbuf, recvbuf, count, type);
        case plan::Collective::exscan: return exscan(sendbuf, recvbuf, count, type);
        case plan::Collective::scan: return scan(sendbuf, recvbuf, count, type);
        default: return reduce_scatter_block(sendbuf, recvbuf, count, type);
        }
    }
    template<class Count>
    void reduce_scatter(const void* sendbuf, void* recvbuf, const Count recvcounts[],
                        MPI_Datatype type, MPI_Op op) {
        if (!recvcounts) return refuse();
        if (!reduces(type, op)) return;
        const std::int64_t all = count_all(Numbers(recvcounts));
        const auto rank = static_cast<std::size_t>(on_.rank);
        const bool is_in_place = sendbuf == MPI_IN_PLACE;
        // In place all blocks stand in what then holds the result.
        read(call_.recv, recvbuf, static_cast<MPI_Count>(recvcounts[rank]), type, 1, true);
        Region whole;
        read(is_in_place ? whole : call_.send, is_in_place ? recvbuf : sendbuf, all, type, 1);
        if (is_in_place) copy_from(whole);
        call_.key.bytes = call_.send.bytes;
    }

  private:
    template<class Count>
    void gather(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                Count recvcount, MPI_Datatype recvtype) {
        Region& recv = call_.recv;
        if (on_.rank == call_.key.root) read(recv, recvbuf, recvcount, recvtype, blocks());
        if (on_.rank == call_.key.root && sendbuf == MPI_IN_PLACE)
            take_own_block(call_.send, recv, true);
        else
            read(call_.send, sendbuf, sendcount, sendtype, 1);
        call_.key.bytes = call_.send.bytes;
    }
    template<class Count>
    void scatter(const void* sendbuf, Count sendcount, MPI_Datatype sendtype, void* recvbuf,
                 Count recvcount, MPI_Datatype recvtype) {
        Region& send = call_.send;
        if (on_.rank == call_.key.root) read(send, sendbuf, sendcount, sendtype, blocks());
        if (on_.rank == call_.key.root && recvbuf == MPI_IN_PLACE) {
            take_own_block(call_.recv, send, false);
            call_.drops_received = true;
        } else {
            read(call_.recv, recvbuf, recvcount, recvtype, 1);
        }
        call_.key.bytes = call_.recv.bytes;
    }
    // `sent` blocks of one size are sent, and one comes from every rank.
    template<class Count>
    void exchange_all(std::size_t sent, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
                      void* recvbuf, Count recvcount, MPI_Datatype recvtype) {
        read(call_.recv, recvbuf, recvcount, recvtype, blocks());
        call_.key.bytes = call_.recv.bytes / on_.ranks;
        call_.key.in_place = call_.keeps_received = sendbuf == MPI_IN_PLACE;
        if (!call_.key.in_place) read(call_.send, sendbuf, sendcount, sendtype, sent);
    }
    // What is not sent to anybody may have any size.
    template<class Count>
    void exchange_near(bool one_block, const void* sendbuf, Count sendcount, MPI_Datatype sendtype,
                       void* recvbuf, Count recvcount, MPI_Datatype recvtype) {
        const collective::Neighborhood* const found = on_.neighborhood(may_wait_);
        if (!found) return refuse();
        const collective::Neighborhood& near = *found;
        if (near.indegree > 0) read(call_.recv, recvbuf, recvcount, recvtype, near.indegree);
        const std::size_t sent = one_block ? 1 : near.outdegree;
        if (near.outdegree > 0) read(call_.send, sendbuf, sendcount, sendtype, sent);
        if (near.indegree > 0)
            call_.key.bytes = call_.recv.bytes / static_cast<std::int64_t>(near.indegree);
        else
            call_.key.bytes = call_.send.bytes / static_cast<std::int64_t>(sent);
        call_.keeps_received = near.sources.size() < near.indegree; // ends of the grid
    }
    template<class Count>
    void allreduce(const void* sendbuf, void* recvbuf, Count count, MPI_Datatype type) {
        read(call_.recv, recvbuf, count, type, 1);
        call_.key.bytes = call_.recv.bytes;
        call_.key.in_place = sendbuf == MPI_IN_PLACE;
        if (!call_.key.in_place) send_of_reduction(sendbuf, count, type, false);
    }
    template<class Count>
    void scan(const void* sendbuf, void* recvbuf, Count count, MPI_Datatype type) {
        read(call_.recv, recvbuf, count, type, 1);
        call_.key.bytes = call_.recv.bytes;
        send_of_reduction(sendbuf, count, type, true);
    }
    // The first rank receives nothing.
    template<class Count>
    void exscan(const void* sendbuf, void* recvbuf, Count count, MPI_Datatype type) {
        if (on_.rank > 0 || sendbuf == MPI_IN_PLACE) return scan(sendbuf, recvbuf, count, type);
        read(call_.send, sendbuf, count, type, 1);
        call_.recv = call_.send;
        call_.drops_received = true;
        call_.key.bytes = call_.send.bytes;
    }
    template<class Count>
    void reduce_scatter_block(const void* sendbuf, void* recvbuf, Count recvcount,
                              MPI_Datatype type) {
        call_.key.in_place = sendbuf == MPI_IN_PLACE;
        read(call_.recv, recvbuf, recvcount, type, call_.key.in_place ? blocks() : 1);
        if (!call_.key.in_place) read(call_.send, sendbuf, recvcount, type, blocks());
        call_.key.bytes = call_.key.in_place ? call_.recv.bytes / on_.ranks : call_.recv.bytes;
    }

    void refuse() { is_fit_ = false; }
    bool has_fit_size() const;
    std::size_t blocks() const { return static_cast<std::size_t>(on_.ranks); }
    bool has_root(int root);
    bool reduces(MPI_Datatype type, MPI_Op op);
    // Of no bytes only where `may_be_empty`.
    void read(Region& region, const void* buffer, std::int64_t count, MPI_Datatype type,
              std::size_t blocks, bool may_be_empty = false);
    void read_blocks(Region& region, void* buffer, Numbers counts, Numbers displacements,
                     MPI_Datatype type);
    std::int64_t count_all(Numbers counts);
    void take_own_block(Region& block, const Region& all, bool is_copied);
    void copy_from(const Region& received);
    void send_of_reduction(const void* sendbuf, std::int64_t count, MPI_Datatype type,
                           bool may_be_in_place);

    CommunicatorPlans& on_;
    const bool may_wait_;
    Invocation call_;
    bool is_fit_ = true;
};

} // namespace mpix::automatic
