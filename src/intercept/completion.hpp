// SPDX-License-Identifier: BSD-3-Clause
//
// Starting, testing and waiting, over arrays that mix our requests with the host's. While a call
// waits, every active plan moves.
#pragma once

#include "host/host.hpp"
#include "progress/operation.hpp"

namespace mpix::intercept {

class Record;

int start(MPI_Request* request);
int start(progress::Operation& operation, const char* call = "MPI_Start");
int startall(int count, MPI_Request requests[]);
int wait(MPI_Request* request, MPI_Status* status);
int wait(progress::Operation& operation, MPI_Status* status); // that is running, without a lock
int wait(Record& message, MPI_Status* status);                // that is completed here
int wait_for_wave(progress::Operation& operation, MPI_Status* status); // under way
int waitall(int count, MPI_Request requests[], MPI_Status statuses[]);
int waitany(int count, MPI_Request requests[], int* index, MPI_Status* status);
int waitsome(int incount, MPI_Request requests[], int* outcount, int indices[],
             MPI_Status statuses[]);
int test(MPI_Request* request, int* flag, MPI_Status* status);
int testall(int count, MPI_Request requests[], int* flag, MPI_Status statuses[]);
int testany(int count, MPI_Request requests[], int* index, int* flag, MPI_Status* status);
int testsome(int incount, MPI_Request requests[], int* outcount, int indices[],
             MPI_Status statuses[]);
int request_free(MPI_Request* request);
int cancel(MPI_Request* request);

// Null if it is not one of our plans.
const char* plan_name(MPI_Request request) noexcept;

} // namespace mpix::intercept
