// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/init_cost.hpp"

#include <array>
#include <cmath>

namespace mpix::bench {

namespace {

constexpr int later_inits = 32; // in a batch, all alive together
constexpr int fewest_rounds = 3;

// Batches of this rank.
struct Batches {
    std::vector<double> first, later, free;
    bool made = true;
};

// The time of what it is given, in nanoseconds.
template<class Work>
double time_of(const Work& work) {
    const auto began = Clock::now();
    work();
    return std::max(0.0, nanoseconds(Clock::now() - began) - clock_cost());
}

void round_on(MPI_Comm comm, const Operation& operation, Data& data, const Hints& hints,
              const HostLibrary& host, const Ranks& ranks, Batches& batches) {
    const auto init = operation.calls(host, comm, data.buffers()).mpix_init;
    MPI_Request first = MPI_REQUEST_NULL;
    std::array<MPI_Request, later_inits> later;
    later.fill(MPI_REQUEST_NULL);
    ranks.barrier();
    batches.first.push_back(
        time_of([&] { batches.made &= init(hints.info(), &first) == MPI_SUCCESS; }));
    ranks.barrier();
    batches.later.push_back(time_of([&] {
                                for (MPI_Request& request : later)
                                    batches.made &= init(hints.info(), &request) == MPI_SUCCESS;
                            }) /
                            later_inits);
    ranks.barrier();
    batches.free.push_back(time_of([&] {
                               for (MPI_Request& request : later)
                                   if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
                           }) /
                           later_inits);
    if (first != MPI_REQUEST_NULL) MPI_Request_free(&first);
}

Batches run_rounds(const Operation& operation, Data& data, const ContenderKind& kind,
                   const Pace& pace, const HostLibrary& host, const Ranks& ranks) {
    Batches batches;
    const Hints hints(kind);
    const auto began = Clock::now();
    for (int round = 1;; ++round) {
        MPI_Comm fresh = MPI_COMM_NULL;
        MPI_Comm_dup(operation.comm(ranks), &fresh);
        round_on(fresh, operation, data, hints, host, ranks, batches);
        MPI_Comm_free(&fresh);
        const double passed = ranks.maximum(nanoseconds(Clock::now() - began));
        if (round >= pace.rounds || (round >= fewest_rounds && passed > pace.cell_time)) break;
    }
    return batches;
}

// What the race said of the starts is there already.
void add_inits(InitCost& cost, const Pace& pace, const HostLibrary& host, const Ranks& ranks) {
    Data data(*cost.operation, {ranks.rank(), ranks.size()}, cost.bytes, cost.contender->memory,
              pace.integers);
    if (!ranks.everywhere(data.exists())) return;
    const Batches batches = run_rounds(*cost.operation, data, *cost.contender, pace, host, ranks);
    if (!ranks.everywhere(batches.made)) cost.verdict = Verdict::wrong;
    cost.first = spread(batches.first, ranks);
    cost.later = spread(batches.later, ranks);
    cost.free = spread(batches.free, ranks);
}

} // namespace

std::optional<double> InitCost::starts_to_repay(const Spread& init) const {
    if (!ours || !host || ours->median >= host->median) return std::nullopt;
    return std::ceil((init.median + free.median) / (host->median - ours->median));
}

std::vector<InitCost> measure_inits(const Operation& operation, std::size_t bytes,
                                    const Kinds& kinds, const Pace& pace, const HostLibrary& host,
                                    const Ranks& ranks) {
    const Cell cell = measure(operation, bytes, kinds, pace, host, ranks);
    const auto least = best_of_host(cell, &Spread::minimum);
    const auto middle = best_of_host(cell, &Spread::median);
    std::vector<InitCost> costs;
    for (const Times& times : cell.times) {
        if (!times.contender->ours) continue;
        InitCost& cost = costs.emplace_back(
            InitCost{&operation, cell.bytes, times.contender, {}, {}, {}, {}, {}, times.verdict});
        if (times.verdict == Verdict::right) cost.ours = times.of_batches;
        if (least && middle) cost.host = Spread{*least, *middle};
        add_inits(cost, pace, host, ranks);
    }
    return costs;
}

} // namespace mpix::bench
