// SPDX-License-Identifier: BSD-3-Clause
//
// A race of an operation that the program starts: round by round it says whose turn it is. When all
// rounds are over the next one begins with a comparison among the ranks, after which all of them
// have the same way for good. Ranks that have to meet compare nothing. Under the engine's guard.
#pragma once

#include "host/symbols.hpp"
#include "progress/race.hpp"

#include <functional>

namespace mpix::progress {

class HostRace {
  public:
    // Begins to find the largest that any rank has of each of these, which stay where they are. For
    // this operation alone: ranks start others in other orders.
    using Compare = std::function<int(RaceTimes&, MPI_Request*)>;
    // Of the times, and of the way that is taken.
    using Tell = std::function<void(const RaceTimes&, std::size_t)>;

    // The last way is the host's, which settles too: its first rounds find nothing in any cache.
    HostRace(const RaceRules& rules, std::size_t ways, Compare compare, Tell tell)
        : race_(rules, ways, ways), compare_(std::move(compare)), tell_(std::move(tell)) {}

    // A round begins, or goes on after a comparison: by that way. A comparison is the host's too.
    std::size_t begin();
    // The turn is done. False if that was a comparison: the round begins then.
    bool end();
    int compare(MPI_Request* request) { return compare_(times_, request); }

    bool is_comparing() const { return is_comparing_; }
    bool is_over() const { return is_over_; }

  private:
    Race race_;
    Compare compare_;
    Tell tell_;
    bool is_comparing_ = false, is_over_ = false;
    RaceTimes times_;
};

} // namespace mpix::progress
