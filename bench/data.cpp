// SPDX-License-Identifier: BSD-3-Clause
#include "data.hpp"

#include <algorithm>

namespace mpix::bench {

namespace {

// An element is serial * 2^32 + rank * 2^22 + index: sums over some hundred ranks stay exact.
constexpr double rank_unit = 4194304.0;
constexpr double serial_unit = 4294967296.0;

double header(int rank, int serial) { return serial % 4096 * serial_unit + rank * rank_unit; }

void write(std::vector<double>& buffer, double first) {
    double* const to = buffer.data();
    const int size = static_cast<int>(buffer.size());
    for (int index = 0; index < size; ++index) to[index] = first + index;
}

bool holds(const double* from, int count, double first, double step) {
    int wrong = 0;
    for (int index = 0; index < count; ++index) wrong |= from[index] != first + step * index;
    return wrong == 0;
}

std::size_t blocks(int count) { return static_cast<std::size_t>(count); }

} // namespace

// MPICH's exscan refuses a null receive buffer on the first rank, where nothing is received.
Data::Data(const Operation& operation, Place place, std::size_t bytes)
    : operation_(operation), place_(place), block_(bytes / sizeof(double)),
      send_(blocks(operation.blocks_sent(place)) * block_),
      receive_(std::max(blocks(operation.blocks_received(place)), std::size_t{1}) * block_) {}

Buffers Data::buffers() { return {send_.data(), receive_.data(), static_cast<int>(block_)}; }

void Data::rewrite(int serial) { write(send_, header(place_.rank, serial)); }

bool Data::right(int serial) const {
    const double* const received = operation_.one_buffer ? send_.data() : receive_.data();
    const int count = static_cast<int>(block_);
    for (int block = 0; block < operation_.blocks_received(place_); ++block) {
        const auto [rank, summed, sent_block] = operation_.source(place_, block);
        double first = 0;
        for (int other = rank; other < rank + summed; ++other)
            first += header(other, serial) + static_cast<double>(sent_block) * count;
        if (!holds(received + block * count, count, first, summed)) return false;
    }
    return true;
}

} // namespace mpix::bench
