// SPDX-License-Identifier: BSD-3-Clause
//
// Where a segment stands while it travels, and the copies there and back.
#include "plan/segment.hpp"

#include <algorithm>

namespace mpix::plan {

Bytes Segment::bytes() const {
    Bytes sum = 0;
    for (const Place& partition : partitions) sum += partition.bytes;
    return sum;
}

SegmentRun::SegmentRun(const Segment& segment, Builder& plan)
    : bytes_(segment.message_bytes < 0 ? segment.bytes() : segment.message_bytes) {
    if (segment.partitions.empty()) return;
    if (is_empty()) {
        whole_ = plan.nothing(segment.partitions.size());
        return;
    }
    whole_ = segment.partitions.front();
    const bool is_typed = is_blocks(whole_.buffer) && !segment.peers.empty();
    is_staged_ = segment.is_staged || is_typed || bytes_ > segment.bytes();
    if (is_staged_) whole_ = plan.scratch(bytes_ + missing_in(segment));
    whole_.bytes = bytes_;
}

// Of the last partition that the messages have something of.
Bytes SegmentRun::missing_in(const Segment& segment) const {
    Bytes end = 0;
    for (const Place& partition : segment.partitions)
        if (end < bytes_) end += partition.bytes;
    return std::max<Bytes>(end - bytes_, 0);
}

void SegmentRun::pack(const Segment& segment, Builder& plan) const {
    if (!is_staged()) return;
    Bytes begin = 0;
    for (const Place& partition : segment.partitions) {
        plan.copy(partition, part(begin, partition.bytes));
        begin += partition.bytes;
    }
}

// visit(place in the run, partition, whether it comes in part) for each that something comes of.
template<class Visit>
void SegmentRun::each_to_unpack(const Segment& segment, Visit visit) const {
    if (!is_staged()) return;
    Bytes begin = 0;
    for (const Place& partition : segment.partitions) {
        const Bytes end = begin + partition.bytes;
        if (begin >= bytes_ && end > begin) return; // the messages have less
        visit(part(begin, partition.bytes), partition, end > bytes_);
        begin = end;
    }
}

void SegmentRun::save(const Segment& segment, Builder& plan) const {
    each_to_unpack(segment, [&](const Place& part, const Place& partition, bool is_part) {
        if (is_part) plan.copy(partition, part);
    });
}

void SegmentRun::unpack(const Segment& segment, Builder& plan) const {
    each_to_unpack(segment, [&](const Place& part, const Place& partition, bool) {
        plan.copy(part, partition);
    });
}

} // namespace mpix::plan
