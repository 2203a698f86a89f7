// SPDX-License-Identifier: BSD-3-Clause
//
// An element is 36 bits of ranks, 20 of its number and 8 of the round.
#include "elements.hpp"

#include <bit>
#include <cstring>

namespace mpix::plan::test {
namespace {

constexpr std::uint64_t mask_bits = (std::uint64_t{1} << 36) - 1;

} // namespace

void write_elements(std::byte* to, Bytes bytes, std::uint64_t mask, Bytes first, int round) {
    for (Bytes i = 0; i < bytes / element; ++i) {
        const std::uint64_t value = mask | static_cast<std::uint64_t>((first + i) & 0xfffff) << 36 |
                                    static_cast<std::uint64_t>(round & 0xff) << 56;
        std::memcpy(to + i * element, &value, sizeof value);
    }
}

std::string combine_elements(const std::byte* in, std::byte* inout, Bytes bytes, bool commutative) {
    for (Bytes i = 0; i < bytes; i += element) {
        std::uint64_t left, right;
        std::memcpy(&left, in + i, sizeof left);
        std::memcpy(&right, inout + i, sizeof right);
        if ((left & ~mask_bits) != (right & ~mask_bits)) return "combines different elements";
        const std::uint64_t a = left & mask_bits, b = right & mask_bits;
        if (a & b || a == 0 || b == 0) return "combines a rank twice, or nothing";
        if (!commutative && static_cast<int>(std::bit_width(a)) != std::countr_zero(b))
            return "combines out of rank order";
        left |= b;
        std::memcpy(inout + i, &left, sizeof left);
    }
    return "";
}

} // namespace mpix::plan::test
