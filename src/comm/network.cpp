// SPDX-License-Identifier: BSD-3-Clause
//
// Ping-pong over the host, of a short message and of long ones. Where they become long enough that
// a host asks the receiver first, they take a step up. The leader says by the length of a message
// what comes: nothing is the end.
#include "comm/network.hpp"

#include "base/settings.hpp"
#include "base/words.hpp"
#include "host/failure.hpp"
#include "host/host.hpp"
#include "progress/waiting.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <limits>
#include <mutex>
#include <system_error>

namespace mpix::comm {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int tag = 0; // no plan is there yet
constexpr std::array<std::size_t, 4> lengths{16 << 10, 32 << 10, 64 << 10, 128 << 10};
static_assert(lengths.back() == sizeof(NetworkMessage));
constexpr auto time_of_each = std::chrono::milliseconds(4); // and that of short ones
constexpr int most_rounds = 100, fewest_rounds = 3;
constexpr double quickest = 1.0 / 50000; // of a byte: no network goes at 50 GB/s
constexpr double slowest = 200;          // what takes longer is the scheduler, and not the network

constinit std::mutex known_mutex;
constinit NetworkCosts known_costs;

double us_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

class Pair {
  public:
    Pair(MPI_Comm comm, int other, NetworkMessage& room)
        : comm_(comm), other_(other), room_(room) {}

    // Returns what the posting took.
    double send(std::size_t bytes) {
        MPI_Request request = MPI_REQUEST_NULL;
        const Clock::time_point begin = Clock::now();
        host::check(HOST(Isend)(room_.data(), static_cast<int>(bytes), MPI_BYTE, other_, tag, comm_,
                                &request));
        const double posting = us_since(begin);
        host::check(progress::wait_for(request));
        return posting;
    }

    std::size_t receive() {
        MPI_Status status;
        int there = 0, bytes = 0;
        progress::wait_until([&] {
            host::check(HOST(Iprobe)(other_, tag, comm_, &there, &status));
            return there != 0;
        });
        host::check(HOST(Get_count)(&status, MPI_BYTE, &bytes));
        MPI_Request request = MPI_REQUEST_NULL;
        host::check(HOST(Irecv)(room_.data(), bytes, MPI_BYTE, other_, tag, comm_, &request));
        host::check(progress::wait_for(request));
        return static_cast<std::size_t>(bytes);
    }

  private:
    MPI_Comm comm_;
    int other_;
    NetworkMessage& room_;
};

struct Trip {
    double there_and_back = std::numeric_limits<double>::max();
    double posting = std::numeric_limits<double>::max();
};

// The least of many.
Trip time_trips(Pair& pair, std::size_t bytes) {
    Trip least;
    const Clock::time_point end = Clock::now() + time_of_each;
    for (int round = 0; round < most_rounds; ++round) {
        if (round >= fewest_rounds && Clock::now() > end) break;
        const Clock::time_point begin = Clock::now();
        least.posting = std::min(least.posting, pair.send(bytes));
        pair.receive();
        least.there_and_back = std::min(least.there_and_back, us_since(begin));
    }
    return least;
}

// The two longest are on the same side of the step. Where others disturbed it, there is none.
void find_step(NetworkCosts& costs, const std::array<double, lengths.size()>& times) {
    const auto bytes = [](std::size_t i) { return static_cast<double>(lengths[i]); };
    constexpr std::size_t last = lengths.size() - 1;
    const double all = std::max(times[last] - costs.latency, 0.1);
    costs.per_byte = (times[last] - times[last - 1]) / (bytes(last) - bytes(last - 1));
    costs.rendezvous = all - bytes(last) * costs.per_byte;
    if (costs.per_byte < quickest || costs.rendezvous < 0) {
        costs.per_byte = all / bytes(last);
        costs.rendezvous = 0;
    }
    // Where between two lengths the step is, is not known.
    std::size_t long_ones = lengths.size();
    const auto is_long = [&](std::size_t i) {
        return times[i] - costs.latency - bytes(i) * costs.per_byte > costs.rendezvous / 2;
    };
    while (long_ones > 0 && is_long(long_ones - 1)) --long_ones;
    costs.eager = long_ones > 0 ? bytes(long_ones - 1) + 1 : bytes(0);
}

} // namespace

bool has_fast_network() {
    static const bool found = [] {
        std::error_code none;
        for (const char* const kind : {"/sys/class/infiniband", "/sys/class/cxi"})
            if (std::filesystem::directory_iterator(kind, none) !=
                std::filesystem::directory_iterator())
                return true;
        return false;
    }();
    return found;
}

NetworkCosts usual_network(bool is_fast) {
    // One process fills such a card. What goes through the kernel takes several to do so.
    if (is_fast) return {true, 1.5, 0.2, 1.0 / 10000, 1};
    return {true, 16, 4, 1.0 / 4000, 4, 40, host::longest_eager() + 1.0};
}

NetworkCosts known_network() {
    const std::lock_guard lock(known_mutex);
    return known_costs;
}

void learn_network(const NetworkCosts& costs) {
    const std::lock_guard lock(known_mutex);
    if (costs.is_there) known_costs = costs;
}

NetworkCosts lead_network(MPI_Comm comm, int other, NetworkMessage& room) {
    Pair pair(comm, other, room);
    pair.send(1); // the first makes their connection
    pair.receive();
    const Trip little = time_trips(pair, 8);
    std::array<double, lengths.size()> times;
    for (std::size_t i = 0; i < lengths.size(); ++i)
        times[i] = time_trips(pair, lengths[i]).there_and_back / 2;
    pair.send(0);
    const double latency = little.there_and_back / 2;
    NetworkCosts costs = usual_network(has_fast_network());
    if (latency > slowest) return costs;
    costs.latency = latency;
    costs.overhead = std::min(little.posting, latency);
    find_step(costs, times);
    return costs;
}

void skip_network(MPI_Comm comm, int other, NetworkMessage& room) {
    Pair(comm, other, room).send(0);
}

void answer_network(MPI_Comm comm, int other, NetworkMessage& room) {
    Pair pair(comm, other, room);
    while (const std::size_t bytes = pair.receive()) pair.send(bytes);
}

void tell(const NetworkCosts& costs) {
    static std::atomic_flag is_said{};
    if (!costs.is_there || !base::is_listed(base::settings().MPIX_VERBOSE, "plan") ||
        is_said.test_and_set())
        return;
    std::fprintf(stderr,
                 "mpix: between nodes a message takes %.2f us, %.2f of them to post it; a long one "
                 "goes at %.1f GB/s, and takes %.2f us more from %.0f bytes on\n",
                 costs.latency, costs.overhead, 1e-3 / costs.per_byte, costs.rendezvous,
                 costs.eager);
}

} // namespace mpix::comm
