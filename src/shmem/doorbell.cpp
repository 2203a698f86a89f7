// SPDX-License-Identifier: BSD-3-Clause
//
// Sleeping in the kernel, on a word that several processes map.
#include "shmem/doorbell.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>
#include <new>

namespace mpix::shmem {

// Nobody rings for the host's messages: the sleeper looks for them this often.
constexpr long longest_ns = 250'000;

void Doorbell::sleep(std::uint32_t number) {
    const timespec limit{0, longest_ns};
    syscall(SYS_futex, &number_, FUTEX_WAIT, number, &limit, nullptr, 0);
}

// The kernel orders the new number before the wake-up; what it announces is older than the fence.
void Doorbell::wake() {
    number_.fetch_add(1, std::memory_order_release);
    syscall(SYS_futex, &number_, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

Doorbell* own_doorbell() {
    static Doorbell* const doorbell = [] {
        std::byte* const memory =
            segment().is_there() ? segment().allocate(sizeof(Doorbell)) : nullptr;
        return memory ? new (memory) Doorbell : nullptr;
    }();
    return doorbell;
}

} // namespace mpix::shmem
