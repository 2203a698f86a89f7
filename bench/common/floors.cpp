// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/floors.hpp"

#include "bench/common/pair.hpp"
#include "bench/common/timing.hpp"

#include <sched.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <functional>

namespace mpix::bench {

namespace {

constexpr std::size_t largest = std::size_t{1} << 20;

// The least time of one call among batches of many.
double least_of(int batches, int calls, const std::function<void()>& call) {
    double least = HUGE_VAL;
    for (int batch = 0; batch < batches; ++batch) {
        const auto began = Clock::now();
        for (int repeat = 0; repeat < calls; ++repeat) call();
        least = std::min(least, (nanoseconds(Clock::now() - began) - clock_cost()) / calls);
    }
    return std::max(0.0, least);
}

double own_copy(std::size_t bytes) {
    const std::vector<char> from(bytes, 'x');
    std::vector<char> to(bytes, 'y');
    return least_of(200, static_cast<int>(1 + (std::size_t{1} << 15) / bytes), [&] {
        std::memcpy(to.data(), from.data(), bytes);
        __asm__ volatile("" : : "r"(to.data()) : "memory"); // the copy is needed
    });
}

// What the two do together, each step a number that both count.
class Exchange {
  public:
    explicit Exchange(const Pair& pair) : pair_(pair) {}

    double half_roundtrip();
    // The leader reads by `read` what the other side wrote just before, in `written`. Nothing if
    // it failed or read something else.
    std::optional<double> fresh(std::size_t bytes, char* written,
                                const std::function<bool(char* to, std::size_t bytes)>& read);

  private:
    const Pair& pair_;
    std::uint64_t step_ = 0;
};

double Exchange::half_roundtrip() {
    return least_of(400, 100,
                    [&] {
                        ++step_;
                        if (pair_.leads()) pair_.tell(step_);
                        pair_.await(step_);
                        if (!pair_.leads()) pair_.tell(step_);
                    }) /
           2;
}

std::optional<double>
Exchange::fresh(std::size_t bytes, char* written,
                const std::function<bool(char* to, std::size_t bytes)>& read) {
    std::vector<char> to(bytes, 0);
    double least = HUGE_VAL;
    bool right = true;
    for (int repeat = 0; repeat < 200; ++repeat) {
        const auto content = static_cast<char>('a' + repeat % 20);
        ++step_;
        if (!pair_.leads()) {
            std::memset(written, content, bytes);
            pair_.tell(step_);
            pair_.await(step_);
            continue;
        }
        pair_.await(step_);
        const auto began = Clock::now();
        right = read(to.data(), bytes) && right;
        least = std::min(least, nanoseconds(Clock::now() - began) - clock_cost());
        right = right && std::ranges::count(to, content) == static_cast<std::ptrdiff_t>(bytes);
        pair_.tell(step_);
    }
    return right ? std::optional(std::max(0.0, least)) : std::nullopt;
}

// Reads at one address of the other side's process; keeps the first errno.
class OtherProcess {
  public:
    OtherProcess(pid_t process, std::uint64_t address)
        : process_(process), address_(reinterpret_cast<void*>(address)) {}

    bool read(char* to, std::size_t bytes) {
        const iovec here{to, bytes}, there{address_, bytes};
        const ssize_t got = process_vm_readv(process_, &here, 1, &there, 1, 0);
        if (got < 0 && error_ == 0) error_ = errno;
        return got == static_cast<ssize_t>(bytes);
    }
    int error() const { return error_; }

  private:
    pid_t process_;
    void* address_;
    int error_ = 0;
};

void measure_pair(Floors& floors, const Pair& pair) {
    std::vector<char> own(largest, 'o');
    const auto [process, address] = pair.swap(
        {static_cast<std::uint64_t>(getpid()), reinterpret_cast<std::uint64_t>(own.data())});
    OtherProcess other(static_cast<pid_t>(process), address);
    Exchange exchange(pair);
    floors.half_roundtrip = exchange.half_roundtrip();
    for (Copies& copies : floors.copies) {
        copies.fresh = exchange.fresh(copies.bytes, pair.area(), [&](char* to, std::size_t bytes) {
            std::memcpy(to, pair.area(), bytes);
            return true;
        });
        copies.cma = exchange.fresh(copies.bytes, own.data(), [&](char* to, std::size_t bytes) {
            return other.read(to, bytes);
        });
    }
    floors.cma =
        other.error() ? std::string("refused: ") + std::strerror(other.error()) : "allowed";
}

} // namespace

Floors measure_floors(const HostLibrary& host, const Ranks& ranks) {
    Floors floors;
    const Pair pair(host, ranks, largest);
    ranks.rest();
    floors.cma = "no second rank on the node";
    if (pair.here()) measure_pair(floors, pair);
    ranks.rest();
    if (ranks.rank() == 0) {
        floors.clock = clock_cost();
        floors.yield = least_of(200, 100, [] { sched_yield(); });
        for (Copies& copies : floors.copies) copies.own = own_copy(copies.bytes);
    }
    ranks.rest();
    return floors;
}

} // namespace mpix::bench
