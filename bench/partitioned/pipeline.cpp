// SPDX-License-Identifier: BSD-3-Clause
#include "bench/partitioned/pipeline.hpp"

#include <algorithm>

namespace mpix::bench {

namespace {

double steps_per_nanosecond = 0.5;

// Each step needs the one before.
void burn_steps(long steps) {
    double value = 1;
    for (long step = 0; step < steps; ++step) {
        value = value * 0.999 + 0.001;
        asm volatile("" : "+x"(value));
    }
}

double now() { return nanoseconds(Clock::now().time_since_epoch()); }

// Of each operation, once the ranks have agreed: minus the first begin, when the last item was made
// and the last end.
struct Stamps {
    explicit Stamps(int iterations) : values(3 * static_cast<std::size_t>(iterations)) {}
    void set(int iteration, double began, double made, double ended) {
        double* const at = values.data() + 3 * iteration;
        at[0] = -began, at[1] = made, at[2] = ended;
    }
    std::vector<double> values;
};

Batch summary(const Stamps& stamps) {
    Batch batch;
    const auto count = static_cast<double>(stamps.values.size() / 3);
    for (std::size_t at = 0; at < stamps.values.size(); at += 3) {
        batch.whole += (stamps.values[at + 2] + stamps.values[at]) / count;
        const double made = std::max(stamps.values[at + 1], -stamps.values[at]);
        batch.after += (stamps.values[at + 2] - made) / count;
    }
    batch.whole = std::max(0.1, batch.whole - clock_cost());
    batch.after = std::max(0.1, batch.after - clock_cost());
    return batch;
}

bool once(const Pipeline& pipeline, int serial, int iteration, Stamps& stamps, const Ranks& ranks) {
    if (pipeline.prepare) pipeline.prepare(serial);
    ranks.barrier();
    const double began = now();
    double made = 0; // where nothing is made
    int code = pipeline.start ? pipeline.start() : MPI_SUCCESS;
    for (int item = 0; item < pipeline.items; ++item) {
        if (pipeline.make) pipeline.make(item, serial);
        if (item + 1 == pipeline.items) made = now();
        if (pipeline.hand_over) code |= pipeline.hand_over(item);
    }
    if (pipeline.finish) code |= pipeline.finish();
    stamps.set(iteration, began, made, now());
    return code == MPI_SUCCESS;
}

} // namespace

Batch run(const Pipeline& pipeline, int iterations, int& serial, const Ranks& ranks) {
    Stamps stamps(iterations);
    bool right = once(pipeline, ++serial, 0, stamps, ranks); // the first is overwritten
    for (int iteration = 0; iteration < iterations; ++iteration)
        right &= once(pipeline, ++serial, iteration, stamps, ranks);
    ranks.maximum(stamps.values);
    Batch batch = summary(stamps);
    batch.right = right && (!pipeline.right || pipeline.right(serial));
    return batch;
}

void burn(double nanoseconds) {
    if (nanoseconds > 0) burn_steps(static_cast<long>(nanoseconds * steps_per_nanosecond));
}

void calibrate_burning() {
    constexpr long steps = 20000;
    double least = 1e9;
    for (int repeat = 0; repeat < 200; ++repeat) {
        const double began = now();
        burn_steps(steps);
        least = std::min(least, now() - began);
    }
    steps_per_nanosecond = steps / least;
}

Work::Work(double nanoseconds, const std::function<void()>& write)
    : whole_(nanoseconds), writing_(nanoseconds) {
    for (int repeat = 0; repeat < 20; ++repeat) {
        const double began = now();
        write();
        writing_ = std::min(writing_, now() - began - clock_cost());
    }
}

} // namespace mpix::bench
