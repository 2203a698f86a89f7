// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/table_parts.hpp"

#include "bench/common/text.hpp"

#include <cstdio>
#include <cstdlib>

namespace mpix::bench::table {

namespace {

void print_copies(const char* title, const Floors& floors,
                  std::optional<double> (*time)(const Copies&)) {
    std::printf("  %-32s", title);
    for (const Copies& copies : floors.copies) {
        const auto nanoseconds = time(copies);
        std::printf(" %9s %10s", time_text(nanoseconds).c_str(),
                    rate_text(copies.bytes, nanoseconds).c_str());
    }
    std::printf("\n");
}

} // namespace

std::string time_text(const Times& times, double Spread::*statistic) {
    switch (times.verdict) {
    case Verdict::wrong: return "wrong";
    case Verdict::missing: return "-";
    case Verdict::skipped: return "crashes";
    case Verdict::right: break;
    }
    return microseconds(times.of_batches.*statistic);
}

std::string time_text(std::optional<double> nanoseconds) {
    return nanoseconds ? microseconds(*nanoseconds) : "-";
}

std::string rate_text(std::size_t bytes, std::optional<double> nanoseconds) {
    char rate[32] = "";
    if (nanoseconds && *nanoseconds > 0 && bytes > 8)
        std::snprintf(rate, sizeof rate, "%5.1f GB/s", static_cast<double>(bytes) / *nanoseconds);
    return rate;
}

std::string starts_text(const InitCost& cost, const Spread& init) {
    if (!cost.ours || !cost.host) return "-";
    const auto count = cost.starts_to_repay(init);
    if (!count) return "never";
    char text[32];
    std::snprintf(text, sizeof text, "%.0f", *count);
    return text;
}

std::string ranks_text(const Setting& setting) {
    return std::to_string(setting.ranks) + " on " + std::to_string(setting.placement.cores) +
           " cores, " +
           (setting.placement.core_each ? "a core each" : "sharing them as the scheduler likes");
}

void print_setting(const Setting& setting) {
    std::printf("host   %s (%s)\n", setting.host.c_str(), setting.library.c_str());
    std::printf("ranks  %s\n", ranks_text(setting).c_str());
    if (setting.ranks > setting.placement.cores)
        std::printf("       libmpix lets the host's calls yield their cores too: without it the "
                    "host's times may be far longer\n");
    if (!setting.data.empty()) std::printf("sent   %s\n", setting.data.c_str());
    if (const char* plan = std::getenv("MPIX_PLAN")) std::printf("mpix   MPIX_PLAN=%s\n", plan);
}

void print_floors(const Floors& floors) {
    std::printf("\nfloors of this machine, without MPI: the least of many, microseconds\n");
    std::printf("  %-32s %9s\n", "cache line, half a round trip",
                time_text(floors.half_roundtrip).c_str());
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

void head_inits() {
    std::printf("\ninits: medians, microseconds; starts after which init and free have paid for "
                "themselves\n%-20s %8s %-14s %10s %10s %10s %12s %12s %13s %13s\n",
                "operation", "bytes", "mpix", "first init", "later init", "free", "a start",
                "host's best", "starts, first", "starts, later");
}

void print(const InitCost& cost) {
    std::printf("%-20s %8zu %-14s", std::string(cost.operation->name).c_str(), cost.bytes,
                std::string(cost.contender->name).c_str());
    if (cost.verdict == Verdict::wrong) {
        std::printf(" wrong\n");
        return;
    }
    if (cost.verdict == Verdict::missing) {
        std::printf(" -\n");
        return;
    }
    std::printf(" %10s %10s %10s %12s %12s %13s %13s\n", microseconds(cost.first.median).c_str(),
                microseconds(cost.later.median).c_str(), microseconds(cost.free.median).c_str(),
                cost.ours ? microseconds(cost.ours->median).c_str() : "-",
                cost.host ? microseconds(cost.host->median).c_str() : "-",
                starts_text(cost, cost.first).c_str(), starts_text(cost, cost.later).c_str());
    std::fflush(stdout);
}

void head_foreign() {
    std::printf(
        "\nmessages that are the host's: nonblocking and persistent ones to the rank itself, "
        "8 bytes each; nanoseconds a round\n%-18s %8s %6s %12s %12s %10s %7s %12s %12s %10s "
        "%7s\n",
        "calls", "messages", "plans", "host min", "linked min", "added", "%", "host med",
        "linked med", "added", "%");
}

void print(const Foreign& foreign) {
    std::printf("%-18s %8d %6d", foreign.calls, foreign.messages, foreign.plans);
    for (double Spread::*statistic : {&Spread::minimum, &Spread::median}) {
        const double host = foreign.host.*statistic, added = foreign.linked.*statistic - host;
        std::printf(" %12.1f %12.1f %10.1f %7.1f", host, host + added, added, 100 * added / host);
    }
    std::printf("%s\n", foreign.right ? "" : " wrong");
    std::fflush(stdout);
}

} // namespace mpix::bench::table
