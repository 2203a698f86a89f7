// SPDX-License-Identifier: BSD-3-Clause
//
// From checked arguments to an operation that can be started: context, translation, plan, binding.
#pragma once

#include "collective/translation.hpp"
#include "comm/communicator.hpp"
#include "progress/operation.hpp"

#include <memory>

namespace mpix::collective {

using comm::Communicator;

// Collective over arguments.comm. Throws Failure, on every rank alike where ranks disagree.
std::unique_ptr<progress::Operation> make_operation(const Arguments& arguments);

// Instead of that on a rank that has no memory for its arguments: the others fail too, and do not
// wait for it.
void fail_with_others(MPI_Comm comm) noexcept;

// The same for another kind of operation, which `make_on` plans.
using MakeOperation = std::unique_ptr<progress::Operation> (*)(
    const std::shared_ptr<Communicator>& communicator, const Arguments& arguments);
std::unique_ptr<progress::Operation> make_operation(const Arguments& arguments,
                                                    MakeOperation make_on);

// An operation with that plan, its context's latest. Collective among ranks with messages.
std::unique_ptr<progress::Operation> bind_plan(const std::shared_ptr<Communicator>& communicator,
                                               const Arguments& arguments, plan::Plan plan,
                                               const plan::Problem& problem, Binding binding,
                                               std::unique_ptr<progress::Partitions> partitions,
                                               progress::Delegate delegate);

// Prints the plan and counts the operation, where that is wanted.
void announce(progress::Operation& operation, const plan::Problem& problem) noexcept;

} // namespace mpix::collective
