// SPDX-License-Identifier: BSD-3-Clause
#include "measure.hpp"

#include <algorithm>
#include <random>

namespace mpix::bench {

namespace {

constexpr double trial_time = 0.2e6; // nanoseconds
constexpr int trials = 3;
constexpr int most_iterations = 4000;
constexpr int fewest_rounds = 3;

// One operation at one size, run by any contender.
class Course {
  public:
    Course(const Operation& operation, const Ranks& ranks) : operation_(operation), ranks_(ranks) {}

    // Nanoseconds an operation, on this rank; the verdict is this rank's too.
    double batch(Contender& contender, int iterations);

  private:
    void once(Contender& contender);
    bool answer_right(const Contender& contender) const;

    const Operation& operation_;
    const Ranks& ranks_;
    int serial_ = 0;
    Clock::time_point entered_{};
    Clock::time_point left_{};
};

void Course::once(Contender& contender) {
    contender.data->rewrite(++serial_);
    entered_ = Clock::now();
    const int code = contender.run();
    left_ = Clock::now();
    if (code != MPI_SUCCESS) contender.verdict = Verdict::wrong;
}

double Course::batch(Contender& contender, int iterations) {
    ranks_.barrier();
    once(contender); // brings the ranks into step
    double sum = 0;
    for (int iteration = 0; iteration < iterations; ++iteration) {
        once(contender);
        sum += nanoseconds(left_ - entered_);
    }
    if (!answer_right(contender)) contender.verdict = Verdict::wrong;
    return std::max(0.1, sum / iterations - clock_cost());
}

// Nobody leaves a barrier before everyone has entered it. The clock is the node's, so this cannot
// be asked of ranks on several nodes.
bool Course::answer_right(const Contender& contender) const {
    if (operation_.has_data) return contender.data->right(serial_);
    const double last = ranks_.maximum(nanoseconds(entered_.time_since_epoch()));
    return nanoseconds(left_.time_since_epoch()) >= last;
}

// The least of some trials: one that the machine interrupted must not decide.
double try_out(Course& course, Contender& contender, int iterations, const Ranks& ranks) {
    double least = ranks.maximum(course.batch(contender, iterations));
    for (int more = 1; more < trials && least * iterations >= trial_time; ++more)
        least = std::min(least, ranks.maximum(course.batch(contender, iterations)));
    return least;
}

// Operations in a batch: as many as fill its time, from trials of doubling length. On every rank
// the same.
int choose_iterations(Course& course, Contender& contender, double batch_time, const Ranks& ranks) {
    for (int length = 1;; length *= 2) {
        const double each = try_out(course, contender, length, ranks);
        if (each * length < trial_time && length < most_iterations / 2) continue;
        return std::clamp(static_cast<int>(batch_time / each), 1, most_iterations);
    }
}

bool agree(Contender& contender, const Ranks& ranks) {
    if (!ranks.everywhere(contender.verdict == Verdict::right) &&
        contender.verdict == Verdict::right)
        contender.verdict = Verdict::wrong;
    return contender.verdict == Verdict::right;
}

struct Runner {
    std::size_t index; // among the contenders
    int iterations;
    std::vector<double> batches{};
};

std::vector<Runner> prepare(Course& course, std::vector<Contender>& contenders, double batch_time,
                            const Ranks& ranks) {
    std::vector<Runner> runners;
    for (std::size_t index = 0; index < contenders.size(); ++index) {
        Contender& contender = contenders[index];
        if (contender.verdict != Verdict::right) continue;
        const int iterations = choose_iterations(course, contender, batch_time, ranks);
        if (agree(contender, ranks)) runners.push_back({index, iterations});
    }
    return runners;
}

// Rounds until there are enough, or the cell's time is up. Returns how many there were. The order
// changes, alike on every rank, so that nobody always comes first or always after the same other.
int race(Course& course, std::vector<Contender>& contenders, std::vector<Runner>& runners,
         const Pace& pace, const Ranks& ranks) {
    std::minstd_rand order;
    const auto began = Clock::now();
    for (int round = 1;; ++round) {
        for (Runner& runner : runners)
            runner.batches.push_back(course.batch(contenders[runner.index], runner.iterations));
        std::ranges::shuffle(runners, order);
        const double passed = ranks.maximum(nanoseconds(Clock::now() - began));
        if (round >= pace.rounds || (round >= fewest_rounds && passed > pace.cell_time))
            return round;
    }
}

} // namespace

std::optional<double> best_of_host(const Cell& cell, double Spread::*statistic) {
    std::optional<double> best;
    for (const Times& times : cell.times) {
        if (times.contender->ours || times.verdict != Verdict::right) continue;
        const double time = times.of_batches.*statistic;
        best = std::min(best.value_or(time), time);
    }
    return best;
}

std::optional<double> ratio(const Cell& cell, const Times& ours, double Spread::*statistic) {
    if (ours.verdict != Verdict::right) return std::nullopt;
    const auto best = best_of_host(cell, statistic);
    return best ? std::optional(*best / ours.of_batches.*statistic) : std::nullopt;
}

Cell measure(const Operation& operation, std::size_t bytes, const Kinds& kinds, const Pace& pace,
             const HostLibrary& host, const Ranks& ranks) {
    Course course(operation, ranks);
    auto contenders = make_contenders(operation, bytes, kinds, host, ranks);
    auto runners = prepare(course, contenders, pace.batch_time, ranks);
    const int rounds = race(course, contenders, runners, pace, ranks);
    std::ranges::sort(runners, {}, &Runner::index); // the same everywhere before it is reduced
    Cell cell{&operation, operation.has_data ? bytes : 0, rounds, {}};
    for (const Contender& contender : contenders)
        cell.times.push_back({contender.kind, contender.verdict});
    for (Runner& runner : runners) {
        Times& times = cell.times[runner.index];
        agree(contenders[runner.index], ranks);
        times.verdict = contenders[runner.index].verdict;
        times.iterations = runner.iterations;
        times.of_batches = spread(std::move(runner.batches), ranks);
    }
    return cell;
}

} // namespace mpix::bench
