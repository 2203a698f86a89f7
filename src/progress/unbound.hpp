// SPDX-License-Identifier: BSD-3-Clause
//
// Operations that are started before they have a plan: whoever makes the plan may want to know.
#pragma once

namespace mpix::progress {

class Operation;

// Called with each such operation, under the engine's guard. Before the first of them.
void call_when_started_unbound(void (*callback)(Operation&));

// For operations.
void started_unbound(Operation& operation);

} // namespace mpix::progress
