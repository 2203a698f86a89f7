// SPDX-License-Identifier: BSD-3-Clause
//
// Non-temporal stores, where the machine has them.
#include "shmem/copying.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace mpix::shmem {

#ifdef __SSE2__

// These stores are not ordered by a release: the fence does that.
void stream_bytes(std::byte* to, const std::byte* from, std::uint64_t bytes) {
    constexpr std::uint64_t step = 4 * sizeof(__m128i);
    const std::uint64_t whole = bytes / step * step;
    for (std::uint64_t at = 0; at < whole; at += step) {
        const auto* source = reinterpret_cast<const __m128i*>(from + at);
        auto* place = reinterpret_cast<__m128i*>(to + at);
        const __m128i a = _mm_loadu_si128(source), b = _mm_loadu_si128(source + 1),
                      c = _mm_loadu_si128(source + 2), d = _mm_loadu_si128(source + 3);
        _mm_stream_si128(place, a);
        _mm_stream_si128(place + 1, b);
        _mm_stream_si128(place + 2, c);
        _mm_stream_si128(place + 3, d);
    }
    copy_bytes(to + whole, from + whole, bytes - whole);
    _mm_sfence();
}

#else

void stream_bytes(std::byte* to, const std::byte* from, std::uint64_t bytes) {
    copy_bytes(to, from, bytes);
}

#endif

} // namespace mpix::shmem
