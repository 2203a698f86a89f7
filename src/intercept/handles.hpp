// SPDX-License-Identifier: BSD-3-Clause
//
// The table of our requests: carrier handle to operation.
#pragma once

#include "intercept/handle_table.hpp"
#include "run/operation.hpp"

namespace mpix::intercept {

using Handles = HandleTable<run::Operation>;

Handles& handles();

} // namespace mpix::intercept
