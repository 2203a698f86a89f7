// SPDX-License-Identifier: BSD-3-Clause
//
// The partitions of one side of an operation by number: segment after segment, or those of the one
// segment that goes to all or comes from all.
#pragma once

#include <boost/container/small_vector.hpp>

#include <cstdint>
#include <vector>

namespace mpix::progress {

class Numbering {
  public:
    static constexpr int all = INT32_MIN + 1; // segments: no rank, nor one of a host's constants

    Numbering() = default;
    // `peer`: whom it goes to or comes from, if that is one.
    static Numbering of_one(int partitions, int peer = all) {
        Numbering made;
        made.first_.push_back(partitions);
        made.peer_ = peer;
        return made;
    }
    static Numbering of_segments(const std::vector<int>& partitions) {
        Numbering made;
        made.has_segments_ = true;
        for (const int of_segment : partitions)
            made.first_.push_back(made.first_.back() + of_segment);
        return made;
    }

    bool has_segments() const { return has_segments_; }
    int peer() const { return peer_; }
    int segments() const { return static_cast<int>(first_.size()) - 1; }
    std::int64_t partitions() const { return first_.back(); }
    std::int64_t partitions_of(int segment) const { return at(segment + 1) - at(segment); }
    std::int64_t linear(int segment, std::int64_t partition) const {
        return at(segment) + partition;
    }

  private:
    std::int64_t at(int segment) const { return first_.data()[segment]; }

    boost::container::small_vector<std::int64_t, 2> first_{0}; // and the end
    int peer_ = all;
    bool has_segments_ = false;
};

} // namespace mpix::progress
