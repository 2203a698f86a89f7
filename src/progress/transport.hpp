// SPDX-License-Identifier: BSD-3-Clause
//
// How the messages of one plan travel, as this rank sees them, for people.
#pragma once

#include "shmem/queue.hpp"

#include <cstdint>
#include <string>

namespace mpix::progress {

// Messages sent and received, by their way.
struct Transport {
    int host = 0;
    int staged = 0;
    int mapped = 0;
    int read = 0;
    std::uint32_t chunk = 0; // of the staged ones, the largest

    void add(const shmem::Design& design);
};

std::string name(const Transport& transport);    // "staged+read", "none"
std::string to_text(const Transport& transport); // "6 messages staged in 16384 B, 2 messages read"

// Says once a process why nothing goes by shared memory, where MPIX_VERBOSE is set.
void report_no_memory() noexcept;

} // namespace mpix::progress
