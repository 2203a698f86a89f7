// SPDX-License-Identifier: BSD-3-Clause
//
// Rank 0 and another rank of its node, with memory that both map: what the floors are measured
// with. The host makes the memory; nothing of mpix is involved.
#pragma once

#include "bench/common/ranks.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace mpix::bench {

class Pair {
  public:
    // Collective over all ranks.
    Pair(const HostLibrary& host, const Ranks& ranks, std::size_t area_bytes);
    ~Pair();
    Pair(const Pair&) = delete;
    Pair& operator=(const Pair&) = delete;

    // Whether this rank is one of the two, and there are two.
    bool here() const { return shared_ != nullptr; }
    bool leads() const { return side_ == 0; }
    // What the rank that does not lead writes and the other reads.
    char* area() const;

    // Tells the other side a number that only grows; waits until it has told this one.
    void tell(std::uint64_t number) const;
    void await(std::uint64_t number) const;
    // Gives the other side some numbers for its own, in the host's messages.
    std::array<std::uint64_t, 2> swap(std::array<std::uint64_t, 2> numbers) const;

  private:
    struct alignas(128) Line {
        std::atomic<std::uint64_t> flag;
    };

    MPI_Comm comm_ = MPI_COMM_NULL;
    MPI_Win window_ = MPI_WIN_NULL;
    Line* shared_ = nullptr;
    int side_ = 0;
};

} // namespace mpix::bench
