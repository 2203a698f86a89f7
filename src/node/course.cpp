// SPDX-License-Identifier: BSD-3-Clause
//
// Round trips of a number, then of a number with data behind it. The fastest counts: what is slower
// was disturbed.
#include "node/course.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>

namespace mpix::node {
namespace {

using Clock = std::chrono::steady_clock;

// Round trips are timed several at once, because a clock takes as long to read.
constexpr std::uint64_t at_once = 16, batches = 6, with_data = 8;
constexpr std::uint64_t turns = at_once * batches + with_data;
constexpr auto longest_wait = std::chrono::milliseconds(2);

double microseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

double rounded(double cost) { return cost > 0 ? std::exp2(std::round(std::log2(cost))) : 0; }

// False if nothing changes for too long.
bool wait_for(const Number& number, std::uint64_t value) {
    const auto end = Clock::now() + longest_wait;
    for (int polls = 0; number.load(std::memory_order_acquire) < value; ++polls)
        if (polls % 256 == 255 && Clock::now() > end) return false;
    return true;
}

template<class Work>
double fastest(std::size_t bytes, Work work) {
    double best = 1e9;
    for (int i = 0; i < 8; ++i) {
        const auto start = Clock::now();
        work();
        best = std::min(best, microseconds_since(start));
    }
    return rounded(best / static_cast<double>(bytes));
}

Costs measure_alone() {
    constexpr std::size_t numbers = 2048;
    std::array<double, numbers> from{}, to{};
    constexpr std::size_t bytes = sizeof from;
    const auto sum = kernel::find_combine(kernel::Element::f64, kernel::Operator::sum);
    Costs costs;
    costs.copy = fastest(bytes, [&] {
        copy_bytes(reinterpret_cast<std::byte*>(to.data()),
                   reinterpret_cast<const std::byte*>(from.data()), bytes);
        asm volatile("" : : "r"(to.data()) : "memory");
    });
    costs.reduce = fastest(bytes, [&] { sum(from.data(), to.data(), to.data(), numbers); });
    return costs;
}

} // namespace

const Costs& costs_alone() {
    static const Costs costs = measure_alone();
    return costs;
}

bool Course::serve(std::uint64_t number) {
    served_.store(number, std::memory_order_release);
    return wait_for(answered_, number);
}

Costs Course::lead(std::uint64_t run) {
    std::uint64_t number = run * (turns + 1);
    Costs costs = costs_alone();
    if (!serve(++number)) return costs; // the other may come late
    double trip = 1e9, long_trip = 1e9;
    for (std::uint64_t batch = 0; batch < batches; ++batch) {
        const bool is_first = batch == 0; // one turn of it has been
        const auto start = Clock::now();
        for (std::uint64_t i = is_first; i < at_once; ++i)
            if (!serve(++number)) return costs;
        if (!is_first) trip = std::min(trip, microseconds_since(start) / at_once);
    }
    std::array<std::byte, bytes> own{};
    for (std::uint64_t i = 0; i < with_data; ++i) {
        const auto start = Clock::now();
        copy_bytes(data_, own.data(), bytes);
        if (!serve(++number)) return costs;
        long_trip = std::min(long_trip, microseconds_since(start));
    }
    costs.latency = rounded(trip / 2);
    // Of a long message the one side copies a chunk while the other copies the one before it.
    costs.per_byte = rounded(std::max(long_trip - trip, 0.0) / 2 / bytes);
    return costs;
}

void Course::follow(std::uint64_t run) {
    std::array<std::byte, bytes> own{};
    const std::uint64_t first = run * (turns + 1) + 1, data_from = first + at_once * batches;
    for (std::uint64_t number = first; number < first + turns; ++number) {
        if (!wait_for(served_, number)) return;
        if (number >= data_from) copy_bytes(own.data(), data_, bytes);
        answered_.store(number, std::memory_order_release);
    }
}

} // namespace mpix::node
