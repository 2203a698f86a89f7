// SPDX-License-Identifier: BSD-3-Clause
//
// Blocks of the program's buffers as places of rooms.
#include "collective/translation.hpp"

#include "host/failure.hpp"

#include <algorithm>

namespace mpix::collective {
namespace {

using plan::Blocks;
using plan::Buffer;
using plan::Bytes;
using plan::Place;

std::int64_t displacement(const Side& side, std::size_t block, std::int64_t extent) {
    if (side.displacements.empty())
        return static_cast<std::int64_t>(block) * side.count(block) * extent;
    return side.displacements[block] * (side.in_bytes ? 1 : extent);
}

TypedBlock block_of(const Side& side, std::size_t block, const datatype::Bounds& element) {
    return {side.buffer + displacement(side, block, element.extent),
            side.count(block),
            side.type(block),
            element.size,
            element.extent,
            {}};
}

} // namespace

// All blocks are dense, or all are typed: one room a side.
Blocks places(const Side& side, std::size_t blocks, Buffer dense, Buffer typed,
              std::vector<TypedBlock>& table, datatype::Layouts& layouts) {
    bool is_dense = true;
    for (std::size_t i = 0; i < std::min(blocks, side.types.size()); ++i) {
        const bool is_empty = side.types.size() > 1 && side.count(i) == 0;
        is_dense = is_dense && (is_empty || layouts.of(side.types[i]).dense);
    }
    if (is_dense && blocks > 0 && side.counts.size() == 1 && side.types.size() == 1 &&
        side.displacements.empty()) {
        const datatype::Layout& layout = layouts.of(side.type(0));
        return Blocks::regular({dense, 0, side.count(0) * layout.size},
                               side.count(0) * layout.extent, blocks);
    }
    Blocks found;
    for (std::size_t i = 0; i < blocks; ++i) {
        const datatype::Layout& layout = layouts.of(side.type(i));
        const Bytes bytes = side.count(i) * layout.size;
        if (is_dense) {
            found.push_back({dense, displacement(side, i, layout.extent), bytes});
            continue;
        }
        found.push_back({typed, static_cast<Bytes>(i), bytes});
        TypedBlock& block = table.emplace_back(block_of(side, i, layout));
        if (layout.flat) block.flat = layout.flat->repeated(block.count, block.extent);
    }
    return found;
}

Bytes bind_element(Binding& binding, MPI_Datatype type, MPI_Op op) {
    binding.element_type = type;
    binding.element.emplace(type);
    if (binding.element->extent < 0)
        throw host::Failure{host::error_code(MPI_ERR_TYPE, "datatype has a negative extent")};
    binding.reduction = host::Reduction(op, type);
    return std::max<Bytes>(1, binding.element->size);
}

TypedBlock typed_block(const Side& side, std::size_t block) {
    return block_of(side, block, datatype::Bounds(side.type(block)));
}

} // namespace mpix::collective
