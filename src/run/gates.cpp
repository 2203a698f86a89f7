// SPDX-License-Identifier: BSD-3-Clause
//
// Marking, sending and logging.
#include "run/gates.hpp"

#include <algorithm>

namespace mpix::run {

// A partition is logged once, and a message at most once beside the partition that completes it.
Gates::Gates(std::size_t partitions)
    : partitions_(partitions), marks_(std::make_unique<std::atomic<std::uint32_t>[]>(partitions)),
      log_(std::make_unique<std::atomic<std::int32_t>[]>(2 * partitions + 1)) {}

void Gates::bind(const plan::Plan& plan, const std::vector<Direct>& directs, bool in_round) {
    std::vector<std::int32_t> number_of(plan.steps.size(), -1);
    messages_.reserve(directs.size());
    for (const Direct& direct : directs) {
        number_of[static_cast<std::size_t>(direct.step)] =
            static_cast<std::int32_t>(messages_.size());
        messages_.emplace_back(direct).needs.store(direct.partitions, std::memory_order_relaxed);
    }
    has_others_.resize(partitions_);
    first_.push_back(0);
    for (std::size_t p = 0; p < partitions_; ++p) {
        for (const plan::StepId step : plan.after(plan.gates[p + 1])) {
            const std::int32_t number = number_of[static_cast<std::size_t>(step)];
            if (number < 0)
                has_others_[p] = true;
            else
                messages_of_.push_back(static_cast<std::uint32_t>(number));
        }
        first_.push_back(static_cast<std::uint32_t>(messages_of_.size()));
    }
    if (!in_round && messages_of_.size() > partitions_)
        log_ = std::make_unique<std::atomic<std::int32_t>[]>(partitions_ + directs.size() + 1);
    if (in_round)
        outstanding_.fetch_add(static_cast<std::int64_t>(directs.size()),
                               std::memory_order_relaxed);
    is_bound_.store(true, std::memory_order_release);
}

void Gates::start_round() {
    if (++round_ == 0) ++round_;
    for (std::uint32_t i = written_.load(std::memory_order_relaxed); i > 0; --i)
        log_[i - 1].store(0, std::memory_order_relaxed);
    written_.store(0, std::memory_order_relaxed);
    read_.store(0, std::memory_order_relaxed);
    for (Message& message : messages_)
        message.needs.store(message.direct.partitions, std::memory_order_relaxed);
    outstanding_.store(static_cast<std::int64_t>(partitions_ + messages_.size()),
                       std::memory_order_relaxed);
}

// Pairs with the runner's acquire, and leaves no gap for it to stop at but for a moment.
void Gates::write_log(std::int32_t entry) {
    log_[written_.fetch_add(1, std::memory_order_relaxed)].store(entry, std::memory_order_release);
}

bool Gates::is_last_of(Message& message) {
    return message.direct.partitions == 1 ||
           message.needs.fetch_sub(1, std::memory_order_acq_rel) == 1;
}

Gates::Mark Gates::mark(std::size_t partition) {
    if (marks_[partition].exchange(round_, std::memory_order_relaxed) == round_) return Mark::twice;
    bool is_logged = false;
    if (!is_bound_.load(std::memory_order_acquire)) {
        is_logged = true;
        write_log(static_cast<std::int32_t>(partitions_ + partition + 1));
    } else {
        send_directs(partition, [&](Message& message) {
            is_logged = true;
            write_log(-1 - static_cast<std::int32_t>(&message - messages_.data()));
        });
        if (has_others_[partition]) {
            is_logged = true;
            write_log(static_cast<std::int32_t>(partition + 1));
        }
    }
    outstanding_.fetch_sub(1, std::memory_order_release);
    return is_logged ? Mark::logged : Mark::sent;
}

} // namespace mpix::run
