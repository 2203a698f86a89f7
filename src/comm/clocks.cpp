// SPDX-License-Identifier: BSD-3-Clause
//
// F. Cristian, "Probabilistic clock synchronization", 1989: the keeper read its clock at some time
// between question and answer, and the middle is wrong by no more than half of that.
#include "comm/clocks.hpp"

#include "base/settings.hpp"
#include "comm/exchange.hpp"
#include "host/host.hpp"
#include "progress/trace.hpp"
#include "shmem/segment.hpp"

#include <algorithm>
#include <limits>

namespace mpix::comm {
namespace {

constexpr int questions = 20;

// Nobody else sends with it.
int tag(MPI_Comm comm) { return host::tag_limit(comm); }

void send(const std::int64_t& time, int to, MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    host::check(HOST(Isend)(&time, 1, MPI_INT64_T, to, tag(comm), comm, &request));
    host::check(progress::wait_for(request));
}

void receive(std::int64_t& time, int from, MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    host::check(HOST(Irecv)(&time, 1, MPI_INT64_T, from, tag(comm), comm, &request));
    host::check(progress::wait_for(request));
}

// Ranks that are to be taken for several nodes ask for the time as such.
std::uint64_t node_of(int rank) {
    const int ranks = base::settings().MPIX_NODE_SIZE;
    return shmem::machine() + static_cast<std::uint64_t>(ranks > 0 ? rank / ranks : 0);
}

Ranks all_of(MPI_Comm comm) {
    Ranks all{.comm = comm};
    HOST(Comm_rank)(comm, &all.self);
    HOST(Comm_size)(comm, &all.count);
    return all;
}

} // namespace

Clocks::Clocks(MPI_Comm comm, int keeper) : comm_(comm), keeper_(keeper) {
    const Ranks all = all_of(comm);
    rank_ = all.self;
    const std::vector<std::uint64_t> nodes = exchange(all, node_of(rank_));
    for (const std::uint64_t node : nodes) {
        const bool is_of_keeper = node == nodes[static_cast<std::size_t>(keeper)];
        const auto first = std::ranges::find(nodes, node) - nodes.begin();
        firsts_.push_back(is_of_keeper ? keeper : static_cast<int>(first));
    }
}

void Clocks::answer() const {
    for (int rank = 0; rank < static_cast<int>(firsts_.size()); ++rank) {
        if (rank == keeper_ || firsts_[static_cast<std::size_t>(rank)] != rank) continue;
        for (int i = 0; i < questions; ++i) {
            std::int64_t time = 0;
            receive(time, rank, comm_);
            send(progress::clock_now(), rank, comm_);
        }
    }
}

ClockReading Clocks::ask() const {
    ClockReading best{.error = std::numeric_limits<std::int64_t>::max()};
    for (int i = 0; i < questions; ++i) {
        std::int64_t time = 0;
        const std::int64_t asked = progress::clock_now();
        send(asked, keeper_, comm_);
        receive(time, keeper_, comm_);
        const std::int64_t passed = progress::clock_now() - asked;
        if (passed / 2 < best.error) best = {asked + passed / 2, time, passed / 2};
    }
    return best;
}

ClockReading Clocks::read() const {
    const std::int64_t now = progress::clock_now();
    ClockReading own{now, now, 0};
    if (rank_ == keeper_)
        answer();
    else if (firsts_[static_cast<std::size_t>(rank_)] == rank_)
        own = ask();
    const std::vector<ClockReading> all = exchange(all_of(comm_), own);
    return all[static_cast<std::size_t>(firsts_[static_cast<std::size_t>(rank_)])];
}

} // namespace mpix::comm
