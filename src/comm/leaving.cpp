// SPDX-License-Identifier: BSD-3-Clause
#include "comm/leaving.hpp"

#include <algorithm>
#include <cstddef>

namespace mpix::comm {

bool leaves(std::span<const Missing> of_mates, int self) {
    const auto count = static_cast<int>(of_mates.size());
    const auto lacks_most = [&](const Missing& missing) { return 2 * missing.mates > count; };
    if (std::ranges::any_of(of_mates, lacks_most))
        return lacks_most(of_mates[static_cast<std::size_t>(self)]);
    int leaver = -1, most = 0;
    for (int position = 0; position < count; ++position) {
        const auto missed = std::ranges::count(of_mates, position, &Missing::first);
        const int score =
            of_mates[static_cast<std::size_t>(position)].mates + static_cast<int>(missed);
        if (score < most || score == 0) continue;
        most = score;
        leaver = position;
    }
    return leaver == self;
}

} // namespace mpix::comm
