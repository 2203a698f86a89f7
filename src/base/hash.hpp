// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers that look random and that every rank computes alike.
#pragma once

#include <cstdint>

namespace mpix::base {

// The finaliser of splitmix64.
constexpr std::uint64_t mix(std::uint64_t x) {
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// Of several, in their order. Two lists have the same one about never.
template<class... Numbers>
constexpr std::uint64_t hash_of(Numbers... numbers) {
    std::uint64_t all = 0;
    ((all = mix((all ^ static_cast<std::uint64_t>(numbers)) + 0x9e3779b97f4a7c15u)), ...);
    return all;
}

} // namespace mpix::base
