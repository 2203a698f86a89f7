// SPDX-License-Identifier: BSD-3-Clause
//
// A segment: the partitions that go to a peer, or come from it, and where they stand while they
// travel. It does not know who sends what to whom.
#pragma once

#include "plan/builder.hpp"

#include <vector>

namespace mpix::plan {

// What goes to some ranks alike, or comes from one: partitions in their order, which follow each
// other in memory if they are dense. The two ends have the same bytes and the same cuts.
struct Segment {
    std::vector<int> peers;        // this rank too, if it is one of them
    std::vector<Place> partitions; // gates if it is sent, arrivals if it is received
    std::vector<Bytes> cuts = {};  // where each message begins, the first at 0: of nothing too
    bool is_staged = false;        // sent from where something may come earlier: it is copied out
    Bytes message_bytes = -1; // of the messages, if they are not as many as the partitions have
    bool is_joined = false;   // some message waits for several partitions of the sender

    Bytes bytes() const;
    friend bool operator==(const Segment&, const Segment&) = default;
};

// Its bytes as one run: the user's, or scratch beside it. Of an empty one there is one message all
// the same, and a part of nothing for each partition.
class SegmentRun {
  public:
    SegmentRun(const Segment& segment, Builder& plan);

    Bytes bytes() const { return bytes_; }
    bool is_empty() const { return bytes_ == 0; }
    bool is_staged() const { return is_staged_; }
    const Place& whole() const { return whole_; }
    Place partition(const Segment& segment, std::size_t number) const {
        return is_empty() ? part(static_cast<Bytes>(number), 1) : segment.partitions[number];
    }
    Place part(Bytes begin, Bytes bytes) const { return whole_.part(begin, bytes); }
    // visit(place, number) for each message.
    template<class Visit>
    void each_message(const Segment& segment, Visit visit) const {
        for (std::size_t i = 0; i < segment.cuts.size(); ++i) {
            const Bytes begin = segment.cuts[i];
            const Bytes end = i + 1 < segment.cuts.size() ? segment.cuts[i + 1] : bytes_;
            visit(is_empty() ? whole_ : part(begin, end - begin), i);
        }
    }

    // From the partitions to where the whole segment stands, and back.
    void pack(const Segment& segment, Builder& plan) const;
    void unpack(const Segment& segment, Builder& plan) const;
    // What does not come of a partition stands there as it was.
    void save(const Segment& segment, Builder& plan) const;

  private:
    Bytes missing_in(const Segment& segment) const;
    template<class Visit>
    void each_to_unpack(const Segment& segment, Visit visit) const;

    Place whole_;
    Bytes bytes_;
    bool is_staged_ = false;
};

} // namespace mpix::plan
