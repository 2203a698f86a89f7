// SPDX-License-Identifier: BSD-3-Clause
//
// Marking, sending and logging.
#include "progress/send_partitions.hpp"

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <utility>

namespace mpix::progress {

// A partition is logged once, and a message at most once beside the partition that completes it.
SendPartitions::SendPartitions(std::size_t partitions)
    : partitions_(partitions), quickly_marked_(partitions), marks_(partitions),
      log_(std::make_unique<std::atomic<std::int32_t>[]>(2 * partitions + 1)) {}

void SendPartitions::bind(const plan::Plan& plan, std::span<const Direct> directs) {
    messages_.clear();
    messages_of_.clear();
    of_.clear();
    boost::container::small_vector<std::int32_t, 16> number_of(plan.steps.size(), -1);
    messages_.reserve(directs.size());
    boost::container::small_vector<int, 16> peers;
    for (const Direct& direct : directs) peers.push_back(direct.peer);
    std::ranges::sort(peers);
    peers.erase(std::unique(peers.begin(), peers.end()), peers.end());
    left_ = std::vector<Left>(peers.size());
    for (const Direct& direct : directs) {
        number_of[static_cast<std::size_t>(direct.step)] =
            static_cast<std::int32_t>(messages_.size());
        Left& left = left_[static_cast<std::size_t>(std::ranges::lower_bound(peers, direct.peer) -
                                                    peers.begin())];
        messages_.emplace_back(direct, left);
    }
    may_be_left_ = std::ranges::count_if(
        directs, [](const Direct& direct) { return direct.out->may_leave(); });
    of_.resize(partitions_);
    for (std::size_t p = 0; p < partitions_; ++p) {
        Of& of = of_[p];
        of.first_message = static_cast<std::uint32_t>(messages_of_.size());
        for (const plan::StepId step : plan.after(plan.gates[p + 1])) {
            const std::int32_t number = number_of[static_cast<std::size_t>(step)];
            if (number < 0)
                of.has_others = true;
            else
                messages_of_.push_back(static_cast<std::uint32_t>(number));
        }
        of.messages = static_cast<std::uint32_t>(messages_of_.size()) - of.first_message;
        of.has_others = of.has_others || of.messages == 0;
    }
    // Of a send or receive, which may be in a round, there are no more messages than partitions.
    if (directs.size() > partitions_)
        log_ = std::make_unique<std::atomic<std::int32_t>[]>(partitions_ + directs.size() + 1);
}

void SendPartitions::open(bool in_round) {
    if (in_round) count_round();
    is_bound_.store(true, std::memory_order_release);
}

// Before anything of the round is sent.
void SendPartitions::count_round() {
    for (Message& message : messages_) {
        message.needs.store(message.direct.partitions, std::memory_order_relaxed);
        message.late.store(0, std::memory_order_relaxed);
    }
    to_read_ = std::count_if(of_.begin(), of_.end(), [](const Of& of) { return of.has_others; });
    unsent_.store(static_cast<std::int64_t>(messages_.size()), std::memory_order_relaxed);
    to_leave_.store(may_be_left_, std::memory_order_relaxed);
    for (Left& left : left_) left.taken.store(nullptr, std::memory_order_relaxed);
}

void SendPartitions::start_round() {
    marks_.start_round();
    for (std::uint32_t i = written_.load(std::memory_order_relaxed); i > 0; --i)
        log_[i - 1].store(0, std::memory_order_relaxed);
    written_.store(0, std::memory_order_relaxed);
    read_.store(0, std::memory_order_relaxed);
    count_round();
}

// Pairs with the runner's acquire, and leaves no gap for it to stop at but for a moment.
void SendPartitions::write_log(std::int32_t entry) {
    log_[written_.fetch_add(1, std::memory_order_relaxed)].store(entry, std::memory_order_release);
}

bool SendPartitions::is_best_left(const Message& message, bool at_once) {
    if (to_leave_.fetch_sub(1, std::memory_order_relaxed) == 1 || at_once) return false;
    const Left& left = message.left;
    const shmem::Number* const taken = left.taken.load(std::memory_order_relaxed);
    return !taken ||
           taken->load(std::memory_order_relaxed) >= left.number.load(std::memory_order_relaxed);
}

bool SendPartitions::send(Message& message, bool at_once, std::int64_t& since) {
    const bool is_sent = put(message, at_once);
    if (trace_) [[unlikely]]
        since = trace_->sent(message.direct.step, since);
    return is_sent;
}

bool SendPartitions::put(Message& message, bool at_once) {
    shmem::Sender& out = *message.direct.out;
    if (!out.may_leave() || !is_best_left(message, at_once)) {
        out.begin(message.direct.from);
        return out.proceed();
    }
    out.leave(message.direct.from);
    if (out.proceed()) return true;
    const shmem::Awaited awaited = out.awaited();
    message.left.number.store(awaited.value, std::memory_order_relaxed);
    message.left.taken.store(awaited.number, std::memory_order_relaxed);
    return false;
}

// So many of a message's partitions are ready. Nobody else has a part in one that has them all.
// False if they are to be logged: it goes in fragments.
bool SendPartitions::release(std::uint32_t number, std::int32_t partitions, Batch& batch) {
    Message& message = messages_[number];
    if (partitions < message.direct.partitions) {
        const std::int32_t needs = message.needs.fetch_sub(partitions, std::memory_order_acq_rel);
        if (needs != partitions) return needs > 0;
    }
    if (send(message, batch.is_of_several, batch.since)) {
        ++batch.sent;
    } else {
        batch.is_logged = true;
        write_log(-1 - static_cast<std::int32_t>(number));
    }
    return true;
}

// Whether partitions that are marked at once are in different messages.
bool SendPartitions::are_apart(std::size_t first, std::size_t last) const {
    const Of &one = of_[first], &other = of_[last];
    return one.messages > 0 && other.messages > 0 &&
           messages_of_[one.first_message] != messages_of_[other.first_message];
}

// The partitions from `first` on, so many, which are in one message and have not been logged.
void SendPartitions::release_joined(std::size_t first, std::int32_t count, Batch& batch) {
    if (count == 0) return;
    if (release(messages_of_[of_[first].first_message], count, batch)) return;
    for (std::int32_t i = 0; i < count; ++i) log(first + static_cast<std::size_t>(i), batch);
    messages_[messages_of_[of_[first].first_message]].late.fetch_add(count,
                                                                     std::memory_order_release);
}

// One that is in several messages, or lets others begin.
void SendPartitions::release_each(std::size_t partition, Batch& batch) {
    const Of& of = of_[partition];
    boost::container::small_vector<std::uint32_t, 32> fragmented_messages;
    for (std::uint32_t i = 0; i < of.messages; ++i)
        if (const std::uint32_t message = messages_of_[of.first_message + i];
            !release(message, 1, batch))
            fragmented_messages.push_back(message);
    if (of.has_others || !fragmented_messages.empty()) log(partition, batch);
    for (const std::uint32_t message : fragmented_messages)
        messages_[message].late.fetch_add(1, std::memory_order_release);
}

void SendPartitions::log(std::size_t partition, Batch& batch) {
    batch.is_logged = true;
    write_log(static_cast<std::int32_t>(partition + 1));
}

// Others may complete and free the operation once the partition is taken.
bool SendPartitions::mark_traced_part(std::size_t partition) {
    if (partition >= partitions_) return false;
    std::atomic<std::int32_t>* const needs = needs_of(partition);
    if (!needs || needs->load(std::memory_order_relaxed) <= 1) return false; // the last sends
    const PlanTrace::Mark mark = trace_->prepare_mark(partition);
    if (!take_part(partition, *needs)) return false;
    mark.put();
    return true;
}

SendPartitions::Marked SendPartitions::mark(std::size_t first, std::size_t last) {
    Marked marked;
    Batch batch;
    if (trace_) [[unlikely]] // before the other end may have them
        batch.since = trace_->mark(first, last, [this](std::size_t p) { return marks_.has(p); });
    const bool is_bound = is_bound_.load(std::memory_order_acquire);
    batch.is_of_several = last > first && is_bound && are_apart(first, last);
    std::size_t joined = first; // the first of those before that are in one message
    std::int32_t count = 0;     // of them
    const auto release_before = [&] { release_joined(joined, std::exchange(count, 0), batch); };
    std::size_t claimed = first; // all before it
    for (std::size_t p = first; p <= last; ++p) {
        if (p == claimed) claimed = marks_.claim_several(p, last);
        if (p == claimed && !marks_.claim(claimed++)) {
            release_before();
            marked.twice = static_cast<std::int64_t>(p);
            continue;
        }
        if (!is_bound) {
            batch.is_logged = true;
            write_log(static_cast<std::int32_t>(partitions_ + p + 1));
            continue;
        }
        const Of& of = of_[p];
        if (of.messages != 1 || of.has_others) {
            release_before();
            release_each(p, batch);
            continue;
        }
        if (count > 0 && are_apart(joined, p)) release_before();
        if (count++ == 0) joined = p;
    }
    release_before();
    if (batch.sent > 0) unsent_.fetch_sub(batch.sent, std::memory_order_release);
    marked.is_logged = batch.is_logged;
    return marked;
}

} // namespace mpix::progress
