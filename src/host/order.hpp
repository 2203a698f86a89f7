// SPDX-License-Identifier: BSD-3-Clause
//
// Who stands before whom: what this library hides, and who goes past it. It changes nothing; the
// sentences are for people.
#pragma once

#include <optional>
#include <string>

namespace mpix::host {

// A profiling library that is not called, as this one stands before it and calls the host's PMPI_
// names.
std::optional<std::string> tool_behind();

// Where MPI_COMM_WORLD has one rank: that the ranks were started by a launcher of another MPI, each
// for itself.
std::optional<std::string> foreign_launcher();

// For the end of a process that never called our Init: MPI was initialised by a function that the
// program looked up in the host's library. On rank 0 alone where the launcher tells the ranks.
std::optional<std::string> passed_by();

} // namespace mpix::host
