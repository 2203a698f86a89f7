// SPDX-License-Identifier: BSD-3-Clause
//
// Room around elements, and other buffers.
#include "progress/binding.hpp"

#include <algorithm>

namespace mpix::progress {
namespace {

void move_side(std::byte*& buffer, std::vector<TypedBlock>& blocks,
               const std::optional<std::byte*>& to) {
    if (!to) return;
    for (TypedBlock& block : blocks) block.address = *to + (block.address - buffer);
    buffer = *to;
}

} // namespace

Binding::Extent Binding::extent_with_room(std::int64_t bytes) const {
    if (is_dense()) return {bytes, 0};
    const std::int64_t low = std::min(element->lb, element->true_lb);
    const std::int64_t high =
        std::max(element->lb + element->extent, element->true_lb + element->true_extent);
    const std::int64_t shift = low & ~std::int64_t{15};
    return {extent_of(bytes) + high - shift, shift};
}

void Binding::move(const Places& to) {
    move_side(send, send_blocks, to.send);
    move_side(recv, recv_blocks, to.recv);
}

} // namespace mpix::progress
