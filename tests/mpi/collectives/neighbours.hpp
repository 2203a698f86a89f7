// SPDX-License-Identifier: BSD-3-Clause
// The five neighbourhood collectives on a topology, against arithmetic: every element tells its
// sender, block and place.
#pragma once

#include "common/topology.hpp"

namespace mpitest {

enum class Neighbourhood { allgather, allgatherv, alltoall, alltoallv, alltoallw };

inline const char* name_of(Neighbourhood kind) {
    static const char* const names[] = {"neighbor_allgather", "neighbor_allgatherv",
                                        "neighbor_alltoall", "neighbor_alltoallv",
                                        "neighbor_alltoallw"};
    return names[static_cast<int>(kind)];
}

// One persistent neighbourhood operation: its arguments, and what its receive buffer must hold.
class Exchange {
  public:
    Exchange(Neighbourhood kind, const Topology& topology, int count, bool large_counts)
        : kind_(kind), topology_(topology), count_(count), large_counts_(large_counts) {
        const int me = rank_of(topology.comm);
        const auto blocks = static_cast<int>(topology.out.size());
        lay_out(send_, gathers() ? 1 : blocks, [&](int block) { return units(me, block); });
        const auto edges = static_cast<int>(topology.in.size());
        lay_out(recv_, edges, [&](int k) {
            const Edge& edge = topology.in[static_cast<std::size_t>(k)];
            // Beyond a border nothing comes, but the count must still be one that MPI accepts.
            return edge.peer == MPI_PROC_NULL ? count_ : units(edge.peer, edge.block);
        });
    }

    void check(int rounds) {
        INFO(name_of(kind_) << (large_counts_ ? "_c" : "") << ", count " << count_);
        MPI_Request request = MPI_REQUEST_NULL;
        CHECK_MPI(large_counts_ ? init_c(&request) : init(&request));
        for (int round = 0; round < rounds; round++) {
            write(round);
            const std::vector<int> expected = expect(round);
            start_and_wait(request);
            CHECK(difference(expected, recv_.data) == "");
        }
        free_request(request);
    }

  private:
    struct Blocks {
        std::vector<int> counts, displs, data;
        std::vector<MPI_Aint> offsets, wide_displs;
        std::vector<MPI_Count> wide_counts;
        std::vector<MPI_Datatype> types;
    };

    bool gathers() const {
        return kind_ == Neighbourhood::allgather || kind_ == Neighbourhood::allgatherv;
    }
    bool regular() const {
        return kind_ == Neighbourhood::allgather || kind_ == Neighbourhood::alltoall;
    }

    int units(int sender, int block) const {
        if (regular() || count_ == 0) return count_;
        return count_ + (gathers() ? sender : (3 * sender + 2 * block) % 5 - 1);
    }

    template<class Units>
    void lay_out(Blocks& to, int blocks, Units units_of_block) {
        int at = 0;
        to.counts.reserve(1), to.displs.reserve(1); // no null arrays where there are no neighbours
        for (int b = 0; b < blocks; b++) {
            const int units = units_of_block(b);
            to.counts.push_back(units);
            to.displs.push_back(at);
            at += units + (regular() ? 0 : 2);
        }
        to.data.assign(static_cast<std::size_t>(at) + 1, -1);
        to.wide_counts.reserve(1), to.wide_displs.reserve(1), to.offsets.reserve(1),
            to.types.reserve(1);
        to.wide_counts.assign(to.counts.begin(), to.counts.end());
        to.wide_displs.assign(to.displs.begin(), to.displs.end());
        for (const int displ : to.displs)
            to.offsets.push_back(displ * static_cast<MPI_Aint>(sizeof(int)));
        to.types.assign(to.counts.size(), MPI_INT);
    }

    static int element(int sender, int block, int place, int round) {
        return value_at(sender * 64 + block, round, static_cast<std::size_t>(place));
    }

    void write(int round) {
        const int me = rank_of(topology_.comm);
        for (std::size_t b = 0; b < send_.counts.size(); b++)
            for (int i = 0; i < send_.counts[b]; i++)
                send_.data[static_cast<std::size_t>(send_.displs[b] + i)] =
                    element(me, static_cast<int>(b), i, round);
        recv_.data.assign(recv_.data.size(), -round - 5000);
    }

    std::vector<int> expect(int round) const {
        std::vector<int> expected = recv_.data;
        for (std::size_t k = 0; k < topology_.in.size(); k++) {
            const Edge& edge = topology_.in[k];
            if (edge.peer == MPI_PROC_NULL) continue;
            const int block = gathers() ? 0 : edge.block;
            for (int i = 0; i < recv_.counts[k]; i++)
                expected[static_cast<std::size_t>(recv_.displs[k] + i)] =
                    element(edge.peer, block, i, round);
        }
        return expected;
    }

    int init(MPI_Request* request) {
        const void* send = send_.data.data();
        void* recv = recv_.data.data();
        const int sent = gathers() ? send_.counts[0] : count_;
        const MPI_Comm comm = topology_.comm;
        const Blocks &s = send_, &r = recv_;
        const MPI_Info info = MPI_INFO_NULL;
        switch (kind_) {
        case Neighbourhood::allgather:
            return MPI_Neighbor_allgather_init(send, sent, MPI_INT, recv, count_, MPI_INT, comm,
                                               info, request);
        case Neighbourhood::allgatherv:
            return MPI_Neighbor_allgatherv_init(send, sent, MPI_INT, recv, r.counts.data(),
                                                r.displs.data(), MPI_INT, comm, info, request);
        case Neighbourhood::alltoall:
            return MPI_Neighbor_alltoall_init(send, sent, MPI_INT, recv, count_, MPI_INT, comm,
                                              info, request);
        case Neighbourhood::alltoallv:
            return MPI_Neighbor_alltoallv_init(send, s.counts.data(), s.displs.data(), MPI_INT,
                                               recv, r.counts.data(), r.displs.data(), MPI_INT,
                                               comm, info, request);
        default:
            return MPI_Neighbor_alltoallw_init(
                send, s.counts.data(), s.offsets.data(), s.types.data(), recv, r.counts.data(),
                r.offsets.data(), r.types.data(), comm, info, request);
        }
    }

    int init_c(MPI_Request* request) {
        const void* send = send_.data.data();
        void* recv = recv_.data.data();
        const MPI_Count sent = gathers() ? send_.counts[0] : count_;
        const MPI_Comm comm = topology_.comm;
        const Blocks &s = send_, &r = recv_;
        const MPI_Info info = MPI_INFO_NULL;
        switch (kind_) {
        case Neighbourhood::allgather:
            return MPI_Neighbor_allgather_init_c(send, sent, MPI_INT, recv, count_, MPI_INT, comm,
                                                 info, request);
        case Neighbourhood::allgatherv:
            return MPI_Neighbor_allgatherv_init_c(send, sent, MPI_INT, recv, r.wide_counts.data(),
                                                  r.wide_displs.data(), MPI_INT, comm, info,
                                                  request);
        case Neighbourhood::alltoall:
            return MPI_Neighbor_alltoall_init_c(send, sent, MPI_INT, recv, count_, MPI_INT, comm,
                                                info, request);
        case Neighbourhood::alltoallv:
            return MPI_Neighbor_alltoallv_init_c(
                send, s.wide_counts.data(), s.wide_displs.data(), MPI_INT, recv,
                r.wide_counts.data(), r.wide_displs.data(), MPI_INT, comm, info, request);
        default:
            return MPI_Neighbor_alltoallw_init_c(
                send, s.wide_counts.data(), s.offsets.data(), s.types.data(), recv,
                r.wide_counts.data(), r.offsets.data(), r.types.data(), comm, info, request);
        }
    }

    Neighbourhood kind_;
    const Topology& topology_;
    int count_;
    bool large_counts_;
    Blocks send_, recv_;
};

inline void check_neighbourhoods(const Topology& topology,
                                 const std::vector<int>& counts = {0, 1, 6, 900}) {
    if (topology.comm == MPI_COMM_NULL) return;
    for (const auto kind :
         {Neighbourhood::allgather, Neighbourhood::allgatherv, Neighbourhood::alltoall,
          Neighbourhood::alltoallv, Neighbourhood::alltoallw})
        for (const int count : counts) {
            Exchange(kind, topology, count, false).check(3);
            if (count == 6) Exchange(kind, topology, count, true).check(2);
        }
}

} // namespace mpitest
