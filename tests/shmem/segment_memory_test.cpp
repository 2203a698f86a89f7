// SPDX-License-Identifier: BSD-3-Clause
//
// A segment whose books cannot grow, because malloc has no memory: what is allocated or freed then
// is not lost.
#include "catch2.hpp"
#include "shmem/segment.hpp"

#include <cstdlib>
#include <limits>
#include <new>
#include <vector>

using namespace mpix::shmem;

namespace {

// Allocations of this thread that still succeed.
constexpr int all = std::numeric_limits<int>::max();
thread_local int left = all;

std::byte* allocate(Segment& segment, int successes, std::size_t bytes) {
    left = successes;
    try {
        std::byte* const at = segment.allocate(bytes);
        left = all;
        return at;
    } catch (const std::bad_alloc&) {
        left = all;
        return nullptr;
    }
}

} // namespace

// All forms that are used: a sanitizer's own would not fit the others.
// Inlined, only one of a pair would be seen by the compiler, and warned of.
void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
    if (left == 0) return nullptr;
    if (left != all) --left;
    return std::malloc(bytes > 0 ? bytes : 1);
}
void* operator new(std::size_t bytes) {
    void* const memory = operator new(bytes, std::nothrow);
    if (!memory) throw std::bad_alloc();
    return memory;
}
[[gnu::noinline]] void operator delete(void* memory) noexcept { std::free(memory); }
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

TEST_CASE("without memory for its books a segment loses none of its own") {
    Segment segment;
    std::byte* const first = segment.allocate(1);
    segment.free(first);
    std::vector<std::byte*> pieces;
    for (int i = 0; i < 40; ++i) {
        const std::size_t bytes = 20'000 * static_cast<std::size_t>(i % 3 + 1);
        int successes = 0;
        std::byte* at = nullptr;
        while (!(at = allocate(segment, successes, bytes))) REQUIRE(++successes < 10);
        pieces.push_back(at);
    }
    left = 0;
    bool are_freed = true; // one between others first: that is a hole of its own
    for (std::size_t i = 1; i < pieces.size(); i += 2) are_freed &= segment.free(pieces[i]);
    for (std::size_t i = 0; i < pieces.size(); i += 2) are_freed &= segment.free(pieces[i]);
    left = all;
    CHECK(are_freed);
    CHECK(segment.allocate(1'500'000) == first);
}
