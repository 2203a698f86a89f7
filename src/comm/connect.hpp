// SPDX-License-Identifier: BSD-3-Clause
//
// The links of a plan among ranks that share memory: each tells those it sends to where its block
// is, and meets those that it receives from.
#pragma once

#include "progress/links.hpp"

#include <memory>

namespace mpix::comm {

class Context;

// Collective among the node peers that the plan, the context's latest, has messages with. Without
// `is_wanted` this rank's messages go over the host.
std::unique_ptr<progress::Links> connect(Context& context, const plan::Plan& plan, bool is_wanted,
                                         const progress::Links::Source& source);

} // namespace mpix::comm
