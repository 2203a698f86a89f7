// SPDX-License-Identifier: BSD-3-Clause
// Random numbers that are the same on every rank and host: streams for the generator, and hashes
// for choices that must not move when another part of a program is left out.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace fuzz {

inline std::uint64_t mix(std::uint64_t x) { // the finaliser of splitmix64
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

template<class... Parts>
std::uint64_t hash(Parts... parts) {
    std::uint64_t mixed = 0;
    ((mixed = mix(mixed ^ static_cast<std::uint64_t>(parts))), ...);
    return mixed;
}

class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(mix(seed)) {}

    std::uint64_t next() { return mix(state_++); }
    long below(long bound) { return static_cast<long>(next() % static_cast<std::uint64_t>(bound)); }
    long between(long least, long most) { return least + below(most - least + 1); }
    bool chance(int percent) { return below(100) < percent; }

    template<class T>
    const T& pick(const std::vector<T>& from) {
        return from[static_cast<std::size_t>(below(static_cast<long>(from.size())))];
    }
    template<class T>
    T pick(std::initializer_list<T> from) {
        return from.begin()[below(static_cast<long>(from.size()))];
    }
    template<class T>
    void shuffle(std::vector<T>& values) {
        for (std::size_t i = values.size(); i > 1; i--)
            std::swap(values[i - 1], values[static_cast<std::size_t>(below(static_cast<long>(i)))]);
    }
    // The place of a weight, each as likely as it is heavy.
    int weighted(std::initializer_list<int> weights) {
        long total = 0;
        for (const int weight : weights) total += weight;
        long left = below(total);
        int place = 0;
        for (const int weight : weights) {
            if (left < weight) return place;
            left -= weight;
            place++;
        }
        return place;
    }

  private:
    std::uint64_t state_;
};

} // namespace fuzz
