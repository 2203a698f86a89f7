// SPDX-License-Identifier: BSD-3-Clause
//
// Whether a long message is staged or left to be read, where either may be quicker. That depends on
// whether the program writes its data anew in each round, on what else it does meanwhile, and on
// where the two processes run: so now and then the sender tries one way for some rounds and the
// other for some, and keeps the one with which its rounds follow each other faster. The messages of
// a plan begin their rounds together, and try the same way at a time.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>

namespace mpix::shmem {

class Preference {
  public:
    // A round begins: whether its message is left.
    bool leaves_next() { return leaves_next(ticks()); }
    bool leaves_next(std::uint64_t now) {
        if (turn_ > 0 && turn_ <= trial) note(turn_ - 1, now - began_);
        began_ = now;
        if (turn_ == trial) conclude();
        if (turn_ == trial + pause_) {
            turn_ = 0;
            pause_ = std::min(2 * pause_, longest_pause);
        }
        const std::uint32_t turn = turn_++;
        return turn < trial ? turn / block % 2 == 1 : leaves_;
    }

    // Rounds of a trial, which has four blocks: of the first in each nothing is learnt.
    static constexpr std::uint32_t block = 4, trial = 4 * block;
    static constexpr std::uint32_t first_pause = 32, longest_pause = 1 << 14;

  private:
    static constexpr std::size_t samples = 2 * (block - 1);
    static constexpr double clearly = 0.96;
    using Took = std::array<std::uint64_t, samples>;

    static std::uint64_t ticks() {
#if defined(__x86_64__)
        return __builtin_ia32_rdtsc();
#else
        return static_cast<std::uint64_t>(
            std::chrono::steady_clock::now().time_since_epoch().count());
#endif
    }
    void note(std::uint32_t turn, std::uint64_t took) {
        const std::uint32_t in_block = turn % block;
        if (in_block == 0) return;
        const std::size_t at = turn / (2 * block) * (block - 1) + in_block - 1;
        took_[turn / block % 2][at] = took;
    }
    // Not by chance: but for the shortest and the two longest, in which something else may have
    // happened, the n-th of the one is always below the n-th of the other.
    static bool is_quicker(const Took& one, const Took& other) {
        for (std::size_t i = 1; i <= samples / 2; ++i)
            if (static_cast<double>(one[i]) >= clearly * static_cast<double>(other[i]))
                return false;
        return true;
    }
    // Else it stays as it was: a trial may have been disturbed.
    void conclude() {
        for (Took& of : took_) std::sort(of.begin(), of.end());
        const auto& [staged, left] = took_;
        if (is_quicker(left, staged)) leaves_ = true;
        if (is_quicker(staged, left)) leaves_ = false;
    }

    std::uint64_t began_ = 0;
    std::uint32_t turn_ = 0; // of the next round, since the trial began
    std::uint32_t pause_ = first_pause;
    bool leaves_ = false;
    std::array<Took, 2> took_{}; // rounds staged and left
};

} // namespace mpix::shmem
