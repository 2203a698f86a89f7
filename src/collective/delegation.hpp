// SPDX-License-Identifier: BSD-3-Clause
//
// Delegation: where no solver applies, the host's nonblocking collective runs with the cached
// arguments, on a communicator of its own, so that starts may come in any order. Never the host's
// persistent collective: those are wrong on both hosts.
#pragma once

#include "collective/translation.hpp"
#include "comm/shadow.hpp"
#include "progress/operation.hpp"

namespace mpix::collective {

struct Delegation {
    progress::Delegate start;
    std::shared_ptr<comm::Shadow> ranks; // the communicator, which nobody else uses
};

// Collective. Counts and displacements fit the host's int.
Delegation delegate_to_host(Context& context, const Arguments& arguments);

} // namespace mpix::collective
