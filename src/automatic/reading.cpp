// SPDX-License-Identifier: BSD-3-Clause
//
// What makes a call fit for a plan.
#include "automatic/reading.hpp"

#include "automatic/derived.hpp"
#include "automatic/predefined.hpp"
#include "base/hash.hpp"
#include "datatype/ops.hpp"
#include "host/host.hpp"

namespace mpix::automatic {
namespace {

constexpr std::int64_t most_bytes = std::int64_t{1} << 29; // of a buffer: positions in it are ints

} // namespace

bool Reading::has_fit_size() const {
    const plan::Collective collective = call_.key.collective;
    if (collective == plan::Collective::barrier) return true;
    const bool is_whole =
        collective == plan::Collective::bcast || collective == plan::Collective::allgatherv ||
        collective == plan::Collective::reduce_scatter ||
        (plan::is_reduction(collective) && collective != plan::Collective::reduce_scatter_block);
    return call_.key.bytes > 0 && call_.key.bytes <= most_bytes / (is_whole ? 1 : on_.ranks);
}

bool Reading::has_root(int root) {
    call_.key.root = root;
    is_fit_ = is_fit_ && root >= 0 && root < on_.ranks;
    return is_fit_;
}

bool Reading::reduces(MPI_Datatype type, MPI_Op op) {
    const Predefined* const known = find_predefined(type);
    if (!known || known->element < 0 || !datatype::is_predefined_op(op)) {
        refuse();
        return false;
    }
    const std::int64_t number = datatype::number_of(op, true);
    call_.key.op = static_cast<std::int16_t>(number);
    call_.key.element = known->element;
    call_.order_shows = known->order_shows;
    call_.op = op;
    call_.element = type;
    call_.element_size = known->size;
    is_fit_ = is_fit_ && (known->ops >> number & 1) != 0;
    return is_fit_;
}

void Reading::read(Region& region, const void* buffer, std::int64_t count, MPI_Datatype type,
                   std::size_t blocks, bool may_be_empty) {
    const Predefined* const known = find_predefined(type);
    Derived own;
    if (!known && type != MPI_DATATYPE_NULL) own = derived_of(type);
    const std::int64_t size = known ? known->size : own.size;
    const auto all = static_cast<std::int64_t>(blocks);
    // A type of the program may have its addresses in itself.
    const bool is_null = (known || own.is_dense) && !buffer && count > 0;
    std::int64_t bytes = 0;
    if (count < 0 || type == MPI_DATATYPE_NULL || buffer == MPI_IN_PLACE || is_null ||
        __builtin_mul_overflow(count, size, &bytes) || __builtin_mul_overflow(bytes, all, &bytes) ||
        (bytes == 0 && !may_be_empty))
        return refuse();
    region.buffer = static_cast<std::byte*>(const_cast<void*>(buffer));
    region.count = count * all;
    region.type = type;
    region.bytes = bytes;
    region.is_there = true;
    region.is_dense = known || own.is_dense;
    region.is_predefined = known != nullptr;
}

std::int64_t Reading::count_all(Numbers counts) {
    std::int64_t all = 0;
    std::uint64_t hash = 0;
    for (std::size_t i = 0; i < blocks(); ++i) {
        if (counts[i] < 0 || __builtin_add_overflow(all, counts[i], &all)) refuse();
        hash = base::hash_of(hash, counts[i]);
    }
    call_.counts = counts;
    call_.key.counts = hash;
    return all;
}

void Reading::read_blocks(Region& region, void* buffer, Numbers counts, Numbers displacements,
                          MPI_Datatype type) {
    read(region, buffer, count_all(counts), type, 1);
    if (!is_fit_) return;
    const std::int64_t size = region.bytes / region.count;
    // The sizes of blocks are equal on all ranks, their numbers of elements need not be.
    std::uint64_t hash = 0;
    std::int64_t at = 0;
    for (std::size_t i = 0; i < blocks(); ++i) {
        region.is_dense = region.is_dense && (displacements[i] == at || counts[i] == 0);
        at += counts[i];
        hash = base::hash_of(hash, counts[i] * size);
    }
    call_.key.counts = hash;
    call_.key.bytes = region.bytes;
    call_.element_size = size;
    if (region.is_dense) return;
    region.blocks = blocks();
    region.counts = counts;
    region.displacements = displacements;
}

// Of all blocks of a root, that are alike.
void Reading::take_own_block(Region& block, const Region& all, bool is_copied) {
    if (!is_fit_) return;
    block = all;
    block.count /= on_.ranks;
    block.bytes /= on_.ranks;
    MPI_Aint lb = 0, extent = 0;
    HOST(Type_get_extent)(all.type, &lb, &extent);
    block.buffer += on_.rank * block.count * extent;
    call_.sends_copy = is_copied;
}

void Reading::copy_from(const Region& received) {
    call_.send = received;
    call_.sends_copy = true;
}

void Reading::send_of_reduction(const void* sendbuf, std::int64_t count, MPI_Datatype type,
                                bool may_be_in_place) {
    if (may_be_in_place && sendbuf == MPI_IN_PLACE) return copy_from(call_.recv);
    read(call_.send, sendbuf, count, type, 1);
    if (call_.recv.is_there && call_.send.buffer == call_.recv.buffer) refuse();
}

} // namespace mpix::automatic
