// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/measure.hpp"

#include <algorithm>
#include <string_view>

namespace mpix::bench {

namespace {

// One operation at one size, run by any contender.
class Course {
  public:
    // Collective.
    Course(const Operation& operation, const Ranks& ranks, bool rewrites)
        : operation_(operation), ranks_(ranks), rewrites_(rewrites), barrier_cost_(barrier_cost()) {
    }

    // On this rank.
    Batch batch(const Contender& contender, int iterations);

  private:
    double barrier_cost() const;
    bool once(const Contender& contender, bool rewrites);
    double wait_for_others() const;
    bool answer_right(const Contender& contender) const;

    const Operation& operation_;
    const Ranks& ranks_;
    const bool rewrites_;
    const double barrier_cost_;
    int serial_ = 0;
    Clock::time_point entered_{};
    Clock::time_point left_{};
};

// False if the operation failed.
bool Course::once(const Contender& contender, bool rewrites) {
    if (rewrites) contender.data->rewrite(++serial_);
    entered_ = Clock::now();
    const int code = contender.run();
    left_ = Clock::now();
    return code == MPI_SUCCESS;
}

double Course::barrier_cost() const {
    constexpr int samples = 9;
    std::vector<double> costs;
    ranks_.barrier();
    for (int sample = 0; sample < samples; ++sample) {
        const auto entered = Clock::now();
        ranks_.barrier();
        costs.push_back(nanoseconds(Clock::now() - entered));
    }
    return spread(std::move(costs)).median;
}

// Who sends to others and hears of nobody may be done with a whole batch before another rank, which
// has no core meanwhile, has begun with it, and whose time would then be that of taking what is
// there. So a batch lasts until all are done. The second barrier leaves the cores to those who have
// yet to read the clock.
double Course::wait_for_others() const {
    const auto done = Clock::now();
    ranks_.barrier();
    const double waited = nanoseconds(Clock::now() - done);
    ranks_.barrier();
    return std::max(0.0, waited - barrier_cost_);
}

Batch Course::batch(const Contender& contender, int iterations) {
    Batch batch;
    batch.right = once(contender, true); // fills the caches
    ranks_.barrier();
    double sum = 0;
    for (int iteration = 0; iteration < iterations; ++iteration) {
        batch.right &= once(contender, rewrites_);
        sum += nanoseconds(left_ - entered_) - clock_cost();
    }
    sum += wait_for_others();
    batch.right &= answer_right(contender);
    batch.whole = std::max(0.1, sum / iterations);
    return batch;
}

// Nobody leaves a barrier before everyone has entered it. The clock is the node's, so this cannot
// be asked of ranks on several nodes.
bool Course::answer_right(const Contender& contender) const {
    if (operation_.has_data) return contender.data->right(serial_);
    const double last = ranks_.maximum(nanoseconds(entered_.time_since_epoch()));
    return nanoseconds(left_.time_since_epoch()) >= last;
}

// Until those of mpix have settled: senders try out how to send, ways are raced, short ones longer.
bool settle(Course& course, const Contender& contender, const Ranks& ranks) {
    constexpr int settling = 104, of_brief = 256;
    constexpr int of_briefest = 1024; // the longest races have 51 and 768
    constexpr double brief = 5e6;     // nanoseconds: what is expected to be short may not be
    constexpr double briefest = 0.25e6;
    const Batch batch = course.batch(contender, settling);
    const double whole = ranks.maximum(batch.whole);
    if (whole > brief) return batch.right;
    const int rounds = whole > briefest ? of_brief : of_briefest;
    return course.batch(contender, rounds - settling).right && batch.right;
}

std::optional<double> time_of(const Cell& cell, std::string_view name, double Spread::*statistic) {
    const auto found = std::ranges::find_if(
        cell.times, [&](const Times& times) { return times.contender->name == name; });
    if (found == cell.times.end() || found->verdict != Verdict::right) return std::nullopt;
    return found->of_batches.*statistic;
}

Times times_of(const Contender& contender, Runner& runner, const Ranks& ranks) {
    Times times{contender.kind, runner.right ? contender.verdict : Verdict::wrong};
    if (runner.iterations == 0 || runner.whole.empty()) return times;
    times.iterations = runner.iterations;
    times.of_batches = spread(std::move(runner.whole), ranks);
    return times;
}

} // namespace

std::optional<double> best_of_host(const Cell& cell, double Spread::*statistic) {
    std::optional<double> best;
    for (const Times& times : cell.times) {
        if (times.contender->has_ratio() || times.verdict != Verdict::right) continue;
        const double time = times.of_batches.*statistic;
        best = std::min(best.value_or(time), time);
    }
    return best;
}

std::optional<double> ratio(const Cell& cell, const Times& ours, double Spread::*statistic) {
    if (ours.verdict != Verdict::right) return std::nullopt;
    const auto best = ours.contender->is_repeated ? time_of(cell, "blocking", statistic)
                                                  : best_of_host(cell, statistic);
    return best ? std::optional(*best / ours.of_batches.*statistic) : std::nullopt;
}

bool is_answered_right(const Cell& cell) {
    const auto is_wrong = [&](std::string_view name) {
        return std::ranges::any_of(cell.times, [&](const Times& times) {
            return times.contender->name == name && times.verdict == Verdict::wrong;
        });
    };
    const bool is_hosts = is_wrong("blocking"), is_nonblocking_hosts = is_wrong("nonblocking");
    return std::ranges::none_of(cell.times, [&](const Times& times) {
        if (!times.contender->ours || times.verdict != Verdict::wrong) return false;
        return !(times.contender->name == "plain" && is_hosts) &&
               !(times.contender->name == "plain-nonblocking" && is_nonblocking_hosts);
    });
}

Cell measure(const Operation& operation, std::size_t bytes, const Kinds& kinds, const Pace& pace,
             const HostLibrary& host, const Ranks& ranks) {
    Course course(operation, ranks, pace.rewrites);
    auto contenders = make_contenders(operation, bytes, kinds, host, ranks, pace.integers);
    std::vector<Runner> runners;
    std::vector<Runner*> running;
    runners.reserve(contenders.size());
    for (const Contender& contender : contenders) {
        runners.push_back({[&](int iterations) { return course.batch(contender, iterations); }});
        if (contender.verdict == Verdict::right) running.push_back(&runners.back());
    }
    for (std::size_t index = 0; index < contenders.size(); ++index)
        if (contenders[index].kind->ours && contenders[index].verdict == Verdict::right)
            runners[index].right = settle(course, contenders[index], ranks);
    const int rounds = interleave(running, pace, ranks);
    Cell cell{&operation, operation.has_data ? bytes : 0, rounds, {}};
    for (std::size_t index = 0; index < contenders.size(); ++index)
        cell.times.push_back(times_of(contenders[index], runners[index], ranks));
    return cell;
}

} // namespace mpix::bench
