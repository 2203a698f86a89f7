// SPDX-License-Identifier: BSD-3-Clause
//
// Sleeping in the kernel, on a word that several processes map.
#include "shmem/doorbell.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <ctime>
#include <new>

namespace mpix::shmem {

bool Doorbell::sleep(std::uint32_t number, std::int64_t longest_ns) {
    const timespec limit{0, longest_ns};
    return syscall(SYS_futex, &number_, FUTEX_WAIT, number, &limit, nullptr, 0) == 0 ||
           errno != ETIMEDOUT;
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
