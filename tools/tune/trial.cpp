// SPDX-License-Identifier: BSD-3-Clause
//
// Everything that decides here is a maximum over the ranks, so that all decide alike.
#include "tools/tune/trial.hpp"

#include "plan/collective.hpp"

#include <algorithm>

namespace mpix::tune {

namespace {

constexpr double least_gain = 1.03;
constexpr int confirmations = 3;

using bench::Spread;
using bench::Times;
using bench::Verdict;

bench::ContenderKind contender(const Solver& solver) {
    return {.name = solver.name(),
            .title = solver.name(),
            .ours = true,
            .transport = nullptr,
            .memory = bench::Memory::heap,
            .plan = solver.name().data()}; // of a literal: it ends with 0
}

// The least of minima among right answers, the usual solver's if there are none.
std::size_t fastest(const std::vector<Times>& times, std::size_t usual) {
    std::size_t best = usual;
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (times[i].verdict != Verdict::right) continue;
        const bool is_first = times[best].verdict != Verdict::right;
        if (is_first || times[i].of_batches.minimum < times[best].of_batches.minimum) best = i;
    }
    return best;
}

// How much faster the second is, or nothing worth a line: the minima say so, and the medians do not
// contradict.
double gain(const Times& usual, const Times& other) {
    if (other.verdict != Verdict::right) return 1;
    if (usual.verdict != Verdict::right) return least_gain;
    const double gain = usual.of_batches.minimum / other.of_batches.minimum;
    return gain >= least_gain && other.of_batches.median <= usual.of_batches.median ? gain : 1;
}

} // namespace

Solver Trial::taken(const bench::Operation& operation, std::size_t bytes, const char* wish) const {
    bench::Data data(operation, {ranks_.rank(), ranks_.size()}, bytes, bench::Memory::heap);
    const bench::ContenderKind kind{
        .name = "", .title = "", .ours = true, .transport = nullptr, .memory = {}, .plan = wish};
    const bench::Hints hints(kind);
    MPI_Request request = MPI_REQUEST_NULL;
    operation.calls(host_, operation.comm(ranks_), data.buffers())
        .mpix_init(hints.info(), &request);
    const char* const name = MPIX_Plan_name(request);
    const Solver solver{name ? plan::find_solver(name) : nullptr};
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    return solver;
}

std::vector<Solver> Trial::applicable(const bench::Operation& operation, std::size_t bytes) const {
    std::vector<Solver> solvers{Solver{}};
    const auto kind = plan::kind(*plan::find_collective(operation.name));
    for (const plan::Solver* solver : plan::catalogue()) {
        if (solver->kind != kind) continue;
        if (taken(operation, bytes, solver->name.data()) == Solver{solver})
            solvers.push_back({solver});
    }
    return solvers;
}

std::vector<Times> Trial::race(const bench::Operation& operation, std::size_t bytes,
                               const std::vector<Solver>& solvers) const {
    std::vector<bench::ContenderKind> contenders;
    for (const Solver& solver : solvers) contenders.push_back(contender(solver));
    bench::Kinds kinds;
    for (const bench::ContenderKind& kind : contenders) kinds.push_back(&kind);
    return bench::measure(operation, bytes, kinds, pace_, host_, ranks_).times;
}

Finding Trial::run(const bench::Operation& operation, std::size_t bytes) const {
    const Solver usual = taken(operation, bytes, nullptr);
    const auto solvers = applicable(operation, bytes);
    const auto at = static_cast<std::size_t>(std::ranges::find(solvers, usual) - solvers.begin());
    const auto times = race(operation, bytes, solvers);
    const std::size_t best = fastest(times, at);
    double least = gain(times[at], times[best]);
    // The fastest of many has been lucky too: it must win against the usual one alone.
    for (int again = 0; again < confirmations && least > 1; ++again) {
        const auto both = race(operation, bytes, {usual, solvers[best]});
        least = std::min(least, gain(both[0], both[1]));
    }
    return {usual, least > 1 ? solvers[best] : usual, least};
}

// The flat barrier needs the memory of one node, and nothing else.
bool Trial::is_one_node() const {
    constexpr auto flat = "barrier_flat";
    if (ranks_.size() == 1) return true;
    return taken(*bench::find_operation("barrier"), 8, flat).name() == flat;
}

} // namespace mpix::tune
