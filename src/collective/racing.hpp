// SPDX-License-Identifier: BSD-3-Clause
//
// Which operations are raced, against another solver and the host's own, and with what.
#pragma once

#include "collective/arguments.hpp"
#include "comm/communicator.hpp"
#include "comm/context.hpp"
#include "comm/shadow.hpp"
#include "plan/plan.hpp"
#include "progress/operation.hpp"

#include <memory>
#include <optional>

namespace mpix::collective {

// Whether another solver may make its plan: its messages are many or go to other nodes, all ranks
// know all sizes, and no order shows. The same on all ranks.
bool may_race(const comm::Context& context, const Arguments& arguments, const plan::Shape& shape,
              double expected_us);

// Whether the host may do it too. A plain collective is raced with the host's blocking one instead,
// by who has made it.
bool may_race_host(const comm::Context& context, const Arguments& arguments, std::int64_t widest);

// What a race of such an operation has shown, if all ranks know it.
std::optional<comm::RequestedSolver> quickest(const comm::Context& context,
                                              const Arguments& arguments, const plan::Shape& shape);

// The place of one that the host does or may do.
comm::RaceResults::Place take_place(comm::Context& context, const Arguments& arguments,
                                    const plan::Shape& shape);

// For an operation with this plan, whose last rival is the host, to `ranks`. Throws bad_alloc.
std::unique_ptr<progress::HostRace>
make_race(const std::shared_ptr<comm::Communicator>& communicator, const Arguments& arguments,
          const plan::Shape& shape, const plan::Plan& plan,
          const std::shared_ptr<comm::Shadow>& ranks);

} // namespace mpix::collective
