// SPDX-License-Identifier: BSD-3-Clause
//
// Two places for each message: who writes the one before the last has had an answer to it, the
// last.
#include "bench/common/bare_copies.hpp"

#include "bench/common/host_library.hpp"

#include <sched.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

namespace mpix::bench {

namespace {

constexpr std::size_t line = 64, places = 2;

using Number = std::atomic_ref<std::uint64_t>;

// A place is a number and the data: beside it, or on the next line.
std::size_t data_at(std::size_t bytes) { return bytes <= sizeof(double) ? sizeof(double) : line; }

std::size_t place_size(std::size_t bytes) {
    if (bytes <= sizeof(double)) return 2 * sizeof(double);
    return (data_at(bytes) + bytes + line - 1) / line * line;
}

Number number(std::byte* place) { return Number(*reinterpret_cast<std::uint64_t*>(place)); }

} // namespace

BareCopies::BareCopies(const Messages& messages, const HostLibrary& host, const Ranks& ranks)
    : messages_(messages), stride_(place_size(messages.bytes)), own_(ranks.rank()) {
    MPI_Comm_split_type(ranks.comm(), MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node_);
    int size = 0;
    MPI_Comm_size(node_, &size);
    if (!ranks.everywhere(size == ranks.size())) return;
    looks_before_yield_ = size > sysconf(_SC_NPROCESSORS_ONLN) ? 1 : 1'000;
    const std::size_t bytes = messages.to.size() * places * stride_;
    void* mine = nullptr;
    host.find<decltype(MPI_Win_allocate_shared)>("Win_allocate_shared")(
        static_cast<MPI_Aint>(bytes), 1, MPI_INFO_NULL, node_, &mine, &window_);
    std::memset(mine, 0, bytes);
    for (int rank = 0; rank < size; ++rank) {
        MPI_Aint extent = 0;
        int unit = 1;
        MPI_Win_shared_query(window_, rank, &extent, &unit, &memory_.emplace_back());
    }
    ranks.barrier();
}

BareCopies::~BareCopies() {
    if (window_ != MPI_WIN_NULL) MPI_Win_free(&window_);
    MPI_Comm_free(&node_);
}

std::byte* BareCopies::place(int rank, std::size_t message) const {
    return memory_[static_cast<std::size_t>(rank)] + (message * places + round_ % places) * stride_;
}

// The number is stored with release after the data, and loaded with acquire before they are read.
void BareCopies::exchange() {
    ++round_;
    const std::size_t elements = messages_.bytes / sizeof(double), data = data_at(messages_.bytes);
    for (std::size_t i = 0; i < messages_.to.size(); ++i) {
        std::byte* const own = place(own_, i);
        std::memcpy(own + data, messages_.out + i * elements, messages_.bytes);
        number(own).store(round_, std::memory_order_release);
    }
    for (std::size_t i = 0; i < messages_.from.size(); ++i) {
        std::byte* const theirs = place(messages_.from[i], i);
        for (int looks = 1; number(theirs).load(std::memory_order_acquire) < round_; ++looks)
            if (looks % looks_before_yield_ == 0) sched_yield();
        std::memcpy(messages_.in + i * elements, theirs + data, messages_.bytes);
    }
}

} // namespace mpix::bench
