// SPDX-License-Identifier: BSD-3-Clause
//
// The links of a plan among ranks that share memory: each tells those it sends to where its block
// is, and meets those that it receives from.
#pragma once

#include "run/channels.hpp"

#include <memory>

namespace mpix::run {

class Context;

// Collective among the mates that the plan, the context's latest, has messages with. Without
// `is_wanted` this rank's messages go over the host.
std::unique_ptr<Channels> connect(Context& context, const plan::Plan& plan, bool is_wanted,
                                  const Channels::Source& source);

} // namespace mpix::run
