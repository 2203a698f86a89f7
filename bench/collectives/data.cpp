// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/data.hpp"

#include "bench/common/pattern.hpp"
#include "bench/common/stencil.hpp"

#include <algorithm>
#include <cstdint>

namespace mpix::bench {

namespace {

std::size_t blocks(int count) { return static_cast<std::size_t>(count); }

std::int64_t* as_integers(const Room& room) {
    static_assert(sizeof(std::int64_t) == sizeof(double));
    return reinterpret_cast<std::int64_t*>(room.get());
}

} // namespace

Data::Layout Data::lay_out(int blocks, int count, MPI_Datatype type) {
    Layout layout;
    for (int block = 0; block < blocks; ++block) {
        const int place = block * count;
        layout.counts.push_back(count);
        layout.places.push_back(place);
        layout.byte_places.push_back(place * static_cast<int>(sizeof(double)));
        layout.wide_places.push_back(MPI_Aint{place} * static_cast<MPI_Aint>(sizeof(double)));
        layout.types.push_back(type);
    }
    return layout;
}

// MPICH's exscan refuses a null receive buffer on the first rank, where nothing is received.
Data::Data(const Operation& operation, Place place, std::size_t bytes, Memory memory, bool integers)
    : operation_(operation), place_(place), integers_(integers), block_(bytes / sizeof(double)),
      sent_(blocks(operation.blocks_sent(place)) * block_), send_(allocate(memory, sent_)),
      receive_(allocate(memory, std::max(blocks(operation.blocks_received(place)), std::size_t{1}) *
                                    block_)),
      layout_(lay_out(std::max(place.ranks, stencil_neighbors), static_cast<int>(block_), type())) {
}

Buffers Data::buffers() {
    return {send_.get(),
            receive_.get(),
            type(),
            static_cast<int>(block_),
            layout_.counts.data(),
            layout_.places.data(),
            layout_.byte_places.data(),
            layout_.wide_places.data(),
            layout_.types.data()};
}

void Data::rewrite(int serial) {
    const auto write = [&](auto* to) {
        write_pattern(to, static_cast<int>(sent_), first_element(place_.rank, serial));
    };
    integers_ ? write(as_integers(send_)) : write(send_.get());
}

bool Data::right(int serial) const {
    const Room& received = operation_.one_buffer ? send_ : receive_;
    const int count = static_cast<int>(block_);
    for (int block = 0; block < operation_.blocks_received(place_); ++block) {
        const auto [rank, summed, sent_block] = operation_.source(place_, block);
        double first = 0;
        for (int other = rank; other < rank + summed; ++other)
            first += first_element(other, serial) + static_cast<double>(sent_block) * count;
        const auto holds = [&, step = summed](const auto* from) {
            return holds_pattern(from + block * count, count, first, step);
        };
        if (!(integers_ ? holds(as_integers(received)) : holds(received.get()))) return false;
    }
    return true;
}

} // namespace mpix::bench
