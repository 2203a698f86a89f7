// SPDX-License-Identifier: BSD-3-Clause
//
// Bundles: a plan whose steps are other operations. It must not know which kinds of requests there
// are.
#pragma once

#include "progress/operation.hpp"

namespace mpix::channel {

// Under the engine's guard, both. Throws Failure, bad_alloc.
std::unique_ptr<progress::Operation> make_bundle(std::vector<progress::Member> members);

// From now on member `later` of an inactive bundle starts when `earlier` is done. False if that
// would be a circle: then all stays as it was.
bool order(progress::Operation& bundle, int later, int earlier);

} // namespace mpix::channel
