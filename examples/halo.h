// SPDX-License-Identifier: BSD-3-Clause
// What a block of matrix rows needs from the other ranks: the values in the columns that it does
// not own. The exchange is one persistent neighbourhood collective on the graph of the ranks that
// share a matrix entry.

#ifndef EXAMPLES_HALO_H
#define EXAMPLES_HALO_H

#include "matrix.h"

// Slot s of outgoing carries the block's row send_row[s]. Neighbour k's slots begin at
// send_first[k] in outgoing, and at receive_first[k] in incoming.
typedef struct {
  int neighbours, send_slots;
  int* neighbour;
  int *send_first, *send_count, *send_row;
  int *receive_first, *receive_count;
  double *outgoing, *incoming;
  MPI_Comm graph;
  MPI_Request exchange;
} Halo;

// Collective. slot[c] is set to where column c arrives in incoming, or to -1 if it is not needed.
Halo bind_halo(const Triplets* a, const Block* block, int* slot, MPI_Comm comm);
void free_halo(Halo* halo);

// Sends the block's part of x on its way; incoming is valid after finish_halo.
void start_halo(Halo* halo, const double* x);
void finish_halo(Halo* halo);

#endif
