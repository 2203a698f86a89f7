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
// release and loaded with acquire: it hands a partition's data to the runner. The count of messages
// to send is taken down with release, after they were, and loaded with acquire before the operation
// completes: its next round may use their queues from another thread. What tells whether a peer is
// behind is relaxed: it may be wrong.
//
// A long message can be left for its receiver to read, which takes the time of the receiver alone,
// or be put into its slots by who marks it, which is quicker. It is left while the program seems to
// work between its marks: one message is marked at a time, the receiver has taken what was left
// before, and it is not the last.
#pragma once

#include "plan/plan.hpp"
#include "progress/marks.hpp"
#include "progress/plan_trace.hpp"
#include "shmem/line_memory.hpp"
#include "shmem/queue.hpp"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace mpix::progress {

class SendPartitions {
  public:
    // A message that partitions alone let begin.
    struct Direct {
        plan::StepId step = 0;
        shmem::Sender* out = nullptr;
        const std::byte* from = nullptr;
        std::int32_t partitions = 0; // that are in it
        int peer = 0;
    };

    explicit SendPartitions(std::size_t partitions);

    std::size_t partitions() const { return partitions_; }
    // Before anybody else knows them.
    void record_to(const PlanTrace& trace) {
        trace_ = &trace;
        quickly_marked_ = 0;
    }
    bool is_bound() const { return is_bound_.load(std::memory_order_acquire); }

    // Once there is a plan, which may be in a round: what was marked before is in the log. A second
    // time if the operation could not be made; from open() on messages are sent.
    void bind(const plan::Plan& plan, std::span<const Direct> directs);
    void open(bool in_round);
    // Of an inactive operation: from(step) tells where its message stands now.
    template<class From>
    void rebind(From from) {
        for (Message& message : messages_) message.direct.from = from(message.direct.step);
    }
    // Nothing is sent until the next open(): what is marked until then is in the log.
    void postpone() { is_bound_.store(false, std::memory_order_release); }

    // ---- any thread, in a round ----

    struct Marked {
        bool is_logged = false;  // the runner has something to do
        std::int64_t twice = -1; // one that was marked before in this round; the others are now
    };
    // Both included.
    Marked mark(std::size_t first, std::size_t last);
    // The most frequent case: a partition of one message, which needs others still. False if it is
    // another, or wrong: then nothing is done.
    bool mark_part(std::size_t partition) {
        return partition < quickly_marked_ && take_part(partition);
    }
    // The same of those that are traced.
    bool are_traced() const { return trace_; }
    bool mark_traced_part(std::size_t partition);

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
            const auto partition = static_cast<std::size_t>(entry - 1) % partitions_;
            to_read_ -= of_[partition].has_others;
            if (static_cast<std::size_t>(entry) > partitions_) // marked when there was no plan
                send_early(partition, stalled);
            open(partition + 1);
        }
    }
    // Whether some message has some of its partitions, and not all. Each of them goes to
    // visit(step): it is the runner's to send, and further marks of its partitions are in the log.
    bool any_incomplete() const { return std::ranges::any_of(messages_, &Message::is_incomplete); }
    template<class Visit>
    void fragment(Visit visit) {
        for (Message& message : messages_) {
            if (!message.is_incomplete()) continue;
            const std::int32_t missing =
                message.needs.fetch_sub(fragmented, std::memory_order_acq_rel);
            message.missing = missing;
            if (missing > 0)
                visit(message.direct.step);
            else // it has them all by now
                message.needs.store(0, std::memory_order_relaxed);
        }
    }
    // Whether all threads that marked the rest of such a message have left: the next round may not
    // find one of them writing the log.
    bool is_left(plan::StepId step) const {
        const auto of = std::ranges::find_if(
            messages_, [step](const Message& message) { return message.direct.step == step; });
        return of->late.load(std::memory_order_acquire) == of->missing;
    }
    // Another one after each mark.
    std::int64_t sum_of_marks() const {
        std::int64_t sum = static_cast<std::int64_t>(written_.load(std::memory_order_relaxed));
        for (const Message& message : messages_)
            sum -= message.needs.load(std::memory_order_relaxed);
        return sum;
    }
    bool is_marked(std::size_t partition) const { return marks_.has(partition); }
    // A message that was stalled is on its way.
    void sent() { unsent_.fetch_sub(1, std::memory_order_release); }
    // All partitions that let other steps begin are marked, and the runner knows.
    bool are_read() const { return to_read_ == 0; }
    // All partitions are marked, and their messages on their way.
    bool is_done() const { return are_read() && unsent_.load(std::memory_order_acquire) == 0; }

  private:
    // Taken from the needs of a message: they are less than nothing then.
    static constexpr std::int32_t fragmented = 1 << 30;

    // What was left last for a peer, if anything in this round.
    struct Left {
        std::atomic<const shmem::Number*> taken{nullptr};
        std::atomic<std::uint64_t> number{0};
    };
    // On lines of their own: threads that mark take down the needs of different ones.
    struct alignas(shmem::cache_line) Message {
        Message(const Direct& of, Left& of_peer) : direct(of), left(of_peer) {}
        Message(Message&& other) noexcept : direct(other.direct), left(other.left) {}
        bool is_incomplete() const {
            const std::int32_t left_over = needs.load(std::memory_order_relaxed);
            return left_over > 0 && left_over < direct.partitions;
        }

        Direct direct;
        Left& left;
        std::atomic<std::int32_t> needs{0};
        std::atomic<std::int32_t> late{0}; // marks that found it fragmented, and are in the log
        std::int32_t missing = 0;          // the runner's: how many there will be
    };

    // What a partition lets begin: messages in a row, and perhaps more, which the runner begins. It
    // reads in the log of those that have no message at all too.
    struct Of {
        std::uint32_t first_message = 0, messages = 0;
        bool has_others = false;
    };
    // Messages that are on their way since the last flush.
    struct Batch {
        bool is_of_several = false;
        std::int64_t sent = 0;
        bool is_logged = false;
        std::int64_t since = 0; // the mark or the last message, if they are traced
    };

    // Null if it is not in one message, and nothing else.
    [[gnu::always_inline]] std::atomic<std::int32_t>* needs_of(std::size_t partition) {
        if (!is_bound()) return nullptr;
        const Of& of = of_[partition];
        if (of.messages != 1 || of.has_others) return nullptr;
        return &messages_[messages_of_[of.first_message]].needs;
    }
    [[gnu::always_inline]] bool take_part(std::size_t partition) {
        std::atomic<std::int32_t>* const needs = needs_of(partition);
        return needs && take_part(partition, *needs);
    }
    [[gnu::always_inline]] bool take_part(std::size_t partition, std::atomic<std::int32_t>& needs) {
        // First: once its message can do without this partition, the next round may begin.
        if (!marks_.claim(partition)) return false;
        std::int32_t left = needs.load(std::memory_order_relaxed);
        while (left > 1)
            if (needs.compare_exchange_weak(left, left - 1, std::memory_order_acq_rel,
                                            std::memory_order_relaxed))
                return true;
        marks_.give_back(partition);
        return false;
    }
    std::size_t read() const { return read_.load(std::memory_order_relaxed); }
    bool release(std::uint32_t message, std::int32_t partitions, Batch& batch);
    void release_joined(std::size_t first, std::int32_t count, Batch& batch);
    void release_each(std::size_t partition, Batch& batch);
    void log(std::size_t partition, Batch& batch);
    bool send(Message& message, bool at_once, std::int64_t& since);
    bool put(Message& message, bool at_once);
    bool is_best_left(const Message& message, bool at_once);
    bool are_apart(std::size_t first, std::size_t last) const;
    void write_log(std::int32_t entry);
    void count_round();
    template<class Stalled>
    void send_early(std::size_t partition, Stalled stalled);

    const std::size_t partitions_;
    std::size_t quickly_marked_; // all partitions; none if they are traced
    const PlanTrace* trace_ = nullptr;
    Marks marks_;
    std::unique_ptr<std::atomic<std::int32_t>[]> log_;
    std::atomic<std::uint32_t> written_{0};
    std::atomic<std::size_t> read_{0}; // written by the runner; others look whether it goes on
    std::int64_t to_read_ = 0;         // partitions that are not yet read in the log

    // Once bound: stored with release, and loaded with acquire before anything below is used.
    std::atomic<bool> is_bound_{false};
    shmem::LineVector<Message> messages_;
    std::vector<std::uint32_t> messages_of_; // of all partitions
    std::vector<Of> of_;                     // by partition
    std::vector<Left> left_;                 // by peer
    std::int64_t may_be_left_ = 0;           // messages
    // On a line of its own: all threads that send take it down.
    alignas(shmem::cache_line) std::atomic<std::int64_t> unsent_{0};
    std::atomic<std::int64_t> to_leave_{0}; // of those, not begun; relaxed
};

template<class Stalled>
void SendPartitions::send_early(std::size_t partition, Stalled stalled) {
    const Of& of = of_[partition];
    std::int64_t since = trace_ ? ticks.now() : 0;
    for (std::uint32_t i = 0; i < of.messages; ++i) {
        Message& message = messages_[messages_of_[of.first_message + i]];
        const std::int32_t needs = message.needs.fetch_sub(1, std::memory_order_acq_rel);
        if (needs <= 0) message.late.fetch_add(1, std::memory_order_relaxed); // it is fragmented
        if (needs != 1) continue;
        if (send(message, true, since))
            sent();
        else
            stalled(message.direct);
    }
}

} // namespace mpix::progress
