// SPDX-License-Identifier: BSD-3-Clause
//
// The steps that move or combine data within a rank: copying, packing, unpacking, reducing.
#include "progress/bound_plan.hpp"

#include "datatype/layout.hpp"
#include "host/failure.hpp"

#include <algorithm>
#include <climits>
#include <cstring>
#include <new>

namespace mpix::progress {

using plan::Buffer;
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

int unreadable() noexcept try {
    return host::error_code(MPI_ERR_OTHER, "the memory of a rank on this node cannot be read");
} catch (const std::bad_alloc&) {
    return MPI_ERR_OTHER;
}

void BoundPlan::copy(StepId id, int& error) {
    const Step& step = this->step(id);
    const Bound& bound = this->bound(id);
    const auto block = [](const std::vector<TypedBlock>& table,
                          const plan::Span& span) -> const TypedBlock& {
        return table[static_cast<std::size_t>(span.offset)];
    };
    if (step.from.buffer == Buffer::send_blocks)
        return note_error(error, pack(block(binding_.send_blocks, step.from), bound.to));
    if (step.from.buffer == Buffer::recv_blocks)
        return note_error(error, pack(block(binding_.recv_blocks, step.from), bound.to));
    if (step.to.buffer == Buffer::recv_blocks)
        return note_error(error, unpack(bound.from, block(binding_.recv_blocks, step.to)));
    if (step.copies == 0) return copy_elements(bound.from, bound.to, bound.bytes, error);
    plan::each_copy(step, plan_.copies_of(step), [&](const plan::Copy& copy) {
        copy_elements(bound.from + binding_.extent_of(copy.from),
                      bound.to + binding_.extent_of(copy.to), copy.bytes, error);
    });
}

void BoundPlan::copy_elements(const std::byte* from, std::byte* to, std::int64_t bytes,
                              int& error) {
    if (bytes == 0) return; // the buffers may be null
    if (binding_.is_dense()) {
        std::memcpy(to, from, static_cast<std::size_t>(bytes));
        return;
    }
    const datatype::Layout& element = *binding_.element;
    const std::int64_t count = bytes / element.size;
    if (element.flat) return element.flat->copy(from, to, count, element.extent);
    TypedBlock elements{const_cast<std::byte*>(from),
                        count,
                        binding_.element_type,
                        element.size,
                        element.extent,
                        {}};
    note_error(error, pack(elements, bounce_.data()));
    elements.address = to;
    note_error(error, unpack(bounce_.data(), elements));
}

void BoundPlan::reduce(StepId id, int& error) const {
    const Bound& bound = this->bound(id);
    reduce_elements(bound.from, bound.to, bound.bytes, error);
}

// to = from (op) to
void BoundPlan::reduce_elements(const std::byte* from, std::byte* to, std::int64_t bytes,
                                int& error) const {
    const datatype::Layout& element = *binding_.element;
    note_error(error,
               binding_.reduction.reduce_into(from, to, bytes / element.size, element.extent));
}

void BoundPlan::combine_elements(std::byte* received, const std::byte* own, std::byte* to,
                                 std::int64_t bytes, bool received_first, int& error) {
    if (binding_.reduction.has_kernel()) {
        const std::byte* const left = received_first ? received : own;
        const std::byte* const right = received_first ? own : received;
        binding_.reduction.kernel(left, right, to,
                                  static_cast<std::size_t>(bytes / binding_.element->size));
    } else if (received_first) {
        if (own != to) copy_elements(own, to, bytes, error);
        reduce_elements(received, to, bytes, error);
    } else {
        reduce_elements(own, received, bytes, error);
        copy_elements(received, to, bytes, error);
    }
}

void BoundPlan::combine(StepId id, int& error) {
    const Bound& bound = this->bound(id);
    combine_elements(bound.stage, bound.from, bound.to, bound.bytes, step(id).received_first,
                     error);
}

void BoundPlan::copy(StepId id, std::int64_t begin, std::int64_t end, int& error) {
    const Bound& bound = this->bound(id);
    if (end - begin >= bound.bytes) return copy(id, error);
    copy_elements(bound.from + binding_.extent_of(begin), bound.to + binding_.extent_of(begin),
                  end - begin, error);
}

void BoundPlan::reduce(StepId id, std::int64_t begin, std::int64_t end, int& error) const {
    const Bound& bound = this->bound(id);
    reduce_elements(bound.from + binding_.extent_of(begin), bound.to + binding_.extent_of(begin),
                    end - begin, error);
}

void BoundPlan::take_from(std::byte* hold, StepId id, std::int64_t begin, std::int64_t end,
                          int& error) {
    const Bound& bound = this->bound(id);
    if (bound.bytes == 0) return;
    const std::int64_t at = binding_.extent_of(begin);
    if (step(id).action == plan::Action::combine)
        combine_elements(hold + at, bound.from + at, bound.to + at, end - begin,
                         step(id).received_first, error);
    else
        copy_elements(hold + at, bound.to + at, end - begin, error);
}

bool BoundPlan::take(StepId id, int& error) {
    const Bound& bound = this->bound(id);
    const Step& step = this->step(id);
    shmem::Receiver& in = *bound.in;
    bool is_whole = false;
    if (step.action == plan::Action::combine && binding_.reduction.has_kernel()) {
        is_whole =
            in.combine(binding_.reduction.kernel, static_cast<std::size_t>(binding_.element->size),
                       bound.from, bound.to, step.received_first);
    } else if (step.action == plan::Action::combine) {
        is_whole = in.copy_to(bound.stage);
        if (is_whole) combine(id, error);
    } else {
        is_whole = in.copy_to(bound.to);
    }
    if (in.failed()) note_error(error, unreadable());
    return is_whole;
}

} // namespace mpix::progress
