// SPDX-License-Identifier: BSD-3-Clause
//
// What trials among the ranks of a context have shown: for which operations, of about which size,
// the host is quicker than a plan. The same on all its ranks.
#pragma once

#include "plan/collective.hpp"
#include "plan/problem.hpp"

#include <boost/container/flat_map.hpp>

#include <bit>
#include <cstdint>
#include <optional>
#include <tuple>

namespace mpix::comm {

class HostTrials {
  public:
    // Operations with blocks of about so many bytes are tried once: up to a power of two.
    struct About {
        plan::Collective collective;
        int size_class;

        About(plan::Collective of, plan::Bytes largest)
            : collective(of),
              size_class(static_cast<int>(std::bit_width(static_cast<std::uint64_t>(largest)))) {}
        friend bool operator<(const About& a, const About& b) {
            return std::tie(a.collective, a.size_class) < std::tie(b.collective, b.size_class);
        }
    };

    // Nothing if it has not been tried.
    std::optional<bool> is_host_quicker(const About& about) const {
        const auto found = known_.find(about);
        return found == known_.end() ? std::nullopt : std::optional(found->second);
    }
    void note(const About& about, bool is_host_quicker) { known_[about] = is_host_quicker; }

    // Each operation that the host does takes a communicator, of which it has few: these are all
    // that go to it because it is quicker.
    bool may_delegate() const { return delegated_ < most_delegated; }
    void count_delegated() { ++delegated_; }

  private:
    static constexpr int most_delegated = 64;

    boost::container::flat_map<About, bool> known_;
    int delegated_ = 0;
};

} // namespace mpix::comm
