// SPDX-License-Identifier: BSD-3-Clause
// Pi by the midpoint rule, again and again, each time with its parts brought together by a persistent
// allreduce. One rank is late in every round, as if it had to wait for a disk: all others wait for it.
// A trace shows which it is: docs/trace.md.
//
//     late [rank [rounds]]

#define _POSIX_C_SOURCE 200809L // nanosleep
#include "persistent.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { points = 20000, late_ns = 5000000 };

// The part between begin and end of the integral of 4 / (1 + x^2) from 0 to 1.
static double integral(double begin, double end) {
  const double width = (end - begin) / points;
  double sum = 0;
  for (int i = 0; i < points; i++) {
    const double x = begin + (i + 0.5) * width;
    sum += 4 / (1 + x * x);
  }
  return sum * width;
}

int main(int argc, char** argv) {
  int rank, ranks, is_right = 1;
  double part, pi;
  MPI_Request sum;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int late = argc > 1 ? atoi(argv[1]) : ranks - 1, rounds = argc > 2 ? atoi(argv[2]) : 50;
  const struct timespec disk = {0, late_ns};
  MPI_Allreduce_init(&part, &pi, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &sum);
  for (int round = 0; round < rounds; round++) {
    part = integral((double)rank / ranks, (double)(rank + 1) / ranks);
    if (rank == late) nanosleep(&disk, NULL);
    MPI_Start(&sum);
    MPI_Wait(&sum, MPI_STATUS_IGNORE);
    is_right &= fabs(pi - acos(-1)) < 1e-9;
  }
  MPI_Request_free(&sum);
  if (rank == 0) printf("late: ranks %d, rounds %d: %s\n", ranks, rounds, is_right ? "right" : "wrong");
  MPI_Finalize();
  return !is_right;
}
