// SPDX-License-Identifier: BSD-3-Clause
//
// For what cannot stop halfway, as other ranks wait for the rest: where memory is missing it is
// asked for again, a hundred times in a tenth of a second, before that is an error.
#pragma once

#include <chrono>
#include <cstddef>
#include <memory>
#include <new>
#include <thread>

namespace mpix::plan {

// Calls it until it throws no bad_alloc; the last one passes.
template<class Call>
auto insist_on_memory(Call call) {
    constexpr int most_tries = 100;
    for (int tries = 1; tries < most_tries; ++tries) {
        try {
            return call();
        } catch (const std::bad_alloc&) {
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    }
    return call();
}

template<class T>
struct InsistentAllocator {
    using value_type = T;

    InsistentAllocator() = default;
    template<class Other>
    InsistentAllocator(const InsistentAllocator<Other>&) noexcept {}

    T* allocate(std::size_t count) {
        return insist_on_memory([count] { return std::allocator<T>().allocate(count); });
    }
    void deallocate(T* memory, std::size_t count) noexcept {
        std::allocator<T>().deallocate(memory, count);
    }
    bool operator==(const InsistentAllocator&) const = default;
};

} // namespace mpix::plan
