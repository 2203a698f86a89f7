// SPDX-License-Identifier: BSD-3-Clause
// Where strides are negative the first buffer is the last in memory.
#include "ring.hpp"

#include <algorithm>
#include <cstdlib>

namespace fuzz {
namespace {

constexpr std::byte left{0x5A};

} // namespace

Ring::Ring(const Memory& one, int slots, Offset stride)
    : stride_(stride), start_(one.start), size_(one.bytes.size()) {
    const Offset others = (slots - 1) * std::abs(stride);
    memory_.bytes.resize(size_ + at(others));
    memory_.start = start_ + (stride < 0 ? others : 0);
    for (int slot = 0; slot < slots; slot++) put(slot, one);
}

void Ring::put(int slot, const Memory& one) {
    std::copy(one.bytes.begin(), one.bytes.end(), memory_.bytes.begin() + place(slot));
}

Memory Ring::get(int slot) const {
    const auto begin = memory_.bytes.begin() + place(slot);
    return {{begin, begin + static_cast<std::ptrdiff_t>(size_)}, start_};
}

void Ring::move() {
    left_ = memory_.bytes;
    memory_.bytes.swap(left_);
    std::fill(left_.begin(), left_.end(), left);
}

bool Ring::is_left_alone() const {
    return std::all_of(left_.begin(), left_.end(), [](std::byte byte) { return byte == left; });
}

} // namespace fuzz
