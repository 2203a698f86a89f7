// SPDX-License-Identifier: BSD-3-Clause
//
// What an operation has whose messages may be fragmented: what is done in the round, and which
// partitions are joined.
#pragma once

#include "plan/plan.hpp"
#include "progress/bound.hpp"

#include <boost/container/small_vector.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace mpix::progress {

class FragmentedRound;

class Fragmentation {
  public:
    explicit Fragmentation(const plan::Plan& plan);
    void bind(const std::vector<Bound>& bound) noexcept; // once

    void start_round() {
        std::fill(done_.begin(), done_.end(), false);
        last_marks_ = INT64_MIN;
    }
    void note(plan::StepId id) { done_[static_cast<std::size_t>(id)] = true; }
    bool is_done(plan::StepId id) const { return done_[static_cast<std::size_t>(id)]; }

    // Whether some step waits for partitions of which is_marked(p) tells that some are, and not
    // all.
    template<class IsMarked>
    bool any_incomplete(IsMarked is_marked) const {
        return std::ranges::any_of(joints_, [&](const Joint& joint) {
            const bool is_first = is_marked(joint.first);
            for (std::size_t p = joint.first + 1; p <= joint.last; ++p)
                if (is_marked(p) != is_first) return true;
            return false;
        });
    }

    // Whether nothing has changed for a while, by what `marks` sums up: other threads may be about
    // to mark what is missing, and a message of its own costs no more than this.
    bool is_quiet(std::int64_t marks) {
        using Clock = std::chrono::steady_clock;
        constexpr std::chrono::microseconds long_enough{10};
        const Clock::time_point now = Clock::now();
        if (marks != std::exchange(last_marks_, marks)) quiet_since_ = now;
        return now - quiet_since_ >= long_enough;
    }

    struct End {
        void operator()(FragmentedRound* ended) const;
    };
    std::unique_ptr<FragmentedRound, End> round; // if it goes on in fragments

  private:
    // A step that waits for several partitions, which follow each other.
    struct Joint {
        std::size_t first, last;
    };
    boost::container::small_vector<char, 16> done_;
    boost::container::small_vector<Joint, 2> joints_;
    std::int64_t last_marks_ = INT64_MIN;
    std::chrono::steady_clock::time_point quiet_since_;
};

} // namespace mpix::progress
