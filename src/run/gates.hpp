// SPDX-License-Identifier: BSD-3-Clause
//
// The send partitions of an operation, as the program's threads and the runner share them. A thread
// that marks one sends at once what it may: a message within the node that waits for nothing but
// partitions. All else goes into a log, which the runner reads. Nothing here locks, and nothing
// allocates in a round.
//
// Memory order. The program orders Start before the marks of its round. A message of several
// partitions is sent by the thread that finds the last of them: their count is taken down with
// acquire and release, so that it sees the data of the others. An entry of the log is stored with
// release and loaded with acquire: it hands a partition's data to the runner. What is outstanding
// is taken down with release, after messages were sent, and loaded with acquire before the
// operation completes: its next round may use their edges from another thread.
#pragma once

#include "node/edge.hpp"
#include "plan/plan.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

namespace mpix::run {

class Gates {
  public:
    // A message that partitions alone let begin.
    struct Direct {
        plan::StepId step = 0;
        node::Outgoing* out = nullptr;
        const std::byte* from = nullptr;
        std::int32_t partitions = 0; // that are in it
    };

    explicit Gates(std::size_t partitions);

    std::size_t partitions() const { return partitions_; }
    bool is_bound() const { return is_bound_.load(std::memory_order_acquire); }

    // Once there is a plan, which may be in a round: what was marked before is in the log.
    void bind(const plan::Plan& plan, const std::vector<Direct>& directs, bool in_round);

    // ---- any thread, in a round ----

    enum class Mark { sent, logged, twice };
    // `logged`: the runner has something to do.
    Mark mark(std::size_t partition);

    // ---- the runner ----

    void start_round();
    bool has_unread() const { return log_[read()].load(std::memory_order_relaxed) != 0; }
    // Calls open(gate) for a partition that lets other steps begin, and stalled(direct) for a
    // message that has no room yet.
    template<class Open, class Stalled>
    void read_log(Open open, Stalled stalled) {
        while (const std::int32_t entry = log_[read()].load(std::memory_order_acquire)) {
            read_.store(read() + 1, std::memory_order_relaxed);
            if (entry < 0) {
                stalled(messages_[static_cast<std::size_t>(-entry - 1)].direct);
                continue;
            }
            // It was marked when there was no plan.
            const auto partition = static_cast<std::size_t>(entry - 1) % partitions_;
            if (static_cast<std::size_t>(entry) > partitions_)
                send_directs(partition, [&](Message& message) { stalled(message.direct); });
            open(partition + 1);
        }
    }
    // A message that was stalled is on its way.
    void sent() { outstanding_.fetch_sub(1, std::memory_order_release); }
    // All partitions are marked, and their messages on their way.
    bool is_done() const { return outstanding_.load(std::memory_order_acquire) == 0; }

  private:
    struct Message {
        explicit Message(const Direct& of) : direct(of) {}
        Message(Message&& other) noexcept : direct(other.direct) {}

        const Direct direct;
        std::atomic<std::int32_t> needs{0};
    };

    std::size_t read() const { return read_.load(std::memory_order_relaxed); }
    // Those of which it is the last partition.
    template<class Stalled>
    void send_directs(std::size_t partition, Stalled stalled);
    bool is_last_of(Message& message);
    void write_log(std::int32_t entry);

    const std::size_t partitions_;
    std::uint32_t round_ = 0;                             // never 0 in a round
    std::unique_ptr<std::atomic<std::uint32_t>[]> marks_; // the round in which each was marked last
    std::unique_ptr<std::atomic<std::int32_t>[]> log_;
    std::atomic<std::uint32_t> written_{0};
    std::atomic<std::size_t> read_{0}; // written by the runner; others look whether it goes on
    std::atomic<std::int64_t> outstanding_{0}; // partitions not marked, messages not sent

    // Once bound: stored with release, and loaded with acquire before anything below is used.
    std::atomic<bool> is_bound_{false};
    std::vector<Message> messages_;
    std::vector<std::uint32_t> first_; // of the messages of each partition, in ...
    std::vector<std::uint32_t> messages_of_;
    std::vector<bool> has_others_; // steps that the runner begins
};

template<class Stalled>
void Gates::send_directs(std::size_t partition, Stalled stalled) {
    std::int64_t sent = 0;
    for (std::uint32_t i = first_[partition]; i < first_[partition + 1]; ++i) {
        Message& message = messages_[messages_of_[i]];
        if (!is_last_of(message)) continue;
        message.direct.out->begin(message.direct.from);
        if (message.direct.out->proceed())
            ++sent;
        else
            stalled(message);
    }
    if (sent > 0) outstanding_.fetch_sub(sent, std::memory_order_release);
}

} // namespace mpix::run
