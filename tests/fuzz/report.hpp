// SPDX-License-Identifier: BSD-3-Clause
// Where this rank is, and what it found wrong. A crash, a hang or an MPI error ends the run and
// says where.
#pragma once

#include "common/host_version.h" // before mpix.h: it keeps mpi.h from declaring C++ bindings

#include "mpix/mpix.h"

#include <cstdint>
#include <string>

namespace fuzz {

constexpr int exit_wrong = 1, exit_error = 3, exit_hang = 24;

// Installs the handlers of signals; `seconds` is the limit of one program.
void watch(int world_rank, unsigned seconds);
void begin(std::uint64_t seed); // starts the clock
void be_at(const std::string& place);
void fail(const std::string& what);
int failures(); // since begin

// Ends the run unless the call succeeded.
void must(int code, const char* call);
#define MUST(call) ::fuzz::must(call, #call)

} // namespace fuzz
