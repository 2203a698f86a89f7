// SPDX-License-Identifier: BSD-3-Clause
//
// What a process sleeps at while it waits, and others of its node wake it by.
//
// Memory order: a sleeper counts itself, then looks whether what it waits for is there; who brings
// it stores it, then looks for sleepers. A full fence between the two steps on either side makes
// that at least one of them sees the other.
#pragma once

#include "shmem/segment.hpp"

#include <atomic>
#include <cstdint>

namespace mpix::shmem {

class alignas(cache_line) Doorbell {
  public:
    // The number to sleep at. What is waited for must be looked for between this and sleep().
    std::uint32_t announce() {
        sleepers_.fetch_add(1, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_seq_cst); // pairs with that of ring()
        return number();
    }
    std::uint32_t number() const { return number_.load(std::memory_order_acquire); }
    void retract() { sleepers_.fetch_sub(1, std::memory_order_relaxed); }

    // True when it was rung since `number` or a signal came, false after `longest_ns`, which is
    // less than a second.
    bool sleep(std::uint32_t number, std::int64_t longest_ns);

    void ring() {
        std::atomic_thread_fence(std::memory_order_seq_cst); // pairs with that of announce()
        if (sleepers_.load(std::memory_order_relaxed) != 0) wake();
    }

  private:
    void wake();

    std::atomic<std::uint32_t> number_{0};
    std::atomic<std::uint32_t> sleepers_{0};
};

// That of this process, made at the first call, in the segment. Null if it cannot be had.
Doorbell* own_doorbell();

} // namespace mpix::shmem
