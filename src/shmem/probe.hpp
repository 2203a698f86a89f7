// SPDX-License-Identifier: BSD-3-Clause
//
// Whether processes of this machine may read each other's memory, for a process that has no peer to
// try it on.
#pragma once

#include <optional>

namespace mpix::shmem {

// Asks a process that is made for it, in the memory of this one, and waits for the answer. Empty if
// there was none.
std::optional<bool> probe_reading();

} // namespace mpix::shmem
