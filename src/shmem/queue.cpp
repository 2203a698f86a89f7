// SPDX-License-Identifier: BSD-3-Clause
//
// The two ends of a queue.
#include "shmem/queue.hpp"

#include "shmem/peer.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace mpix::shmem {
namespace {

// What the kernel copies in one go before it is combined. Each go costs more than a microsecond,
// but what it brings should still be in the caches when it is combined.
constexpr std::uint64_t read_chunk = 256 << 10;

} // namespace

QueueEnd::QueueEnd(const Design& design, std::byte* sender_segment)
    : slots_(sender_segment + design.first_slot_at()),
      consumed_(reinterpret_cast<Number*>(sender_segment + design.consumed_at())),
      bytes_(design.bytes), stride_(static_cast<std::uint32_t>(design.stride())),
      chunk_(design.chunk), slot_count_(design.slots),
      data_at_(static_cast<std::uint16_t>(design.data_at())), protocol_(design.protocol),
      may_leave_(design.may_leave), may_fragment_(design.may_fragment) {}

Sender::Sender(const Design& design, std::byte* segment)
    : QueueEnd(design, segment), acknowledged_(design.acknowledge_every > 0),
      streams_(design.streams), is_put_at_once_(design.is_one_chunk() && !design.streams),
      segment_(segment), preference_(design.prefers ? std::make_unique<Preference>() : nullptr) {}

bool Sender::reach(const std::byte* from) {
    if (protocol_ != Protocol::mapped || copy_ || segment().contains(from)) return true;
    copy_.reset(segment().allocate(bytes_));
    return copy_ != nullptr;
}

const std::byte* Sender::mapped_source() const {
    if (!copy_ || segment().contains(from_)) return from_;
    copy_bytes(copy_.get() + fragment_.begin, from_, left_);
    return copy_.get() + fragment_.begin;
}

// A message that is not staged stays with its sender until it was taken.
bool Sender::is_released() {
    if (started_) {
        if (!has_room()) return false;
        const std::uint64_t address = protocol_ == Protocol::mapped
                                          ? static_cast<std::uint64_t>(mapped_source() - segment_)
                                          : reinterpret_cast<std::uintptr_t>(from_);
        left(slot(sent_)) = {1, address};
        if (may_fragment_) set_fragment(slot(sent_), fragment_);
        announce();
        started_ = false;
    }
    consumed_seen_ = consumed_->load(std::memory_order_acquire);
    if (consumed_seen_ != sent_) return false;
    leaves_ = false;
    return true;
}

bool Sender::proceed_in_parts() {
    if (stays()) return is_released();
    do {
        if (!has_room()) return false;
        const std::uint64_t bytes = std::min<std::uint64_t>(left_, chunk_);
        if (streams_)
            stream_bytes(slot(sent_) + data_at_, from_, bytes);
        else
            copy_bytes(slot(sent_) + data_at_, from_, bytes);
        if (may_leave_) left(slot(sent_)).is_left = 0;
        if (may_fragment_) {
            set_fragment(slot(sent_),
                         fragment_.bytes ? Fragment{fragment_.begin, bytes} : fragment_);
            fragment_.begin += bytes;
        }
        announce();
        from_ += bytes;
        left_ -= bytes;
    } while (left_ > 0);
    return true;
}

Awaited Sender::awaited() const {
    if (stays() && !started_) return {consumed_, sent_};
    return {consumed_, sent_ + 1 - slot_count_};
}

Receiver::Receiver(const Design& design, std::byte* sender_segment, std::int64_t process,
                   bool combines)
    : QueueEnd(design, sender_segment), acknowledge_mask_(design.acknowledge_every - 1),
      is_one_chunk_(design.is_one_chunk()),
      is_fetched_ahead_(is_one_chunk_ && design.acknowledge_every > 0 && !design.shares_lines &&
                        design.stride() <= 2 * cache_line),
      process_(process), segment_(sender_segment),
      read_((protocol_ == Protocol::read || may_leave_) && combines
                ? std::make_unique_for_overwrite<std::byte[]>(std::min(bytes_, read_chunk))
                : nullptr) {}

// Calls use(data, offset in the message, bytes) for each part. A fragment that has come since
// somebody looked for one is not taken for a whole.
template<class Use>
bool Receiver::take(Use use) {
    if (!awaited().is_there() || is_fragment()) return false;
    if (protocol_ != Protocol::staged || is_left()) {
        if (protocol_ == Protocol::mapped)
            use(segment_ + left(slot()).source, 0, bytes_);
        else
            read_chunks(use);
        consumed();
        return true;
    }
    do {
        const std::uint64_t bytes = std::min<std::uint64_t>(bytes_ - taken_, chunk_);
        use(slot() + data_at_, taken_, bytes);
        taken_ += bytes;
        consumed();
        if (taken_ == bytes_) return true;
    } while (awaited().is_there());
    return false;
}

template<class Use>
void Receiver::read_chunks(Use use) {
    const std::uint64_t address = left(slot()).source;
    for (std::uint64_t at = 0; at < bytes_; at += read_chunk) {
        const std::uint64_t bytes = std::min(read_chunk, bytes_ - at);
        if (!read_memory(process_, address + at, read_.get(), bytes)) failed_ = true;
        use(read_.get(), at, bytes);
    }
}

bool Receiver::copy_in_parts(std::byte* to) {
    if (!awaited().is_there() || is_fragment()) return false;
    if (protocol_ == Protocol::read || is_left()) {
        if (!read_memory(process_, left(slot()).source, to, bytes_)) failed_ = true;
        consumed();
        return true;
    }
    return take([to](const std::byte* data, std::uint64_t at, std::uint64_t bytes) {
        copy_bytes(to + at, data, bytes);
    });
}

bool Receiver::take_fragment(std::byte* to) {
    const Fragment it = fragment(slot());
    if (protocol_ == Protocol::mapped)
        copy_bytes(to + it.begin, segment_ + left(slot()).source, it.bytes);
    else if (protocol_ == Protocol::read)
        failed_ |= !read_memory(process_, left(slot()).source, to + it.begin, it.bytes);
    else
        copy_bytes(to + it.begin, slot() + data_at_, it.bytes);
    taken_ += it.bytes;
    consumed();
    return taken_ == bytes_;
}

bool Receiver::combine_in_parts(kernel::Combine function, std::size_t element,
                                const std::byte* with, std::byte* to, bool received_first) {
    return take([=](const std::byte* data, std::uint64_t at, std::uint64_t bytes) {
        const std::byte* const left = received_first ? data : with + at;
        const std::byte* const right = received_first ? with + at : data;
        function(left, right, to + at, bytes / element);
    });
}

} // namespace mpix::shmem
