// SPDX-License-Identifier: BSD-3-Clause
// One collective call of one rank, in each of its forms: blocking, nonblocking, persistent, and
// persistent with large counts.
#pragma once

#include "program.hpp"
#include "report.hpp"

#include <memory>

namespace fuzz {

// Handles of one operation on one rank.
struct Handles {
    std::vector<MPI_Datatype> send_types, recv_types; // one for each block in the w forms
    MPI_Op op = MPI_OP_NULL;
};

Handles make_handles(const Program& program, const Operation& operation, int member);
void free_handles(Handles& handles, const Operation& operation);

struct Call {
    const Operation& operation;
    const Arguments& arguments;
    const Handles& handles;
    const void* send; // where the buffers start; MPI_IN_PLACE, or junk
    void* recv;
    int root;
    MPI_Comm comm;
    MPI_Info info; // of a partitioned init
};

int blocking(const Call& call);
// The standard wants the arrays of arguments to live as long as the request. A persistent form:
int initialise(const Call& call, Form form, MPI_Request* request, std::shared_ptr<void>* arrays);
int initialise_partitioned(const Call& call, MPI_Request* request, std::shared_ptr<void>* arrays);
int nonblocking(const Call& call, MPI_Request* request, std::shared_ptr<void>* arrays);

} // namespace fuzz
