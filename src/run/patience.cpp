// SPDX-License-Identifier: BSD-3-Clause
//
// Whether the ranks on this node have a core each.
#include "run/patience.hpp"

#include "host/host.hpp"

#include <unistd.h>

namespace mpix::run {

int Patience::spins() {
    static const int polls = [] {
        const int ranks = host::ranks_on_node();
        const bool crowded = ranks == 0 || ranks > sysconf(_SC_NPROCESSORS_ONLN);
        return crowded ? 4 : 1000;
    }();
    return polls;
}

} // namespace mpix::run
