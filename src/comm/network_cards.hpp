// SPDX-License-Identifier: BSD-3-Clause
//
// The cards of a node that carry messages without the kernel: InfiniBand's, and what is like them.
#pragma once

#include <cstdint>
#include <filesystem>

namespace mpix::comm {

// Those that have a link.
int fast_cards();
// The same, where devices are listed in a folder for each class.
int count_cards(const std::filesystem::path& classes);

// Bits of which nodes that differ have the union: those of the node with the fewest cards.
std::uint64_t missing_cards(int cards);
int fewest_cards(std::uint64_t missing);

} // namespace mpix::comm
