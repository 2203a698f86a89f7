// SPDX-License-Identifier: BSD-3-Clause
//
// Buffers grow with the places in them; blocks that are not dense are as large as they are.
#include "images.hpp"
#include "index.hpp"

#include <algorithm>

namespace mpix::plan::test {

std::byte* at(Memory& memory, const Place& place) {
    switch (place.buffer) {
    case Buffer::send: return memory.send.data() + place.offset;
    case Buffer::recv: return memory.recv.data() + place.offset;
    case Buffer::send_blocks: return memory.send_blocks[index(place.offset)].data();
    default: return memory.recv_blocks[index(place.offset)].data();
    }
}

void size_rooms(Memory& memory, const Blocks& places) {
    for (const Place& place : places) {
        const auto end = index(place.offset + place.bytes) + 3;
        if (place.buffer == Buffer::send) memory.send.resize(std::max(memory.send.size(), end));
        if (place.buffer == Buffer::recv) memory.recv.resize(std::max(memory.recv.size(), end));
        if (!is_blocks(place.buffer)) continue;
        auto& blocks =
            place.buffer == Buffer::send_blocks ? memory.send_blocks : memory.recv_blocks;
        blocks.resize(std::max(blocks.size(), index(place.offset) + 1));
        blocks[index(place.offset)].resize(index(place.bytes));
    }
}

void scramble(std::vector<std::byte>& bytes, unsigned seed) {
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = static_cast<std::byte>((seed + i * 7 + i / 251) * 2654435761u >> 13);
}

} // namespace mpix::plan::test
