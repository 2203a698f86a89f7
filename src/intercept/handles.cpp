// SPDX-License-Identifier: BSD-3-Clause
//
// The one table of them.
#include "intercept/handles.hpp"

namespace mpix::intercept {

constinit Immortal<Handles> the_handles;

} // namespace mpix::intercept
