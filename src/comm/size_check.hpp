// SPDX-License-Identifier: BSD-3-Clause
//
// What one rank sends to each of the others and expects from each, so that all of them together can
// tell whether every block that is sent is expected with the same size, and in as many partitions
// where that must be so. The question costs a sum; who disagrees is asked only when the sum says
// that someone does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace mpix::comm {

class Context;

class SizeCheck {
  public:
    struct Size {
        std::int64_t bytes = 0, partitions = 0;
        bool operator==(const Size&) const = default;
    };

    void send(int rank, Size size) { sent_.push_back({rank, size}); }
    void expect(int rank, Size size) { expected_.push_back({rank, size}); }
    void send(int rank, std::int64_t bytes) { send(rank, Size{bytes}); }
    void expect(int rank, std::int64_t bytes) { expect(rank, Size{bytes}); }

    // Sums to 0 over all ranks, modulo 2^64, if every block sent is expected: each block weighs its
    // size times an odd number that looks random and belongs to its sender, its receiver and its
    // turn among the blocks between these two; and so do its partitions. So one block that differs
    // is always seen, and several that differ hide each other as rarely as random numbers do.
    std::uint64_t fingerprint(int me) const;

    // Names two ranks that disagree and both sizes. Collective, the same on every rank.
    std::string mismatch(const Context& context) const;

  private:
    struct Block {
        int rank;
        Size size;
    };
    template<class Visit>
    static void each(const std::vector<Block>& blocks, Visit visit);
    template<class Add>
    void weigh(int me, Add add) const;
    std::vector<Size> between(int me, int from, int to) const;

    std::vector<Block> sent_;
    std::vector<Block> expected_;
};

} // namespace mpix::comm
