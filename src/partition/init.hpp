// SPDX-License-Identifier: BSD-3-Clause
//
// From the checked arguments of a partitioned collective to an operation that can be started.
#pragma once

#include "collective/arguments.hpp"
#include "progress/operation.hpp"

#include <memory>

namespace mpix::partition {

// Collective over arguments.comm. Throws Failure, on every rank alike where ranks disagree.
std::unique_ptr<progress::Operation> make_operation(const collective::Arguments& arguments);

} // namespace mpix::partition
