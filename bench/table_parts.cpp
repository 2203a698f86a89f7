// SPDX-License-Identifier: BSD-3-Clause
#include "table_parts.hpp"

#include <cstdio>
#include <cstdlib>

namespace mpix::bench::table {

void print_setting(const Setting& setting) {
    std::printf("host   %s (%s)\n", setting.host.c_str(), setting.library.c_str());
    std::printf("ranks  %d on %d cores, %s\n", setting.ranks, setting.placement.cores,
                setting.placement.core_each ? "a core each"
                                            : "sharing them as the scheduler likes");
    if (setting.ranks > setting.placement.cores)
        std::printf("       libmpix lets the host's calls yield their cores too: without it the "
                    "host's times may be far longer\n");
    if (const char* plan = std::getenv("MPIX_PLAN")) std::printf("mpix   MPIX_PLAN=%s\n", plan);
}

} // namespace mpix::bench::table
