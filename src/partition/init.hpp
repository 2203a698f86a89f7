// SPDX-License-Identifier: BSD-3-Clause
//
// From the checked arguments of a partitioned collective to an operation that can be started.
#pragma once

#include "run/arguments.hpp"
#include "run/operation.hpp"

#include <memory>

namespace mpix::partition {

// Collective over arguments.comm. Throws Failure, on every rank alike where ranks disagree.
std::unique_ptr<run::Operation> make_operation(const run::Arguments& arguments);

} // namespace mpix::partition
