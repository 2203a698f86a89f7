// SPDX-License-Identifier: BSD-3-Clause
#include "measure.hpp"

#include "data.hpp"

#include <algorithm>
#include <chrono>
#include <vector>

namespace mpix::bench {

namespace {

using Clock = std::chrono::steady_clock;

// All in nanoseconds.
constexpr double batch_time = 2e6;
constexpr double cell_time = 0.7e9;
constexpr double trial_time = 0.2e6;
constexpr int trials = 3;
constexpr int most_iterations = 4000;
constexpr int fewest_rounds = 3;

double nanoseconds(Clock::duration duration) {
    return std::chrono::duration<double, std::nano>(duration).count();
}

// One operation at one size, run by any contender.
class Course {
  public:
    Course(const Operation& operation, std::size_t bytes, const Ranks& ranks)
        : operation_(operation), ranks_(ranks),
          data_(operation, {ranks.rank(), ranks.size()}, bytes) {}

    Buffers buffers() { return data_.buffers(); }
    // Nanoseconds an operation, on this rank; the verdict is this rank's too.
    double batch(Contender& contender, int iterations);

  private:
    void once(Contender& contender);
    bool answer_right() const;

    const Operation& operation_;
    const Ranks& ranks_;
    Data data_;
    int serial_ = 0;
    Clock::time_point entered_{};
    Clock::time_point left_{};
};

void Course::once(Contender& contender) {
    data_.rewrite(++serial_);
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
    if (!answer_right()) contender.verdict = Verdict::wrong;
    return std::max(0.1, sum / iterations - clock_cost());
}

// Nobody leaves a barrier before everyone has entered it. The clock is the node's, so this cannot
// be asked of ranks on several nodes.
bool Course::answer_right() const {
    if (operation_.has_data) return data_.right(serial_);
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
int choose_iterations(Course& course, Contender& contender, const Ranks& ranks) {
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
    Contender* contender;
    int iterations;
    std::vector<double> batches{};
};

std::vector<Runner> prepare(Course& course, Contenders& contenders, const Ranks& ranks) {
    std::vector<Runner> runners;
    for (Contender& contender : contenders) {
        if (contender.verdict != Verdict::right) continue;
        const int iterations = choose_iterations(course, contender, ranks);
        if (agree(contender, ranks)) runners.push_back({&contender, iterations});
    }
    return runners;
}

// Rounds until there are enough, or the cell's time is up. Returns how many there were.
int race(Course& course, std::vector<Runner>& runners, int rounds, const Ranks& ranks) {
    const auto began = Clock::now();
    for (int round = 1;; ++round) {
        for (Runner& runner : runners)
            runner.batches.push_back(course.batch(*runner.contender, runner.iterations));
        // Nobody always comes first, or always after the same other.
        if (!runners.empty()) std::ranges::rotate(runners, runners.begin() + 1);
        const double passed = ranks.maximum(nanoseconds(Clock::now() - began));
        if (round >= rounds || (round >= fewest_rounds && passed > cell_time)) return round;
    }
}

Times summarize(Runner& runner, const Ranks& ranks) {
    std::vector<double>& batches = runner.batches;
    agree(*runner.contender, ranks);
    ranks.maximum(batches);
    std::ranges::sort(batches);
    const std::size_t middle = batches.size() / 2;
    const double upper = batches[middle];
    const double median = batches.size() % 2 ? upper : (batches[middle - 1] + upper) / 2;
    return {runner.contender->name, runner.contender->verdict, runner.iterations, batches.front(),
            median};
}

} // namespace

double clock_cost() {
    static const double cost = [] {
        double least = 1e9;
        for (int repeat = 0; repeat < 1000; ++repeat) {
            const auto first = Clock::now();
            least = std::min(least, nanoseconds(Clock::now() - first));
        }
        return least;
    }();
    return cost;
}

std::optional<double> ratio(const Cell& cell, double Times::*statistic) {
    const Times& ours = cell.times[mpix_contender];
    if (ours.verdict != Verdict::right) return std::nullopt;
    std::optional<double> best;
    for (const Times& times : cell.times) {
        if (&times == &ours || times.verdict != Verdict::right) continue;
        best = std::min(best.value_or(times.*statistic), times.*statistic);
    }
    return best ? std::optional(*best / ours.*statistic) : std::nullopt;
}

Cell measure(const Operation& operation, std::size_t bytes, int rounds, const HostLibrary& host,
             const Ranks& ranks) {
    Course course(operation, bytes, ranks);
    Contenders contenders = make_contenders(operation, host, ranks, course.buffers());
    std::vector<Runner> runners = prepare(course, contenders, ranks);
    Cell cell{&operation, operation.has_data ? bytes : 0, race(course, runners, rounds, ranks), {}};
    for (std::size_t index = 0; index < contender_count; ++index)
        cell.times[index] = {contenders[index].name, contenders[index].verdict};
    for (Runner& runner : runners)
        cell.times[static_cast<std::size_t>(runner.contender - contenders.data())] =
            summarize(runner, ranks);
    return cell;
}

} // namespace mpix::bench
