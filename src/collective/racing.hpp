// SPDX-License-Identifier: BSD-3-Clause
//
// Which operations are raced against the host's own, and with what.
#pragma once

#include "collective/arguments.hpp"
#include "comm/communicator.hpp"
#include "comm/context.hpp"
#include "comm/shadow.hpp"
#include "plan/problem.hpp"
#include "plan/solver.hpp"
#include "progress/operation.hpp"

#include <memory>
#include <optional>

namespace mpix::collective {

// Whether the host may do it instead: its messages are many or go to other nodes, all ranks know
// all sizes, and no order shows. The same on all ranks.
bool may_race(const comm::Context& context, const Arguments& arguments, const plan::Shape& shape,
              std::int64_t widest, double expected_us);

// What a race of such an operation has shown, if all ranks know it.
std::optional<bool> is_host_quicker(const comm::Context& context, const Arguments& arguments,
                                    const plan::Shape& shape);

// For an operation whose plan ends with a delegation, which is the host's part, to `ranks`. Throws
// bad_alloc.
std::unique_ptr<progress::HostRace>
make_race(const std::shared_ptr<comm::Communicator>& communicator, const Arguments& arguments,
          const plan::Shape& shape, const plan::Solver& solver,
          const std::shared_ptr<comm::Shadow>& ranks);

} // namespace mpix::collective
