// SPDX-License-Identifier: BSD-3-Clause
//
// The table of our requests: carrier handle to operation.
#pragma once

#include "intercept/handle_table.hpp"
#include "run/operation.hpp"

namespace mpix::intercept {

using Handles = HandleTable<run::Operation>;

extern Immortal<Handles> the_handles;
inline Handles& handles() { return the_handles.value; }

} // namespace mpix::intercept
