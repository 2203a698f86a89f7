// SPDX-License-Identifier: BSD-3-Clause
//
// The data of a call where a plan can have them: plans are made for one run of bytes or elements.
// Whatever else a rank has is copied, which is nobody else's affair.
#pragma once

#include "automatic/invocation.hpp"
#include "progress/binding.hpp"

#include <cstddef>
#include <vector>

namespace mpix::automatic {

// Memory for what is copied.
struct Copies {
    std::vector<std::byte> send, recv;
};

class Data {
  public:
    // For a plan that is bound to those places. Throws bad_alloc. The call and the copies have to
    // live as long.
    Data(const Invocation& call, const progress::Places& before, Copies& copies);

    const progress::Places& places() const { return places_; }
    bool is_received_copied() const { return is_received_copied_; }
    // Before the plan runs, and after it. Throw Failure.
    void prepare() const;
    void conclude() const;

  private:
    const Invocation& call_;
    const bool is_sent_copied_, is_received_copied_;
    progress::Places places_;
};

} // namespace mpix::automatic
