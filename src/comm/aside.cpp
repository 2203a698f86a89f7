// SPDX-License-Identifier: BSD-3-Clause
//
// A list of them. Its lock is held around no call of anything.
#include "comm/aside.hpp"

#include <mutex>
#include <utility>

namespace mpix::comm {
namespace {

constinit std::mutex mutex;
constinit Aside* first = nullptr;

} // namespace

void Aside::put(Aside* unused) noexcept {
    const std::lock_guard lock(mutex);
    unused->next_ = std::exchange(first, unused);
}

void Aside::free_all() {
    Aside* unused = nullptr;
    {
        const std::lock_guard lock(mutex);
        unused = std::exchange(first, nullptr);
    }
    while (unused) delete std::exchange(unused, unused->next_);
}

} // namespace mpix::comm
