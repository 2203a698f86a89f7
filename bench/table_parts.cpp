// SPDX-License-Identifier: BSD-3-Clause
#include "table_parts.hpp"

#include "text.hpp"

#include <cstdio>
#include <cstdlib>

namespace mpix::bench::table {

namespace {

std::string timed(std::optional<double> nanoseconds) {
    return nanoseconds ? microseconds(*nanoseconds) : "-";
}

void print_copies(const char* title, const Floors& floors,
                  std::optional<double> (*time)(const Copies&)) {
    std::printf("  %-32s", title);
    for (const Copies& copies : floors.copies) {
        const auto nanoseconds = time(copies);
        char rate[32] = "";
        if (nanoseconds && *nanoseconds > 0 && copies.bytes > 8)
            std::snprintf(rate, sizeof rate, "%5.1f GB/s",
                          static_cast<double>(copies.bytes) / *nanoseconds);
        std::printf(" %9s %10s", timed(nanoseconds).c_str(), rate);
    }
    std::printf("\n");
}

} // namespace

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

void print_floors(const Floors& floors) {
    std::printf("\nfloors of this machine, without MPI: the least of many, microseconds\n");
    std::printf("  %-32s %9s\n", "cache line, half a round trip",
                timed(floors.half_roundtrip).c_str());
    std::printf("  %-32s %9s\n", "sched_yield", microseconds(floors.yield).c_str());
    std::printf("  %-32s %9s\n", "reading the clock twice", microseconds(floors.clock).c_str());
    std::printf("  %-32s", "bytes");
    for (const Copies& copies : floors.copies)
        std::printf(" %9s %10s", size_name(copies.bytes).c_str(), "");
    std::printf("\n");
    print_copies("copy of a rank's own data", floors,
                 [](const Copies& copies) { return std::optional(copies.own); });
    print_copies("copy of what the other just wrote", floors,
                 [](const Copies& copies) { return copies.fresh; });
    print_copies("the same by CMA", floors, [](const Copies& copies) { return copies.cma; });
    if (floors.cma != "allowed") std::printf("  CMA: %s\n", floors.cma.c_str());
    std::fflush(stdout);
}

} // namespace mpix::bench::table
