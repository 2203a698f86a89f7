// SPDX-License-Identifier: BSD-3-Clause
//
// See passing.hpp.
#include "intercept/passing.hpp"

#include "run/settings.hpp"

namespace mpix::intercept {

bool is_disabled() { return run::settings().MPIX_DISABLE; }

} // namespace mpix::intercept
