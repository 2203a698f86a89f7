// SPDX-License-Identifier: BSD-3-Clause
#include "bench/partitioned/markers.hpp"

#include <sched.h>
#include <time.h>

#include <algorithm>
#include <cstring>

namespace mpix::bench {

double processor_time() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

double processor_clock_cost() {
    static const double cost = [] {
        double least = 1e9;
        for (int repeat = 0; repeat < 1000; ++repeat) {
            const double first = processor_time();
            least = std::min(least, processor_time() - first);
        }
        return least;
    }();
    return cost;
}

namespace {

// The rank has a core of its own, but its threads shall have them all.
void use_all_cores() {
    cpu_set_t all;
    std::memset(&all, 0xff, sizeof all);
    sched_setaffinity(0, sizeof all, &all);
}

} // namespace

Markers::Markers(int threads, int partitions, Channel& channel)
    : channel_(channel), gate_(threads + 1) {
    const int share = partitions / threads;
    for (int thread = 0; thread < threads; ++thread)
        threads_.emplace_back([=, this] { serve(thread * share, (thread + 1) * share); });
}

Markers::~Markers() {
    ends_ = true;
    gate_.arrive_and_wait();
    for (std::thread& thread : threads_) thread.join();
}

double Markers::round() {
    const auto began = Clock::now();
    gate_.arrive_and_wait();
    gate_.arrive_and_wait();
    return nanoseconds(Clock::now() - began);
}

void Markers::serve(int first, int end) {
    use_all_cores();
    while (true) {
        gate_.arrive_and_wait();
        if (ends_) return;
        int code = MPI_SUCCESS;
        const double began = processor_time();
        for (int partition = first; partition < end; ++partition) code |= channel_.mark(partition);
        spent_.fetch_add(processor_time() - began - processor_clock_cost());
        code_.fetch_or(code);
        gate_.arrive_and_wait();
    }
}

} // namespace mpix::bench
