// SPDX-License-Identifier: BSD-3-Clause
//
// Round trips of a number, then messages by each way, over queues as those of plans. The fastest
// counts: what is slower was disturbed.
#include "shmem/benchmark.hpp"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <new>
#include <vector>

namespace mpix::shmem {
namespace {

using Clock = std::chrono::steady_clock;

// Round trips are timed several at once, because a clock takes as long to read.
constexpr std::uint64_t at_once = 16, batches = 6, repeats = 4;
constexpr std::uint64_t trips = at_once * batches;

constexpr std::uint64_t little = 64, much = 128 << 10;
constexpr std::uint32_t chunk = 32 << 10;
constexpr std::uint16_t slots = 4;
constexpr auto longest_wait = std::chrono::milliseconds(2);

double microseconds_since(Clock::time_point start) {
    return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

// False if it does not come about.
template<class Condition>
bool wait_until(Condition is_there, std::chrono::milliseconds longest = longest_wait) {
    const auto end = Clock::now() + longest;
    for (int polls = 0; !is_there(); ++polls)
        if (polls % 256 == 255 && Clock::now() > end) return false;
    return true;
}

Design staged(bool streams) {
    Design design;
    design.bytes = much;
    design.chunk = chunk;
    design.slots = slots;
    design.acknowledge_every = 1;
    design.streams = streams;
    return design;
}

std::size_t size_of_queues() {
    return 2 * staged(false).size() + 3 * Design::in_place(Protocol::read, 0).size();
}

// The data are new each time, as a program's are, and written as it would: what memset writes is
// elsewhere in the caches.
void renew(std::byte* data, std::uint64_t bytes, std::uint64_t serial) {
    auto* const numbers = reinterpret_cast<std::uint64_t*>(data);
    for (std::uint64_t i = 0; i < bytes / sizeof serial; ++i) numbers[i] = serial + i;
}

template<class Work>
double fastest(Work work) {
    double best = 1e9;
    for (std::uint64_t i = 0; i < repeats; ++i) {
        const auto start = Clock::now();
        work();
        best = std::min(best, microseconds_since(start));
    }
    return best;
}

// What a process does alone, in its second cache.
void measure_alone(Costs& costs) {
    constexpr std::size_t numbers = much / sizeof(double);
    std::vector<double> from(numbers), to(numbers);
    const auto sum = kernel::find_combine(kernel::Element::f64, kernel::Operator::sum);
    const auto copy = [&] {
        copy_bytes(reinterpret_cast<std::byte*>(to.data()),
                   reinterpret_cast<const std::byte*>(from.data()), much);
        asm volatile("" : : "r"(to.data()) : "memory");
    };
    costs.copy = fastest(copy) / much;
    costs.reduce = fastest([&] { sum(from.data(), to.data(), to.data(), numbers); }) / much;
}

} // namespace

Benchmark* Benchmark::make() {
    std::byte* const memory = segment().allocate(sizeof(Benchmark) + size_of_queues() + much);
    return memory ? new (memory) Benchmark : nullptr;
}

// A follower of a run that was given up may still be there: numbers never come again.
std::uint64_t Benchmark::next_runs() {
    const std::uint64_t first = runs_ + 1;
    runs_ += runs_at_once;
    return first;
}

bool Benchmark::serve(std::uint64_t number) {
    served_.store(number, std::memory_order_release);
    return wait_until([&] { return answered_.load(std::memory_order_acquire) >= number; });
}

bool Benchmark::time_trips(std::uint64_t number, double& trip) {
    for (std::uint64_t batch = 0; batch < batches; ++batch) {
        const auto start = Clock::now();
        for (std::uint64_t i = 0; i < at_once; ++i)
            if (!serve(number++)) return false; // the first may come late
        if (batch > 0) trip = std::min(trip, microseconds_since(start) / at_once);
    }
    return true;
}

// Of a message alone, and with the writing of its data: who has read them where they stand has made
// that slow.
struct Benchmark::Time {
    double alone = 1e9, with_data = 1e9;
};

// Not so before the first turn.
bool Benchmark::time_way(const Design& design, std::uint64_t number, std::byte* data, Time& time) {
    Sender out(design, segment().memory());
    for (std::uint64_t i = 0; i < repeats; ++i) {
        const auto start = Clock::now();
        renew(data, much, number);
        const auto renewed = Clock::now();
        out.begin(data);
        if (!wait_until([&] { return out.proceed(); }) || !serve(number++)) return false;
        if (i == 0) continue;
        time.alone = std::min(time.alone, microseconds_since(renewed));
        time.with_data = std::min(time.with_data, microseconds_since(start));
    }
    return true;
}

Costs Benchmark::lead(std::uint64_t run) {
    auto* const queues = reinterpret_cast<std::byte*>(this + 1);
    std::byte* const data = queues + size_of_queues();
    std::memset(queues, 0, size_of_queues());
    designs_[cached] = staged(false);
    designs_[streamed] = staged(true);
    designs_[mapped] = Design::in_place(Protocol::mapped, much);
    designs_[read_little] = Design::in_place(Protocol::read, little);
    designs_[read_much] = Design::in_place(Protocol::read, much);
    std::uint64_t place = segment().offset(queues);
    for (Design& design : designs_) {
        design.slots_at = place;
        place += design.size();
    }
    is_refused_.store(false, std::memory_order_relaxed);
    const std::uint64_t number = run * (trips + ways * repeats);
    double trip = 1e9;
    if (!time_trips(number, trip)) return {};
    Time times[ways];
    for (std::uint64_t protocol = 0; protocol < ways; ++protocol)
        if (!time_way(designs_[protocol], number + trips + protocol * repeats, data,
                      times[protocol]))
            return {};
    Costs costs;
    measure_alone(costs);
    costs.is_measured = true;
    costs.latency = trip / 2;
    const auto per_byte = [&](double all, double fixed) {
        return std::max(all - trip - fixed, 0.1) / much;
    };
    costs.cached.per_byte = per_byte(times[cached].alone, 0);
    costs.streamed.per_byte = per_byte(times[streamed].alone, costs.streamed.fixed);
    const double renewal = fastest([&] { renew(data, much, number); });
    costs.mapped = {costs.latency, per_byte(times[mapped].with_data, renewal)};
    if (is_refused_.load(std::memory_order_relaxed)) return costs;
    costs.read.fixed = std::max(times[read_little].alone - trip, 0.0);
    costs.read.per_byte = per_byte(times[read_much].alone, costs.read.fixed);
    return costs;
}

void Benchmark::follow(std::uint64_t run, std::byte* base, std::int64_t leader, bool may_read,
                       int runs_before) {
    std::vector<std::byte> data(much);
    std::uint64_t number = run * (trips + ways * repeats);
    const auto answer = [&] { answered_.store(number, std::memory_order_release); };
    auto longest = longest_wait * (1 + 2 * runs_before);
    for (std::uint64_t i = 0; i < trips; ++i, ++number, longest = longest_wait) {
        const auto is_served = [&] { return served_.load(std::memory_order_acquire) >= number; };
        if (!wait_until(is_served, longest)) return;
        answer();
    }
    for (Design design : designs_) {
        const bool reads = design.protocol == Protocol::read;
        if (reads && !may_read) design.bytes = 0;
        Receiver in(design, base, leader, false);
        for (std::uint64_t i = 0; i < repeats; ++i, ++number) {
            in.begin();
            if (!wait_until([&] { return in.copy_to(data.data()); })) return;
            if (in.failed() || (reads && !may_read))
                is_refused_.store(true, std::memory_order_relaxed);
            answer();
        }
    }
}

} // namespace mpix::shmem
