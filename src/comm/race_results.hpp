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
#include <atomic>
#include <bit>
#include <cstdint>
#include <memory>
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
    // these are all that do because it is quicker or may be. One leaves its place where it is freed
    // and where the host has lost, on each rank at another time: what counts is the most that any
    // rank had at the last agreement. What is not noted, and is raced whenever it is made, keeps
    // its place, because a communicator takes long to make.
    class Place {
      public:
        Place() = default;
        explicit Place(std::shared_ptr<std::atomic<std::int64_t>> taken)
            : taken_(std::move(taken)) {
            taken_->fetch_add(1, std::memory_order_relaxed);
        }
        Place(Place&&) = default;
        Place& operator=(Place&& other) noexcept {
            std::swap(taken_, other.taken_);
            return *this;
        }
        ~Place() {
            if (taken_) taken_->fetch_sub(1, std::memory_order_relaxed);
        }

        void keep() { taken_.reset(); }

      private:
        std::shared_ptr<std::atomic<std::int64_t>> taken_;
    };
    Place take_place() const { return Place(taken_); }
    bool may_delegate() const { return agreed_ < most_delegated; }
    std::int64_t delegated() const { return taken_->load(std::memory_order_relaxed); }
    void agree_on_delegated(std::int64_t most) { agreed_ = most; }

  private:
    static constexpr std::int64_t most_delegated = 64;

    static_assert(delegation < 1);
    boost::container::flat_map<About, RequestedSolver> known_;
    std::vector<std::pair<About, RequestedSolver>> noted_;
    // Places that are taken on this rank. A number alone: it orders nothing.
    std::shared_ptr<std::atomic<std::int64_t>> taken_ =
        std::make_shared<std::atomic<std::int64_t>>(0);
    std::int64_t agreed_ = 0;
};

} // namespace mpix::comm
