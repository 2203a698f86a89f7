// SPDX-License-Identifier: BSD-3-Clause
//
// Marking and asking, as the program calls it: which request, which partition, which error.
#pragma once

#include "host/symbols.hpp"

namespace mpix::intercept {

// In place of a segment's number: all of them.
inline constexpr int all_dests = -7001, all_sources = -7002;

int pready(int partition, MPI_Request request);
int pready_range(int low, int high, MPI_Request request);
int pready_list(int length, const int partitions[], MPI_Request request);
int pready_extended(int partition, int dest, MPI_Request* request);
int pready_range_extended(int low, int high, int dest, MPI_Request* request);
int pready_list_extended(int length, const int partitions[], int dest, MPI_Request* request);

int pbuf_prepare(MPI_Request request);
int pbuf_prepareall(int count, MPI_Request requests[]);

int parrived(MPI_Request request, int partition, int* flag);
int parrived_extended(MPI_Request* request, int partition, int source, int* flag);
int parrived_any(MPI_Request request, int count, const int partitions[], int* index, int* flag);
int parrived_some(MPI_Request request, int count, const int partitions[], int* outcount,
                  int indices[]);
int partition_request(MPI_Request request, int partition, MPI_Request* made);

} // namespace mpix::intercept
