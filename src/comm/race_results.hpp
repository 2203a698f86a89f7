// SPDX-License-Identifier: BSD-3-Clause
//
// What races among the ranks of a context have shown: which solver is the quickest for which
// operation, of about which size, or that the host is. Ranks learn it at different times, also
// while they agree on a plan: what counts then is what they had settled before.
#pragma once

#include "base/hash.hpp"
#include "comm/requested_solver.hpp"
#include "plan/collective.hpp"
#include "plan/problem.hpp"

#include <boost/container/flat_map.hpp>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace mpix::comm {

class RaceResults {
  public:
    // Operations with blocks of about so many bytes are raced once: up to a power of two.
    struct About {
        plan::Collective collective;
        int size_class;

        About(plan::Collective of, plan::Bytes largest)
            : collective(of),
              size_class(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(largest)))) {}
        plan::Bytes least() const {
            return size_class == 0 ? 0 : plan::Bytes{1} << (size_class - 1);
        }
        plan::Bytes most() const { return size_class == 0 ? 0 : 2 * least() - 1; }
        friend bool operator<(const About& a, const About& b) {
            return std::tie(a.collective, a.size_class) < std::tie(b.collective, b.size_class);
        }
    };

    // Nothing if it has not been raced, or that is not settled.
    std::optional<RequestedSolver> quickest(const About& about) const {
        const auto found = known_.find(about);
        return found == known_.end() ? std::nullopt : std::optional(found->second);
    }
    // Under the engine's guard, as is settle().
    void note(const About& about, RequestedSolver quickest) {
        noted_.emplace_back(about, quickest);
    }
    // Before an agreement. Throws bad_alloc.
    void settle() {
        for (const auto& [about, quickest] : noted_) {
            // Of several races, in whatever order, one outcome: the host has to win them all.
            RequestedSolver& known = known_.try_emplace(about, quickest).first->second;
            known = std::max(known, quickest);
        }
        noted_.clear();
    }

    // Equal, and not negative, where ranks have settled the same.
    std::int64_t fingerprint() const {
        std::uint64_t all = 0;
        for (const auto& [about, quickest] : known_)
            all += base::hash_of(static_cast<std::uint64_t>(about.collective), about.size_class,
                                 quickest);
        return static_cast<std::int64_t>(all >> 1);
    }

    // Each operation that the host does, or may do yet, takes a communicator, of which it has few:
    // these are all that do because it is quicker or may be. Ranks agree on the largest number: one
    // may have failed where others have not.
    bool may_delegate() const { return delegated_ < most_delegated; }
    void count_delegated() { ++delegated_; }
    std::int64_t delegated() const { return delegated_; }
    void set_delegated(std::int64_t agreed) { delegated_ = agreed; }

  private:
    static constexpr std::int64_t most_delegated = 64;

    static_assert(delegation < 1);
    boost::container::flat_map<About, RequestedSolver> known_;
    std::vector<std::pair<About, RequestedSolver>> noted_;
    std::int64_t delegated_ = 0;
};

} // namespace mpix::comm
