// SPDX-License-Identifier: BSD-3-Clause
//
// The least that an exchange within a node costs that copies each message into shared memory and
// out of it: no requests, no calls, the place of each message known. The host makes the memory.
#pragma once

#include "bench/common/ranks.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mpix::bench {

class BareCopies {
  public:
    // Message i goes to rank to[i], and what rank from[i] sends as its message i comes here.
    // Whoever a rank sends to sends to it too.
    struct Messages {
        const double* out;
        double* in; // one after the other, as `out`
        std::size_t bytes;
        std::span<const int> to, from;
    };

    // Collective. Without effect if the ranks do not share memory.
    BareCopies(const Messages& messages, const HostLibrary& host, const Ranks& ranks);
    ~BareCopies();
    BareCopies(const BareCopies&) = delete;
    BareCopies& operator=(const BareCopies&) = delete;

    bool made() const { return window_ != MPI_WIN_NULL; }
    void exchange();

  private:
    std::byte* place(int rank, std::size_t message) const;

    const Messages messages_;
    const std::size_t stride_;
    const int own_; // rank
    MPI_Comm node_ = MPI_COMM_NULL;
    MPI_Win window_ = MPI_WIN_NULL;
    std::vector<std::byte*> memory_; // of each rank
    int looks_before_yield_ = 0;
    std::uint64_t round_ = 0;
};

} // namespace mpix::bench
