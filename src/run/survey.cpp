// SPDX-License-Identifier: BSD-3-Clause
//
// See survey.hpp.
#include "run/survey.hpp"

#include "run/patience.hpp"
#include "run/settings.hpp"

#include <atomic>
#include <mutex>
#include <new>

namespace mpix::run {
namespace {

// Ranks that outnumber cores wait for each other's turns: no use in measuring.
constexpr double crowded_latency_us = 2;

constinit std::mutex costs_mutex;
constinit node::Costs learnt;

// Two threads may make communicators at once; the second one's are planned without.
constinit std::atomic_flag is_taken{};

node::Course* own_course() {
    static node::Course* const course = [] {
        std::byte* const memory = node::segment().allocate(sizeof(node::Course));
        return memory ? new (memory) node::Course : nullptr;
    }();
    return course;
}

} // namespace

Survey::Survey(bool leads) {
    if (!leads || !settings().MPIX_MEASURE || settings().MPIX_TRANSPORT == "host" || is_crowded() ||
        known().has_messages())
        return;
    if (!node::segment().is_there() || is_taken.test_and_set(std::memory_order_acquire)) return;
    course_ = own_course();
    if (course_)
        run_ = course_->next_run();
    else
        is_taken.clear(std::memory_order_release);
}

Survey::~Survey() {
    if (course_) is_taken.clear(std::memory_order_release);
}

node::Costs Survey::known() {
    if (!settings().MPIX_MEASURE) return {};
    const std::lock_guard lock(costs_mutex);
    if (learnt.has_messages()) return learnt;
    node::Costs costs = node::costs_alone();
    if (is_crowded()) costs.latency = crowded_latency_us;
    return costs;
}

void Survey::learn(const node::Costs& costs) {
    const std::lock_guard lock(costs_mutex);
    if (costs.has_messages()) learnt = costs;
}

} // namespace mpix::run
