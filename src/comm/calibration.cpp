// SPDX-License-Identifier: BSD-3-Clause
//
// Taking the benchmark, and the costs that this process has learnt.
#include "comm/calibration.hpp"

#include "base/settings.hpp"
#include "progress/backoff.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <new>

namespace mpix::comm {
namespace {

// Ranks that outnumber cores wait for each other's turns, of so long: no use in measuring.
constexpr double turn_us = 2;

constinit std::mutex costs_mutex;
constinit shmem::Costs learnt;

// Two threads may make communicators at once; the second one's are planned without.
constinit std::atomic_flag is_taken{};

shmem::Benchmark* own_benchmark() {
    static shmem::Benchmark* const benchmark = shmem::Benchmark::make();
    return benchmark;
}

using plan::Locality;

shmem::NearCosts& near(shmem::Costs& costs, Locality locality) {
    if (locality == Locality::cache) return costs.cache;
    return locality == Locality::socket ? costs.socket : costs.node;
}

Locality farthest(const shmem::Costs& costs) {
    if (costs.node.latency > 0) return Locality::node;
    return costs.socket.latency > 0 ? Locality::socket : Locality::cache;
}

} // namespace

Calibration::Calibration(bool leads) {
    if (!leads || !base::settings().MPIX_MEASURE || base::settings().MPIX_TRANSPORT == "host" ||
        progress::is_crowded())
        return;
    if (!shmem::segment().is_there() || is_taken.test_and_set(std::memory_order_acquire)) return;
    try {
        benchmark_ = own_benchmark();
    } catch (const std::bad_alloc&) { // the others wait: it is done without
    }
    if (benchmark_)
        run_ = benchmark_->next_runs();
    else
        is_taken.clear(std::memory_order_release);
}

Calibration::~Calibration() {
    if (benchmark_) is_taken.clear(std::memory_order_release);
}

shmem::Costs Calibration::known() {
    const std::lock_guard lock(costs_mutex);
    if (learnt.is_measured || !progress::is_crowded()) return learnt;
    shmem::Costs costs;
    costs.ranks_per_core = progress::ranks_per_core();
    costs.latency = turn_us * costs.ranks_per_core;
    // Whose message stands with him until it is taken waits for that turn.
    costs.mapped.fixed += costs.latency;
    costs.read.fixed += costs.latency;
    return costs;
}

bool Calibration::knows(Locality locality) {
    const std::lock_guard lock(costs_mutex);
    return near(learnt, locality).latency > 0;
}

void Calibration::lead(Locality locality, std::uint64_t run) const {
    shmem::Costs found = benchmark_->lead(run);
    if (!found.is_measured) return;
    const double per_byte = std::min(found.cached.per_byte, found.streamed.per_byte);
    const std::lock_guard lock(costs_mutex);
    if (learnt.is_measured && farthest(learnt) < locality) {
        near(learnt, locality) = {found.latency, per_byte};
        return;
    }
    found.node = learnt.node;
    found.socket = learnt.socket;
    found.cache = learnt.cache;
    near(found, locality) = {found.latency, per_byte};
    learnt = found;
}

void Calibration::learn(const shmem::Costs& costs) {
    const std::lock_guard lock(costs_mutex);
    if (!costs.is_measured) return;
    shmem::Costs all = costs;
    for (const Locality locality : {Locality::node, Locality::socket, Locality::cache})
        if (near(all, locality).latency <= 0) near(all, locality) = near(learnt, locality);
    learnt = all;
}

void Calibration::tell(const shmem::Costs& costs) {
    static std::atomic_flag is_said{};
    if (!costs.is_measured || !base::is_listed(base::settings().MPIX_VERBOSE, "plan") ||
        is_said.test_and_set())
        return;
    const auto rate = [](const shmem::Cost& cost) { return 1e-3 / cost.per_byte; };
    std::fprintf(stderr,
                 "mpix: within the node a number takes %.2f us; a long message goes at %.1f GB/s "
                 "through the caches, %.1f past them, %.1f read by the kernel, %.1f in place\n",
                 costs.latency, rate(costs.cached), rate(costs.streamed), rate(costs.read),
                 rate(costs.mapped));
    const auto tell_near = [](const char* where, const shmem::NearCosts& of) {
        if (of.latency > 0)
            std::fprintf(stderr, "mpix: %s a number takes %.2f us, long messages go at %.1f GB/s\n",
                         where, of.latency, 1e-3 / of.per_byte);
    };
    if (farthest(costs) < Locality::socket) tell_near("within a socket", costs.socket);
    if (farthest(costs) < Locality::cache) tell_near("at one cache", costs.cache);
}

} // namespace mpix::comm
