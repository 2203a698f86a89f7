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
    const auto block = [](const std::vector<TypedBlock>& table, const plan::Span& span) {
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
    const std::int64_t count = bound.bytes / binding_.element->size;
    TypedBlock elements{bound.from, count, binding_.element_type, binding_.element->size,
                        binding_.element->extent};
    note(pack(elements, bounce_.data()));
    elements.address = bound.to;
    note(unpack(bounce_.data(), elements));
}

void Operation::reduce(StepId id) {
    const Bound& bound = this->bound(id);
    const Layout& element = *binding_.element;
    note(binding_.reduction.reduce_into(bound.from, bound.to, bound.bytes / element.size,
                                        element.extent));
}

} // namespace mpix::run
