// SPDX-License-Identifier: BSD-3-Clause
//
// A sum that grows round by round while each of its states is sent: the next state is written to
// another place than the one on its way, in two places by turns.
#pragma once

#include "plan/builder.hpp"

namespace mpix::plan {

class Growing {
  public:
    // Begins as `own`, which is not written. One of the two places is `result`.
    Growing(Builder& plan, const Place& own, const Place& result)
        : plan_(plan), now_(own), result_(result), other_(plan.scratch(result.bytes)),
          stage_(plan.scratch(result.bytes)) {}

    const Place& place() const { return now_; }

    // Adds what `peer` sends, before or after what there is.
    void combine(int peer, bool before) {
        const Place next = now_ == result_ ? other_ : result_;
        plan_.combine(peer, now_, next, stage_, before);
        now_ = next;
    }

  private:
    Builder& plan_;
    Place now_;
    const Place result_;
    const Place other_;
    const Place stage_;
};

} // namespace mpix::plan
