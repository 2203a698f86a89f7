// SPDX-License-Identifier: BSD-3-Clause
//
// Persistent generalized requests: a plan whose one step is the program.
#pragma once

#include "progress/operation.hpp"

namespace mpix::channel {

std::unique_ptr<progress::Operation> make_generalized(const progress::Callbacks& callbacks);

// Calls the program's function for MPI_Cancel, of an active one that has begun; what that returns
// is the operation's error. False if that cannot be. Under the engine's guard.
bool cancel(progress::Operation& operation);

// The same for MPI_Request_free. Returns what the function returns.
int free(const progress::Operation& operation);

} // namespace mpix::channel
