// SPDX-License-Identifier: BSD-3-Clause
//
// How far a segment has grown.
#pragma once

#include "shmem/segment.hpp"

#include <sys/stat.h>

#include <cstddef>

namespace mpix::shmem::test {

inline std::size_t file_size(const Segment& segment) {
    struct stat found {};
    return fstat(segment.ticket().file, &found) == 0 ? static_cast<std::size_t>(found.st_size) : 0;
}

} // namespace mpix::shmem::test
