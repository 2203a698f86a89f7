// SPDX-License-Identifier: BSD-3-Clause
//
// Asking for statuses without completing anything: of one request, and with MPI 4.1 of arrays.
#pragma once

#include "host/host.hpp"

namespace mpix::intercept {

int request_get_status(MPI_Request request, int* flag, MPI_Status* status);

#if OFFERS_Request_get_status_any
int request_get_status_any(int count, const MPI_Request requests[], int* index, int* flag,
                           MPI_Status* status);
#endif
#if OFFERS_Request_get_status_some
int request_get_status_some(int incount, const MPI_Request requests[], int* outcount, int indices[],
                            MPI_Status statuses[]);
#endif
#if OFFERS_Request_get_status_all
int request_get_status_all(int count, const MPI_Request requests[], int* flag,
                           MPI_Status statuses[]);
#endif

} // namespace mpix::intercept
