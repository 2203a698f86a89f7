// SPDX-License-Identifier: BSD-3-Clause
//
// Taking the course, and the costs that this process has learnt.
#include "run/survey.hpp"

#include "base/settings.hpp"
#include "run/patience.hpp"

#include <atomic>
#include <mutex>
#include <new>

namespace mpix::run {
namespace {

// Ranks that outnumber cores wait for each other's turns, of so long: no use in measuring.
constexpr double turn_us = 2;

constinit std::mutex costs_mutex;
constinit node::Costs learnt;

// Two threads may make communicators at once; the second one's are planned without.
constinit std::atomic_flag is_taken{};

node::Course* own_course() {
    static node::Course* const course = node::Course::make();
    return course;
}

} // namespace

Survey::Survey(bool leads) {
    if (!leads || !base::settings().MPIX_MEASURE || base::settings().MPIX_TRANSPORT == "host" ||
        is_crowded() || known().is_measured)
        return;
    if (!node::segment().is_there() || is_taken.test_and_set(std::memory_order_acquire)) return;
    try {
        course_ = own_course();
    } catch (const std::bad_alloc&) { // the others wait: it is done without
    }
    if (course_)
        run_ = course_->next_run();
    else
        is_taken.clear(std::memory_order_release);
}

Survey::~Survey() {
    if (course_) is_taken.clear(std::memory_order_release);
}

node::Costs Survey::known() {
    const std::lock_guard lock(costs_mutex);
    if (learnt.is_measured || !is_crowded()) return learnt;
    node::Costs costs;
    costs.ranks_per_core = ranks_per_core();
    costs.latency = turn_us * costs.ranks_per_core;
    // Whose message stands with him until it is taken waits for that turn.
    costs.mapped.fixed += costs.latency;
    costs.read.fixed += costs.latency;
    return costs;
}

void Survey::learn(const node::Costs& costs) {
    const std::lock_guard lock(costs_mutex);
    if (costs.is_measured) learnt = costs;
}

} // namespace mpix::run
