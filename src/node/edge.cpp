// SPDX-License-Identifier: BSD-3-Clause
//
// The two ends of an edge.
#include "node/edge.hpp"

#include "node/peer.hpp"

#include <algorithm>
#include <cstring>
#include <new>

namespace mpix::node {
namespace {

// Small sizes without a call.
void copy(std::byte* to, const std::byte* from, std::uint64_t bytes) {
    if (bytes == 8)
        std::memcpy(to, from, 8);
    else if (bytes == 4)
        std::memcpy(to, from, 4);
    else if (bytes > 0)
        std::memcpy(to, from, bytes);
}

// What the kernel copies in one go before it is combined: it must stay in the nearest caches.
constexpr std::uint64_t read_chunk = 32 << 10;

} // namespace

Outgoing::Outgoing(const Design& design, std::byte* segment)
    : slots_(segment + design.slots_at + cache_line),
      consumed_(reinterpret_cast<Number*>(segment + design.slots_at)), stride_(design.stride()),
      bytes_(design.bytes), chunk_(design.chunk), slot_count_(design.slots),
      data_at_(static_cast<std::uint16_t>(design.data_at())), way_(design.way),
      acknowledged_(design.acknowledged) {}

bool Outgoing::has_room() {
    if (!acknowledged_ || sent_ - consumed_seen_ < slot_count_) return true;
    consumed_seen_ = consumed_->load(std::memory_order_acquire);
    return sent_ - consumed_seen_ < slot_count_;
}

void Outgoing::put(std::uint64_t bytes) {
    std::byte* const slot = slots_ + (sent_ & (slot_count_ - 1)) * stride_;
    copy(slot + data_at_, from_, bytes);
    ++sent_;
    reinterpret_cast<Number*>(slot)->store(sent_, std::memory_order_release);
}

// A message that is not staged stays with its sender until it was taken.
bool Outgoing::is_released() {
    if (started_) {
        if (!has_room()) return false;
        put(0);
        started_ = false;
    }
    consumed_seen_ = consumed_->load(std::memory_order_acquire);
    return consumed_seen_ == sent_;
}

bool Outgoing::proceed() {
    if (way_ != Way::staged) return is_released();
    do {
        if (!has_room()) return false;
        const std::uint64_t bytes = std::min<std::uint64_t>(left_, chunk_);
        put(bytes);
        from_ += bytes;
        left_ -= bytes;
    } while (left_ > 0);
    return true;
}

Awaited Outgoing::awaited() const {
    if (way_ != Way::staged && !started_) return {consumed_, sent_};
    return {consumed_, sent_ + 1 - slot_count_};
}

Incoming::Incoming(const Design& design, std::byte* sender_segment, std::int64_t process)
    : slots_(sender_segment + design.slots_at + cache_line),
      consumed_(reinterpret_cast<Number*>(sender_segment + design.slots_at)),
      stride_(design.stride()), bytes_(design.bytes), chunk_(design.chunk),
      slot_count_(design.slots), data_at_(static_cast<std::uint16_t>(design.data_at())),
      way_(design.way), acknowledged_(design.acknowledged), source_(sender_segment + design.source),
      address_(design.source), process_(process) {}

void Incoming::consumed() {
    ++received_;
    if (acknowledged_) consumed_->store(received_, std::memory_order_release);
}

// Calls use(data, offset in the message, bytes) for each part.
template<class Use>
bool Incoming::take(Use use) {
    if (way_ != Way::staged) {
        if (!awaited().is_there()) return false;
        if (way_ == Way::mapped)
            use(source_, 0, bytes_);
        else
            read_chunks(use);
        consumed();
        return true;
    }
    do {
        if (!awaited().is_there()) return false;
        const std::uint64_t bytes = std::min<std::uint64_t>(bytes_ - taken_, chunk_);
        use(slot() + data_at_, taken_, bytes);
        taken_ += bytes;
        consumed();
    } while (taken_ < bytes_);
    return true;
}

template<class Use>
void Incoming::read_chunks(Use use) {
    alignas(cache_line) std::byte stage[read_chunk];
    for (std::uint64_t at = 0; at < bytes_; at += read_chunk) {
        const std::uint64_t bytes = std::min(read_chunk, bytes_ - at);
        if (!read_memory(process_, address_ + at, stage, bytes)) failed_ = true;
        use(stage, at, bytes);
    }
}

bool Incoming::copy_to(std::byte* to) {
    if (way_ == Way::read) {
        if (!awaited().is_there()) return false;
        if (!read_memory(process_, address_, to, bytes_)) failed_ = true;
        consumed();
        return true;
    }
    return take([to](const std::byte* data, std::uint64_t at, std::uint64_t bytes) {
        copy(to + at, data, bytes);
    });
}

bool Incoming::combine(kernel::Combine function, std::size_t element, const std::byte* with,
                       std::byte* to, bool received_first) {
    return take([=](const std::byte* data, std::uint64_t at, std::uint64_t bytes) {
        const std::byte* const left = received_first ? data : with + at;
        const std::byte* const right = received_first ? with + at : data;
        function(left, right, to + at, bytes / element);
    });
}

} // namespace mpix::node
