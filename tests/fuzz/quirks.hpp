// SPDX-License-Identifier: BSD-3-Clause
// What the hosts themselves get wrong, so that a program neither uses it nor trusts it.
#pragma once

#include "conditions.hpp"
#include "program.hpp"

namespace fuzz {

// The host's blocking call crashes or gives wrong data.
bool blocking_is_wrong(const Conditions& conditions, const Program& program,
                       const Operation& operation);
bool blocking_in_place_is_wrong(const Conditions& conditions, const Operation& operation);
bool nonblocking_is_wrong(const Conditions& conditions, const Program& program,
                          const Operation& operation);
// It is, and the library would use it.
bool delegate_is_wrong(const Conditions& conditions, const Program& program,
                       const Operation& operation);
// On Open MPI large data of the second start of a persistent one are lost.
bool bsend_is_wrong(const Conditions& conditions, const Program& program,
                    const Operation& operation);
// MPICH treats a started persistent send to or receive from MPI_PROC_NULL as inactive.
bool persistent_null_is_wrong(const Conditions& conditions);

} // namespace fuzz
