// SPDX-License-Identifier: BSD-3-Clause
//
// How much memory this process can have before the machine, or the limit of a control group that it
// is in, has none left: beyond that limit the kernel does not refuse, it kills.
#pragma once

#include <cstdint>
#include <limits>
#include <string>

namespace mpix::shmem {

inline constexpr std::uint64_t not_known = std::numeric_limits<std::uint64_t>::max();

// In bytes; `not_known` where nothing tells. The files are those under `root`.
std::uint64_t available_memory(const std::string& root = "") noexcept;

} // namespace mpix::shmem
