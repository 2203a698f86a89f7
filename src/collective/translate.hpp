// SPDX-License-Identifier: BSD-3-Clause
//
// From the arguments of a collective to a problem and its binding. Nothing here chooses an
// algorithm.
#pragma once

#include "collective/translation.hpp"

namespace mpix::collective {

// Translates checked arguments. Where ranks know different parts (gatherv, scatterv) they exchange
// sizes; then they agree on the shape. Collective.
Translation translate(Context& context, const Arguments& arguments);

} // namespace mpix::collective
