// SPDX-License-Identifier: BSD-3-Clause
//
// Which receive partitions have come in this round. Any thread may ask: an arrival is stored with
// release after the data, and loaded with acquire before the program uses them. The program orders
// Start, which begins a round, before it asks.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

namespace mpix::progress {

class ReceivePartitions {
  public:
    explicit ReceivePartitions(std::size_t partitions)
        : partitions_(partitions),
          rounds_(partitions > 0 ? std::make_unique<std::atomic<std::uint32_t>[]>(partitions)
                                 : nullptr) {}

    std::size_t partitions() const { return partitions_; }
    void start_round() {
        if (++round_ == 0) ++round_;
    }
    void note(std::size_t partition) {
        rounds_[partition].store(round_, std::memory_order_release);
    }
    bool has(std::size_t partition) const {
        return rounds_[partition].load(std::memory_order_acquire) == round_;
    }

  private:
    std::size_t partitions_;
    std::uint32_t round_ = 0; // never 0 in a round
    std::unique_ptr<std::atomic<std::uint32_t>[]> rounds_;
};

} // namespace mpix::progress
