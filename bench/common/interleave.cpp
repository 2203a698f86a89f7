// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/interleave.hpp"

#include <algorithm>
#include <random>

namespace mpix::bench {

namespace {

constexpr double trial_time = 0.2e6; // nanoseconds
constexpr int trials = 3;
constexpr int most_iterations = 4000;
constexpr int fewest_rounds = 3;

Batch run(Runner& runner, int iterations) {
    const Batch batch = runner.run(iterations);
    runner.right &= batch.right;
    return batch;
}

// The least of some trials: one that the machine interrupted must not decide.
double try_out(Runner& runner, int iterations, const Ranks& ranks) {
    double least = ranks.maximum(run(runner, iterations).whole);
    for (int more = 1; more < trials && least * iterations >= trial_time; ++more)
        least = std::min(least, ranks.maximum(run(runner, iterations).whole));
    return least;
}

// Operations in a batch: as many as fill its time, or the fewest, from trials of doubling length.
// On every rank the same.
int choose_iterations(Runner& runner, const Pace& pace, const Ranks& ranks) {
    for (int length = pace.fewest_iterations;; length *= 2) {
        const double each = try_out(runner, length, ranks);
        if (each * length < trial_time && length < most_iterations / 2) continue;
        return std::clamp(static_cast<int>(pace.batch_time / each), pace.fewest_iterations,
                          most_iterations);
    }
}

void agree(Runner& runner, const Ranks& ranks) { runner.right = ranks.everywhere(runner.right); }

} // namespace

// Rounds until there are enough, or the cell's time is up. The order changes, alike on every rank,
// so that nobody always comes first or always after the same other.
int interleave(const std::vector<Runner*>& runners, const Pace& pace, const Ranks& ranks) {
    std::vector<Runner*> running;
    for (Runner* runner : runners) {
        runner->iterations = choose_iterations(*runner, pace, ranks);
        agree(*runner, ranks);
        if (runner->right) running.push_back(runner);
    }
    std::minstd_rand order;
    const auto began = Clock::now();
    for (int round = 1;; ++round) {
        for (Runner* runner : running) {
            const Batch batch = run(*runner, runner->iterations);
            runner->whole.push_back(batch.whole);
            runner->after.push_back(batch.after);
        }
        std::ranges::shuffle(running, order);
        const double passed = ranks.maximum(nanoseconds(Clock::now() - began));
        if (round < pace.rounds && (round < fewest_rounds || passed <= pace.cell_time)) continue;
        for (Runner* runner : runners) agree(*runner, ranks);
        return round;
    }
}

} // namespace mpix::bench
