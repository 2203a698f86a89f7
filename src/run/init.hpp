// SPDX-License-Identifier: BSD-3-Clause
//
// From checked arguments to an operation that can be started: context, translation, plan, binding.
#pragma once

#include "run/operation.hpp"

#include <memory>

namespace mpix::run {

// Collective over arguments.comm. Throws Failure, on every rank alike where ranks disagree.
std::unique_ptr<Operation> make_operation(const Arguments& arguments);

} // namespace mpix::run
