// SPDX-License-Identifier: BSD-3-Clause
//
// MPIX_CHECK=1: arrays of the program that the standard does not let it change while a request
// lives.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace mpix::base {

struct CheckedArray {
    const char* name;
    const void* address;
    std::size_t bytes;
    std::uint64_t hash;
};

CheckedArray remember(const char* name, const void* address, std::size_t bytes);

// The name of one whose content is no longer what it was, or null.
const char* changed_array(const std::vector<CheckedArray>& watched);

} // namespace mpix::base
