// SPDX-License-Identifier: BSD-3-Clause
//
// Copying between processes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace mpix::shmem {

// Small sizes without a call.
inline void copy_bytes(std::byte* to, const std::byte* from, std::uint64_t bytes) {
    if (bytes == 8)
        std::memcpy(to, from, 8);
    else if (bytes == 4)
        std::memcpy(to, from, 4);
    else if (bytes > 0)
        std::memcpy(to, from, bytes);
}

// Copies to aligned memory that another core has in its caches, and will read next: past the
// caches, because taking its lines away one by one takes longer. A later store with release is
// seen after all of it.
void stream_bytes(std::byte* to, const std::byte* from, std::uint64_t bytes);

} // namespace mpix::shmem
