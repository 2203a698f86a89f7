// SPDX-License-Identifier: BSD-3-Clause
//
// How long a message may be without its receiver being asked whether it is ready, found by what two
// of a length take and one of twice that.
#pragma once

#include <array>

namespace mpix::comm {

// Microseconds, from one to the other.
struct WholeAndParts {
    double whole = 0, parts = 0;

    double gain() const { return whole - parts; }
    bool is_clear() const { return parts < 0.8 * whole; }
};

// Powers of two are the limits of most hosts, with what goes before a message or without.
inline constexpr std::array<int, 4> part_lengths{8 << 10, 16 << 10, 32 << 10, (64 << 10) - 512};

struct EagerParts {
    int bytes = 0;           // 0: none gain
    WholeAndParts two, last; // of those, and of the last that were compared
};

// The shortest parts that gain, of twice which the receiver has to be asked, or longer ones that
// are less than that, if bytes go quicker in them: of two long messages it is asked at once, and
// they gain as well. compare(bytes of a part) measures, so often at the most: what it has seen it
// has to see again.
inline constexpr int most_looks = 6;

template<class Compare>
EagerParts find_eager_parts(double latency_us, Compare compare) {
    EagerParts found;
    const auto of_byte = [=](const WholeAndParts& of, int part) {
        return (of.parts - latency_us) / part;
    };
    int looks = 0;
    for (const int length : part_lengths) {
        if (looks == most_looks || (found.bytes > 0 && length >= 2 * found.bytes)) break;
        ++looks;
        const WholeAndParts once = found.last = compare(length);
        if (!once.is_clear() || looks == most_looks) continue;
        if (found.bytes > 0 && of_byte(once, length) >= of_byte(found.two, found.bytes)) continue;
        ++looks;
        found.last = compare(length);
        if (!found.last.is_clear()) continue;
        found.two = found.last.gain() < once.gain() ? found.last : once;
        found.bytes = length;
    }
    return found;
}

} // namespace mpix::comm
