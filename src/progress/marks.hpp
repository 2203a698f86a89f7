// SPDX-License-Identifier: BSD-3-Clause
//
// Which send partitions are marked in this round. Each can be claimed once, by one of the threads
// that mark it; several at once where they are in one word.
//
// Memory order: a claim releases what the program has written into the partition, and has()
// acquires it: the runner may send the partition before its message has the others.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>

namespace mpix::progress {

class Marks {
  public:
    explicit Marks(std::size_t partitions)
        : words_(partitions > 0
                     ? std::make_unique<std::uint64_t[]>((partitions + in_word - 1) / in_word)
                     : nullptr) {}

    // All partitions were marked in the round before: no byte has a number that comes again.
    void start_round() {
        if (++round_ == 0) ++round_;
    }
    bool has(std::size_t partition) const {
        return byte(partition).load(std::memory_order_acquire) == round_;
    }
    // False if it was marked before in this round.
    bool claim(std::size_t partition) {
        return byte(partition).exchange(round_, std::memory_order_acq_rel) != round_;
    }
    // Of one that was claimed, by who did it.
    void give_back(std::size_t partition) { byte(partition).store(0, std::memory_order_relaxed); }
    // As many from `first` to `last` as one word has, if nobody has marked any of them. Returns
    // the one behind them, or `first`.
    std::size_t claim_several(std::size_t first, std::size_t last) {
        if (first % in_word != 0 || last - first + 1 < in_word) return first;
        const std::atomic_ref word(words_[first / in_word]);
        std::uint64_t before = word.load(std::memory_order_relaxed);
        constexpr std::uint64_t ones = ~std::uint64_t{0} / 255, highest = ones << 7;
        const std::uint64_t after = round_ * ones, differs = before ^ after;
        const bool has_one = ((differs - ones) & ~differs & highest) != 0; // a byte that is zero
        if (has_one) return first;
        const bool is_mine = word.compare_exchange_strong(before, after, std::memory_order_acq_rel,
                                                          std::memory_order_relaxed);
        return is_mine ? first + in_word : first;
    }

  private:
    static constexpr std::size_t in_word = sizeof(std::uint64_t);

    std::atomic_ref<unsigned char> byte(std::size_t partition) const {
        return std::atomic_ref(reinterpret_cast<unsigned char*>(words_.get())[partition]);
    }

    const std::unique_ptr<std::uint64_t[]> words_; // a byte for each: the number of its last round
    unsigned char round_ = 0;                      // never 0 in a round
};

} // namespace mpix::progress
