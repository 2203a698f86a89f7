// SPDX-License-Identifier: BSD-3-Clause
//
// The predefined reduction operations: which they are, and numbers for them that mean the same on
// every rank, as handles do not.
#pragma once

#include "host/host.hpp"

#include <cstdint>
#include <string>

namespace mpix::datatype {

bool is_predefined_op(MPI_Op op);

// Their numbers are those below it.
std::int64_t predefined_ops();
MPI_Op op_of(std::int64_t number);

// A program's own operations have one of two numbers, by whether they commute.
std::int64_t number_of(MPI_Op op, bool commutes);
std::string op_name(std::int64_t number); // "MPI_SUM"

} // namespace mpix::datatype
