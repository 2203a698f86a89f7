// SPDX-License-Identifier: BSD-3-Clause
//
// Where MPI begins and ends: MPI_Init and MPI_Finalize, and the sessions of MPI 4.
#pragma once

#include "host/host.hpp"

namespace mpix::intercept {

// Whether the library belongs here; once, before anything of the host's is begun.
void look_around();

int init(int* argc, char*** argv);
int init_thread(int* argc, char*** argv, int required, int* provided);
int finalize();

#if OFFERS_Session_init
int session_init(MPI_Info info, MPI_Errhandler errhandler, MPI_Session* session);
int session_finalize(MPI_Session* session);
#endif

} // namespace mpix::intercept
