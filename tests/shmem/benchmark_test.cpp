// SPDX-License-Identifier: BSD-3-Clause
//
// Measuring what messages cost: two threads stand for two processes.
#include "catch2.hpp"
#include "shmem/benchmark.hpp"
#include "shmem/peer.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

using namespace mpix::shmem;

namespace {

using Clock = std::chrono::steady_clock;

bool is_sensible(const Cost& cost) {
    return cost.fixed >= 0 && cost.fixed < 1e5 && cost.per_byte > 0 && cost.per_byte < 1;
}

Costs measure(Benchmark& benchmark, bool may_read = true) {
    const std::uint64_t run = benchmark.next_runs();
    std::thread other([&] { benchmark.follow(run, segment().memory(), getpid(), may_read); });
    const Costs costs = benchmark.lead(run);
    other.join();
    return costs;
}

// A thread may have no core for too long, again and again where others compute.
Costs measure_in_the_end(Benchmark& benchmark, bool may_read = true) {
    const auto end = Clock::now() + std::chrono::seconds(20);
    Costs costs;
    while (!costs.is_measured && Clock::now() < end) costs = measure(benchmark, may_read);
    return costs;
}

bool can_read() {
    const std::uint64_t there = 1;
    std::uint64_t seen = 0;
    return read_memory(getpid(), reinterpret_cast<std::uintptr_t>(&there), &seen, sizeof seen);
}

// All that is measured.
std::vector<double> numbers(const Costs& costs) {
    std::vector<double> all{costs.latency,         costs.cached.per_byte, costs.streamed.per_byte,
                            costs.mapped.per_byte, costs.mapped.fixed,    costs.copy,
                            costs.reduce};
    if (can_read()) all.insert(all.end(), {costs.read.fixed, costs.read.per_byte});
    return all;
}

} // namespace

TEST_CASE("two sides measure, again and again") {
    Benchmark* const benchmark = Benchmark::make();
    REQUIRE(benchmark);
    const std::vector<double> defaults = numbers(Costs{});
    std::vector<bool> is_found(defaults.size()); // another number than the default, in some run
    for (int i = 0; i < 10; ++i) {
        const Costs costs = measure_in_the_end(*benchmark);
        REQUIRE(costs.is_measured);
        CHECK(costs.latency > 0);
        for (const Cost& cost : {costs.cached, costs.streamed, costs.read, costs.mapped})
            CHECK(is_sensible(cost));
        CHECK(costs.copy > 0);
        CHECK(costs.reduce > 0);
        const std::vector<double> found = numbers(costs);
        for (std::size_t n = 0; n < found.size(); ++n)
            is_found[n] = is_found[n] || found[n] != defaults[n];
    }
    for (std::size_t n = 0; n < is_found.size(); ++n) {
        INFO("number " << n);
        CHECK(is_found[n]);
    }
}

// What the kernel copies is not measured then: the guess stays.
TEST_CASE("two sides measure where one may not read the other's memory") {
    Benchmark* const benchmark = Benchmark::make();
    REQUIRE(benchmark);
    const Costs costs = measure_in_the_end(*benchmark, false);
    CHECK(costs.is_measured);
    CHECK(costs.read.fixed == Costs{}.read.fixed);
    CHECK(costs.read.per_byte == Costs{}.read.per_byte);
    CHECK(costs.mapped.per_byte != Costs{}.mapped.per_byte);
}

TEST_CASE("a side that is alone ends soon, and spoils no later run") {
    Benchmark* const benchmark = Benchmark::make();
    REQUIRE(benchmark);
    const auto start = Clock::now();
    CHECK(!benchmark->lead(benchmark->next_runs()).is_measured);
    benchmark->follow(benchmark->next_runs(), segment().memory(), getpid(), true);
    CHECK(Clock::now() - start < std::chrono::seconds(5));
    CHECK(measure_in_the_end(*benchmark).is_measured);
}
