// SPDX-License-Identifier: BSD-3-Clause
//
// The steps that move or combine data within a rank: copying, packing, unpacking, reducing.
#include "run/operation.hpp"

#include <algorithm>
#include <climits>
#include <cstring>

namespace mpix::run {

using plan::Room;
using plan::Step;
using plan::StepId;

namespace {

// Elements that one host call may handle: counts and buffer sizes are int.
std::int64_t portion(std::int64_t element_bytes) {
    return std::max<std::int64_t>(1, (INT_MAX / 2) / std::max<std::int64_t>(1, element_bytes));
}

int pack(const TypedBlock& block, std::byte* to) {
    if (block.flat) {
        block.flat->pack(block.address, to);
        return MPI_SUCCESS;
    }
    const std::int64_t most = portion(block.size);
    for (std::int64_t first = 0; first < block.count; first += most) {
        const auto count = static_cast<int>(std::min(most, block.count - first));
        int position = 0;
        const int code = HOST(Pack)(block.address + first * block.extent, count, block.type,
                                    to + first * block.size, static_cast<int>(count * block.size),
                                    &position, host::self());
        if (code != MPI_SUCCESS) return code;
    }
    return MPI_SUCCESS;
}

int unpack(const std::byte* from, const TypedBlock& block) {
    if (block.flat) {
        block.flat->unpack(from, block.address);
        return MPI_SUCCESS;
    }
    const std::int64_t most = portion(block.size);
    for (std::int64_t first = 0; first < block.count; first += most) {
        const auto count = static_cast<int>(std::min(most, block.count - first));
        int position = 0;
        const int code =
            HOST(Unpack)(from + first * block.size, static_cast<int>(count * block.size), &position,
                         block.address + first * block.extent, count, block.type, host::self());
        if (code != MPI_SUCCESS) return code;
    }
    return MPI_SUCCESS;
}

} // namespace

void Operation::copy(StepId id) {
    const Step& step = this->step(id);
    const Bound& bound = this->bound(id);
    const auto block = [](const std::vector<TypedBlock>& table,
                          const plan::Span& span) -> const TypedBlock& {
        return table[static_cast<std::size_t>(span.offset)];
    };
    if (step.from.room == Room::send_blocks)
        return note(pack(block(binding_.send_blocks, step.from), bound.to));
    if (step.from.room == Room::recv_blocks)
        return note(pack(block(binding_.recv_blocks, step.from), bound.to));
    if (step.to.room == Room::recv_blocks)
        return note(unpack(bound.from, block(binding_.recv_blocks, step.to)));
    if (!binding_.element || binding_.element->dense) {
        std::memcpy(bound.to, bound.from, static_cast<std::size_t>(bound.bytes));
        return;
    }
    const Layout& element = *binding_.element;
    const std::int64_t count = bound.bytes / element.size;
    if (element.flat) return element.flat->copy(bound.from, bound.to, count, element.extent);
    TypedBlock elements{bound.from, count, binding_.element_type, element.size, element.extent, {}};
    note(pack(elements, bounce_.data()));
    elements.address = bound.to;
    note(unpack(bounce_.data(), elements));
}

void Operation::reduce(StepId id) {
    const Bound& bound = this->bound(id);
    const Layout& element = *binding_.element;
    std::int64_t left = bound.bytes / element.size;
    const std::byte* from = bound.from;
    std::byte* to = bound.to;
    while (left > 0) {
        const std::int64_t count = std::min<std::int64_t>(left, INT_MAX);
        note(host::reduce(from, to, static_cast<int>(count), binding_.element_type, binding_.op));
        from += count * element.extent;
        to += count * element.extent;
        left -= count;
    }
}

} // namespace mpix::run
