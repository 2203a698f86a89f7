// SPDX-License-Identifier: BSD-3-Clause
//
// A queue: the place in which one message of a plan travels, round after round, from one process of
// the node to another. Both ends know it since the init, so nothing is matched or searched for. A
// staged message goes through slots, in one chunk or several; a mapped one is loaded where it
// stands, in the sender's segment, or from a copy there; a read one the kernel copies from the
// sender's memory. Of a long staged one the sender may choose each time: to put it into the slots,
// which is quicker while both ends are at it, or to leave it to be read, which costs the sender
// nothing. Where the sender may fragment a message, a slot says which bytes of it are there.
//
// Memory order: a slot's number is stored with release after its data, and loaded with acquire
// before they are used. The consumed count is stored with release after the data were used, and
// loaded with acquire before the slot is written again. Where it is not needed, because every
// answer of the receiver already tells that it is done with what came before, the release and
// acquire of the answer's queue take its place.
#pragma once

#include "kernel/combine.hpp"
#include "shmem/copying.hpp"
#include "shmem/preference.hpp"
#include "shmem/segment.hpp"

#include <atomic>
#include <memory>

namespace mpix::shmem {

enum class Protocol : std::uint8_t { staged, mapped, read };

using Number = std::atomic<std::uint64_t>;
static_assert(Number::is_always_lock_free && sizeof(Number) == 8);

// What the sender chose, in its segment, for the receiver to read once.
struct alignas(cache_line) Design {
    std::uint64_t bytes = 0;    // of the message
    std::uint64_t slots_at = 0; // offset in the segment of the line in front of the slots
    std::uint32_t chunk = 0;    // most bytes in a slot
    std::uint16_t slots = 1;    // a power of two
    Protocol protocol = Protocol::staged;
    bool shares_lines = false;
    bool streams = false;   // staged: chunks, longer than `small`, are stored past the caches
    bool may_leave = false; // staged in chunks longer than `small`
    bool may_fragment = false;
    bool prefers = false;               // may be left, and the sender finds out when
    std::uint8_t acknowledge_every = 0; // slots between two stores of the consumed count; 0: none
    // A line for each slot, that so many queues share; which of them this is, and the block of
    // these lines, if they are not in the one of this design: offset in the segment.
    std::uint8_t sharers = 1, place = 0;
    std::uint64_t lines = 0;

    // A slot is a number and a chunk: beside it, or, if it is long, on the next line. Slots have
    // lines of their own, but those of short messages that run ahead share them: then one transfer
    // of a line brings several.
    std::uint64_t data_at() const {
        return chunk > small ? cache_line : (may_fragment ? 2 : 1) * sizeof(Number);
    }
    std::uint64_t own_stride() const {
        return round_up(data_at() + chunk, shares_lines ? 2 * sizeof(Number) : cache_line);
    }
    std::uint64_t stride() const { return sharers > 1 ? cache_line : own_stride(); }
    std::uint64_t consumed_at() const { return slots_at + place * sizeof(Number); }
    std::uint64_t first_slot_at() const { return slots_at + cache_line + place * own_stride(); }
    // The consumed count has a line in front of the slots; those of queues that share lines share
    // it.
    std::uint64_t size() const { return cache_line + round_up(slots * stride(), cache_line); }

    // The receiver takes the message where it stands.
    static constexpr Design in_place(Protocol protocol, std::uint64_t bytes) {
        Design design;
        design.bytes = bytes;
        design.protocol = protocol;
        design.slots = 2;
        design.acknowledge_every = 1;
        return design;
    }

    bool is_one_chunk() const {
        return protocol == Protocol::staged && bytes <= chunk && !may_leave && !may_fragment;
    }

    static constexpr std::uint32_t small = 504;
};

// A number to wait for.
struct Awaited {
    const Number* number;
    std::uint64_t value;

    bool is_there() const { return number->load(std::memory_order_acquire) >= value; }
};

// What both ends know of their queue.
class QueueEnd {
  protected:
    QueueEnd(const Design& design, std::byte* sender_segment);

    // The place of what comes after so many others.
    std::byte* slot(std::uint64_t before) const {
        return slots_ + (before & (slot_count_ - 1)) * stride_;
    }
    // Beside the number of a slot that is long or of a message in place, and ordered by it: whether
    // the whole message was left, and where it stands.
    struct Left {
        std::uint64_t is_left;
        std::uint64_t source; // mapped: offset in the segment; else address in the process
    };
    static Left& left(std::byte* slot) { return *reinterpret_cast<Left*>(slot + sizeof(Number)); }
    // Which bytes of the message are in the slot; none: those that follow. Beside the number too,
    // and after what else is there; a short message has it in fewer bits.
    struct Fragment {
        std::uint64_t begin, bytes;
    };
    struct ShortFragment {
        std::uint32_t begin, bytes;
    };
    Fragment fragment(std::byte* slot) const {
        if (!has_short_fragments()) return *reinterpret_cast<Fragment*>(slot + fragment_at);
        const auto& found = *reinterpret_cast<ShortFragment*>(slot + sizeof(Number));
        return {found.begin, found.bytes};
    }
    void set_fragment(std::byte* slot, const Fragment& it) const {
        if (!has_short_fragments())
            *reinterpret_cast<Fragment*>(slot + fragment_at) = it;
        else
            *reinterpret_cast<ShortFragment*>(slot + sizeof(Number)) = {
                static_cast<std::uint32_t>(it.begin), static_cast<std::uint32_t>(it.bytes)};
    }
    bool has_short_fragments() const {
        return protocol_ == Protocol::staged && data_at_ < cache_line;
    }
    static constexpr std::size_t fragment_at = sizeof(Number) + sizeof(Left);

    std::byte* const slots_;
    Number* const consumed_;
    const std::uint64_t bytes_;
    const std::uint32_t stride_;
    const std::uint32_t chunk_;
    const std::uint32_t slot_count_;
    const std::uint16_t data_at_;
    const Protocol protocol_;
    const bool may_leave_;
    const bool may_fragment_;
};

// Of both ends, what a short message needs is in one line.
class alignas(cache_line) Sender : private QueueEnd {
  public:
    Sender(const Design& design, std::byte* segment);

    // Before messages begin from elsewhere than the design was made for: what could not be mapped
    // there will be copied to where it can. False if there is no memory for that.
    bool reach(const std::byte* from);
    void begin(const std::byte* from) {
        from_ = from;
        left_ = bytes_;
        started_ = true;
        fragment_ = {0, 0};
        if (preference_) leaves_ = preference_->leaves_next();
    }
    // Begins bytes of one, of which the other end is told. All of them make up the message.
    bool may_fragment() const { return may_fragment_; }
    void begin_fragment(const std::byte* from, std::uint64_t at, std::uint64_t bytes) {
        from_ = from;
        left_ = bytes;
        started_ = true;
        fragment_ = {at, bytes};
    }
    // Begins one that stays with its sender until the other end has read it.
    void leave(const std::byte* from) {
        begin(from);
        leaves_ = true;
    }
    bool may_leave() const { return may_leave_; }
    // A message that is put at once is put whole, where there is room.
    bool has_room() {
        if (!acknowledged_ || sent_ - consumed_seen_ < slot_count_) return true;
        consumed_seen_ = consumed_->load(std::memory_order_acquire);
        return sent_ - consumed_seen_ < slot_count_;
    }
    // The place is known before the copy, which might overwrite anything the compiler knows.
    void put(const std::byte* from) {
        std::byte* const at = slot(sent_);
        const std::uint64_t number = ++sent_;
        copy_bytes(at + data_at_, from, bytes_);
        reinterpret_cast<Number*>(at)->store(number, std::memory_order_release);
    }
    bool is_put_at_once() const { return is_put_at_once_; }
    std::uint32_t slots() const { return slot_count_; }
    // Sends what there is room for; true when all is on its way and `from` may change.
    bool proceed() {
        if (!is_put_at_once_ || !has_room()) return proceed_in_parts();
        put(from_);
        return true;
    }
    Awaited awaited() const; // if that was false
    // All that has been sent is taken. The queue must be one that is acknowledged each time.
    Awaited taken() const { return {consumed_, sent_}; }
    // All that has been sent is taken, and nothing will be: the memory goes back. It is in the
    // segment of this process.
    void end() noexcept {
        copy_ = nullptr;
        segment().give_back(slots_, std::size_t{slot_count_} * stride_);
    }

  private:
    void announce() {
        auto* const number = reinterpret_cast<Number*>(slot(sent_));
        number->store(++sent_, std::memory_order_release);
    }
    bool proceed_in_parts();
    bool is_released();
    const std::byte* mapped_source() const;
    bool stays() const { return protocol_ != Protocol::staged || leaves_; }

    const bool acknowledged_;
    const bool streams_;
    const bool is_put_at_once_;
    bool started_ = false; // what is begun is not yet announced
    bool leaves_ = false;
    std::uint64_t sent_ = 0; // slots ever
    std::uint64_t consumed_seen_ = 0;
    const std::byte* from_ = nullptr;
    std::uint64_t left_ = 0;
    Fragment fragment_ = {0, 0}; // what is begun
    const std::byte* const segment_;
    struct Free {
        void operator()(std::byte* memory) const { segment().free(memory); }
    };
    std::unique_ptr<std::byte, Free> copy_; // in the segment
    std::unique_ptr<Preference> preference_;
};

class alignas(cache_line) Receiver : private QueueEnd {
  public:
    // `process` is the sender. Only if it `combines` is there a place for what the kernel reads.
    Receiver(const Design& design, std::byte* sender_segment, std::int64_t process,
             bool combines = true);

    void begin() {
        taken_ = 0;
        failed_ = false;
    }
    // Both take what has come, and return true when that was the whole message.
    bool copy_to(std::byte* to) {
        if (!is_one_chunk_) return copy_in_parts(to);
        std::byte* const at = slot();
        if (!Awaited{reinterpret_cast<const Number*>(at), received_ + 1}.is_there()) return false;
        copy_bytes(to, at + data_at_, bytes_);
        consumed();
        return true;
    }
    // to = received (op) with, or with (op) received.
    bool combine(kernel::Combine function, std::size_t element, const std::byte* with,
                 std::byte* to, bool received_first) {
        if (!is_one_chunk_) return combine_in_parts(function, element, with, to, received_first);
        if (!awaited().is_there()) return false;
        const std::byte* const data = slot() + data_at_;
        function(received_first ? data : with, received_first ? with : data, to, bytes_ / element);
        consumed();
        return true;
    }
    Awaited awaited() const { return {number(), received_ + 1}; } // if that was false
    // Whether the next that has come is a fragment, and which bytes of the message it has. It is
    // taken to `to`, where the message begins; true if that was the last.
    bool has_fragment() const { return awaited().is_there() && is_fragment(); }
    struct Part {
        std::uint64_t begin, bytes;
    };
    Part next_fragment() const {
        const Fragment it = fragment(slot());
        return {it.begin, it.bytes};
    }
    bool take_fragment(std::byte* to);
    // Whether a message has begun to come that so many others came before, ever.
    bool has_come_after(std::uint64_t others) const {
        const bool has_chunks = protocol_ == Protocol::staged && bytes_ > chunk_;
        const std::uint64_t before = others * (has_chunks ? (bytes_ + chunk_ - 1) / chunk_ : 1);
        return Awaited{reinterpret_cast<const Number*>(QueueEnd::slot(before)), before + 1}
            .is_there();
    }
    bool is_one_chunk() const { return is_one_chunk_; }
    bool is_acknowledged_each() const { return acknowledge_mask_ == 0; }
    std::uint32_t slots() const { return slot_count_; }
    bool failed() const { return failed_; } // the kernel refused to read

  private:
    template<class Use>
    bool take(Use use);
    template<class Use>
    void read_chunks(Use use);
    std::byte* slot() const { return QueueEnd::slot(received_); }
    const Number* number() const { return reinterpret_cast<const Number*>(slot()); }
    // Of what is there.
    bool is_fragment() const { return may_fragment_ && fragment(slot()).bytes > 0; }
    bool is_left() const { return may_leave_ && taken_ == 0 && left(slot()).is_left != 0; }
    bool copy_in_parts(std::byte* to);
    bool combine_in_parts(kernel::Combine function, std::size_t element, const std::byte* with,
                          std::byte* to, bool received_first);
    void consumed() {
        ++received_;
        if (acknowledge_mask_ >= 0 &&
            (received_ & static_cast<std::uint64_t>(acknowledge_mask_)) == 0)
            consumed_->store(received_, std::memory_order_release);
        if (is_fetched_ahead_) {
            __builtin_prefetch(slot());
            __builtin_prefetch(slot() + cache_line);
        }
    }

    const int acknowledge_mask_; // negative: never
    const bool is_one_chunk_;
    const bool is_fetched_ahead_; // the next slot: its sender may be ahead of us
    bool failed_ = false;
    std::uint64_t received_ = 0; // slots ever
    std::uint64_t taken_ = 0;    // bytes of this message
    const std::int64_t process_;
    const std::byte* const segment_;    // the sender's
    std::unique_ptr<std::byte[]> read_; // what is to be combined
};

} // namespace mpix::shmem
