// SPDX-License-Identifier: BSD-3-Clause
//
// Measuring what messages cost: two threads stand for two processes.
#include "node/course.hpp"

#include <catch2/catch.hpp>

#include <unistd.h>

#include <chrono>
#include <thread>

using namespace mpix::node;

namespace {

bool is_sensible(const Cost& cost) {
    return cost.fixed >= 0 && cost.fixed < 1e5 && cost.per_byte > 0 && cost.per_byte < 1;
}

Costs measure(Course& course, bool may_read = true) {
    const std::uint64_t run = course.next_run();
    std::thread other([&] { course.follow(run, segment().memory(), getpid(), may_read); });
    const Costs costs = course.lead(run);
    other.join();
    return costs;
}

// A thread may have no core for too long.
bool is_measured_in_the_end(Course& course) {
    for (int i = 0; i < 50; ++i)
        if (measure(course).is_measured) return true;
    return false;
}

} // namespace

TEST_CASE("two sides measure, again and again") {
    Course* const course = Course::make();
    REQUIRE(course);
    CHECK(is_measured_in_the_end(*course));
    for (int i = 0; i < 10; ++i) {
        const Costs costs = measure(*course);
        CHECK(costs.latency > 0);
        for (const Cost& cost : {costs.cached, costs.streamed, costs.read, costs.mapped})
            CHECK(is_sensible(cost));
        CHECK(costs.copy > 0);
        CHECK(costs.reduce > 0);
    }
}

// What the kernel copies is not measured then: the guess stays.
TEST_CASE("two sides measure where one may not read the other's memory") {
    Course* const course = Course::make();
    REQUIRE(course);
    Costs costs;
    for (int i = 0; i < 50 && !costs.is_measured; ++i) costs = measure(*course, false);
    CHECK(costs.is_measured);
    CHECK(costs.read.fixed == Costs{}.read.fixed);
    CHECK(costs.read.per_byte == Costs{}.read.per_byte);
    CHECK(costs.mapped.per_byte != Costs{}.mapped.per_byte);
}

TEST_CASE("a side that is alone ends soon, and spoils no later run") {
    using Clock = std::chrono::steady_clock;
    Course* const course = Course::make();
    REQUIRE(course);
    const auto start = Clock::now();
    CHECK(!course->lead(course->next_run()).is_measured);
    course->follow(course->next_run(), segment().memory(), getpid(), true);
    CHECK(Clock::now() - start < std::chrono::seconds(5));
    CHECK(is_measured_in_the_end(*course));
}
