// SPDX-License-Identifier: BSD-3-Clause
// MPI objects from plain data.
#pragma once

#include "program.hpp"
#include "report.hpp"

namespace fuzz {

// Committed. Its bounds are held against ours.
MPI_Datatype make_type(const Types& types, int number);
void free_type(MPI_Datatype& type); // unless it is predefined

MPI_Op make_op(const Types& types, const Operation& operation);
void free_op(MPI_Op& op, const Operation& operation); // unless it is predefined

// Collective over the parent; MPI_COMM_NULL where this rank is not a member.
MPI_Comm make_comm(const Program& program, int number, const std::vector<MPI_Comm>& comms,
                   int world_rank);

} // namespace fuzz
