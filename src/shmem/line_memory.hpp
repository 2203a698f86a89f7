// SPDX-License-Identifier: BSD-3-Clause
//
// Memory for objects on cache lines of their own. It is a little more of the plain kind, as C
// libraries keep a freed block of that ready for the next, and search for an aligned one.
#pragma once

#include "shmem/segment.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <vector>

namespace mpix::shmem {

inline void* allocate_lines(std::size_t bytes) {
    auto* const whole = static_cast<std::byte*>(::operator new(bytes + cache_line));
    // Behind where it begins by 16 bytes at least, as that is aligned to 16 or more.
    static_assert(__STDCPP_DEFAULT_NEW_ALIGNMENT__ >= sizeof whole);
    std::byte* const lines =
        whole + cache_line - reinterpret_cast<std::uintptr_t>(whole) % cache_line;
    std::memcpy(lines - sizeof whole, &whole, sizeof whole);
    return lines;
}

inline void free_lines(void* lines) noexcept {
    if (!lines) return;
    std::byte* whole = nullptr;
    std::memcpy(&whole, static_cast<std::byte*>(lines) - sizeof whole, sizeof whole);
    ::operator delete(whole);
}

// A base of classes that are aligned to lines.
struct OnLines {
    static void* operator new(std::size_t bytes) { return allocate_lines(bytes); }
    static void* operator new(std::size_t, void* at) noexcept { return at; }
    static void operator delete(void* lines) noexcept { free_lines(lines); }
};

template<class T>
struct LineAllocator {
    using value_type = T;

    LineAllocator() = default;
    template<class Other>
    LineAllocator(const LineAllocator<Other>&) noexcept {}

    T* allocate(std::size_t count) { return static_cast<T*>(allocate_lines(count * sizeof(T))); }
    void deallocate(T* lines, std::size_t) noexcept { free_lines(lines); }
    bool operator==(const LineAllocator&) const = default;
};

template<class T>
using LineVector = std::vector<T, LineAllocator<T>>;

} // namespace mpix::shmem
