// SPDX-License-Identifier: BSD-3-Clause
//
// MPIX_CHECK=1: arrays of the program that the standard does not let it change while a request
// lives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpix::run {

struct Watched {
    const char* name;
    const void* address;
    std::size_t bytes;
    std::uint64_t hash;
};

Watched watch(const char* name, const void* address, std::size_t bytes);

// The name of one whose content is no longer what it was, or null.
const char* changed_array(const std::vector<Watched>& watched);

} // namespace mpix::run
