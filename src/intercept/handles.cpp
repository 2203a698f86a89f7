// SPDX-License-Identifier: BSD-3-Clause
//
// The one table of them.
#include "intercept/handles.hpp"

namespace mpix::intercept {
namespace {
constinit Immortal<Handles> table;
} // namespace

Handles& handles() { return table.value; }

} // namespace mpix::intercept
