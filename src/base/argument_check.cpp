// SPDX-License-Identifier: BSD-3-Clause
//
// Hashing.
#include "base/argument_check.hpp"

#include <algorithm>

namespace mpix::base {
namespace {

// FNV-1a.
std::uint64_t hash(const void* from, std::size_t bytes) {
    const auto* byte = static_cast<const unsigned char*>(from);
    std::uint64_t value = 0xcbf29ce484222325u;
    for (std::size_t i = 0; i < bytes; ++i) value = (value ^ byte[i]) * 0x100000001b3u;
    return value;
}

} // namespace

CheckedArray remember(const char* name, const void* address, std::size_t bytes) {
    return {name, address, bytes, hash(address, bytes)};
}

const char* changed_array(const std::vector<CheckedArray>& watched) {
    const auto found = std::find_if(watched.begin(), watched.end(), [](const CheckedArray& array) {
        return hash(array.address, array.bytes) != array.hash;
    });
    return found == watched.end() ? nullptr : found->name;
}

} // namespace mpix::base
