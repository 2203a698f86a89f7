// SPDX-License-Identifier: BSD-3-Clause
//
// From the arguments of an operation between two groups to a problem of their union.
#pragma once

#include "collective/translation.hpp"

namespace mpix::collective {

// The ranks agree first. Collective over both groups.
Translation translate_between_groups(Context& context, const Arguments& arguments);

} // namespace mpix::collective
