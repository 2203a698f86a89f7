// SPDX-License-Identifier: BSD-3-Clause
// The halo of the conjugate-gradient example. Who sends what follows from the matrix alone, without
// asking anyone.

#include "halo.h"

#include <stdlib.h>

// Every column outside the block that a row of the block uses gets the next slot of incoming, in
// the order of columns and thus of owners; slot[column] is -1 where nothing is needed.
static int find_slots(const Triplets* a, const Block* block, int* slot) {
  int slots = 0;
  for (int c = 0; c < a->unknowns; ++c) slot[c] = -1;
  for (int k = 0; k < a->entries; ++k)
    if (owns(block, a->row[k]) && !owns(block, a->column[k])) slot[a->column[k]] = 0;
  for (int c = 0; c < a->unknowns; ++c)
    if (slot[c] == 0) slot[c] = slots++;
  return slots;
}

static void find_neighbours(Halo* halo, const Block* block, const int* slot) {
  halo->neighbour = new_integers(block->ranks);
  halo->receive_first = new_integers(block->ranks);
  halo->receive_count = new_integers(block->ranks);
  for (int c = 0; c < block->unknowns; ++c) {
    if (slot[c] < 0) continue;
    int k = halo->neighbours - 1;
    if (k < 0 || halo->neighbour[k] != owner(block, c)) {
      k = halo->neighbours++;
      halo->neighbour[k] = owner(block, c);
      halo->receive_first[k] = slot[c];
    }
    ++halo->receive_count[k];
  }
}

// The matrix is symmetric: a neighbour needs just those rows of ours in which a column of his
// appears, and, as he too counts them in ascending order, nobody has to be asked.
static void find_rows_to_send(Halo* halo, const Triplets* a, const Block* block) {
  const int rows = block->end - block->begin;
  int slots = 0;
  int* position = new_integers(block->ranks); // of a rank among the neighbours
  int* needed = new_integers(halo->neighbours * rows);
  for (int k = 0; k < halo->neighbours; ++k) position[halo->neighbour[k]] = k;
  for (int e = 0; e < a->entries; ++e)
    if (owns(block, a->row[e]) && !owns(block, a->column[e]))
      needed[position[owner(block, a->column[e])] * rows + a->row[e] - block->begin] = 1;

  halo->send_first = new_integers(halo->neighbours);
  halo->send_count = new_integers(halo->neighbours);
  halo->send_row = new_integers(halo->neighbours * rows);
  for (int k = 0; k < halo->neighbours; ++k) {
    halo->send_first[k] = slots;
    for (int row = 0; row < rows; ++row)
      if (needed[k * rows + row]) halo->send_row[slots++] = row;
    halo->send_count[k] = slots - halo->send_first[k];
  }
  halo->send_slots = slots;
  free(needed);
  free(position);
}

Halo bind_halo(const Triplets* a, const Block* block, int* slot, MPI_Comm comm) {
  Halo halo = {0};
  const int slots = find_slots(a, block, slot);
  find_neighbours(&halo, block, slot);
  find_rows_to_send(&halo, a, block);
  halo.outgoing = new_vector(halo.send_slots);
  halo.incoming = new_vector(slots);
  // The weight of an edge is the number of values that travel along it.
  MPI_Dist_graph_create_adjacent(comm, halo.neighbours, halo.neighbour, halo.receive_count,
                                 halo.neighbours, halo.neighbour, halo.send_count, MPI_INFO_NULL, 0,
                                 &halo.graph);
  MPI_Neighbor_alltoallv_init(halo.outgoing, halo.send_count, halo.send_first, MPI_DOUBLE,
                              halo.incoming, halo.receive_count, halo.receive_first, MPI_DOUBLE,
                              halo.graph, MPI_INFO_NULL, &halo.exchange);
  return halo;
}

void start_halo(Halo* halo, const double* x) {
  for (int s = 0; s < halo->send_slots; ++s) halo->outgoing[s] = x[halo->send_row[s]];
  MPI_Start(&halo->exchange);
}

void finish_halo(Halo* halo) { MPI_Wait(&halo->exchange, MPI_STATUS_IGNORE); }

void free_halo(Halo* halo) {
  MPI_Request_free(&halo->exchange);
  MPI_Comm_free(&halo->graph);
  free(halo->neighbour);
  free(halo->send_first);
  free(halo->send_count);
  free(halo->send_row);
  free(halo->receive_first);
  free(halo->receive_count);
  free(halo->outgoing);
  free(halo->incoming);
}
