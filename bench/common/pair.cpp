// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/pair.hpp"

#include <sched.h>

namespace mpix::bench {

namespace {

// The flags have a page of their own, or fetching them would fetch the first data ahead.
constexpr std::size_t before_area = 8192;

// The first two ranks of rank 0's node; null for the others, and if the node has but one.
MPI_Comm first_two(const Ranks& ranks) {
    MPI_Comm node = MPI_COMM_NULL, two = MPI_COMM_NULL;
    MPI_Comm_split_type(ranks.comm(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    int rank = 0, size = 1, first = ranks.rank();
    MPI_Comm_rank(node, &rank);
    MPI_Comm_size(node, &size);
    MPI_Bcast(&first, 1, MPI_INT, 0, node);
    const bool in = first == 0 && rank < 2 && size > 1;
    MPI_Comm_split(node, in ? 0 : MPI_UNDEFINED, rank, &two);
    MPI_Comm_free(&node);
    return two;
}

} // namespace

Pair::Pair(const HostLibrary& host, const Ranks& ranks, std::size_t area_bytes)
    : comm_(first_two(ranks)) {
    if (comm_ == MPI_COMM_NULL) return;
    MPI_Comm_rank(comm_, &side_);
    const auto bytes = side_ == 0 ? static_cast<MPI_Aint>(before_area + area_bytes) : 0;
    void* mine = nullptr;
    host.find<decltype(MPI_Win_allocate_shared)>("Win_allocate_shared")(bytes, 1, MPI_INFO_NULL,
                                                                        comm_, &mine, &window_);
    MPI_Aint size = 0;
    int unit = 1;
    MPI_Win_shared_query(window_, 0, &size, &unit, &shared_);
    shared_[side_].flag.store(0);
    MPI_Barrier(comm_);
}

Pair::~Pair() {
    if (window_ != MPI_WIN_NULL) MPI_Win_free(&window_);
    if (comm_ != MPI_COMM_NULL) MPI_Comm_free(&comm_);
}

char* Pair::area() const { return reinterpret_cast<char*>(shared_) + before_area; }

void Pair::tell(std::uint64_t number) const {
    shared_[side_].flag.store(number, std::memory_order_release);
}

// The two may share a core: spinning alone would then wait for the scheduler.
void Pair::await(std::uint64_t number) const {
    const std::atomic<std::uint64_t>& flag = shared_[1 - side_].flag;
    for (int spins = 0; flag.load(std::memory_order_acquire) < number; ++spins)
        if (spins > 20000) sched_yield();
}

std::array<std::uint64_t, 2> Pair::swap(std::array<std::uint64_t, 2> numbers) const {
    std::array<std::uint64_t, 2> others{};
    MPI_Sendrecv(numbers.data(), 2, MPI_UINT64_T, 1 - side_, 0, others.data(), 2, MPI_UINT64_T,
                 1 - side_, 0, comm_, MPI_STATUS_IGNORE);
    return others;
}

} // namespace mpix::bench
