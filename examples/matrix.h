// SPDX-License-Identifier: BSD-3-Clause
// A sparse symmetric matrix: read from a Matrix Market file, dealt out to the ranks in blocks of
// rows, multiplied.

#ifndef EXAMPLES_MATRIX_H
#define EXAMPLES_MATRIX_H

#include "persistent.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct {
  int rank, ranks, unknowns, begin, end; // this rank's rows are [begin, end)
} Block;

typedef struct {
  int unknowns, entries; // both triangles
  int *row, *column;
  double* value;
} Triplets;

typedef struct {
  int rows;
  int *first, *column; // row i holds entries [first[i], first[i + 1])
  double* value;
} Csr;

// These end all ranks with a message when they cannot do what they are asked.
void fail(const char* what, const char* which);
double* new_vector(int count);
int* new_integers(int count);

// Collective: the first rank reads the file, all ranks get all entries.
Triplets share_matrix(const char* path, MPI_Comm comm);
void free_triplets(Triplets* a);

int first_row(int unknowns, int ranks, int rank);
Block make_block(int unknowns, MPI_Comm comm);
bool owns(const Block* block, int row);
int owner(const Block* block, int row);

// Of the block's rows, the entries in its own columns (inner) or all the others; column c becomes
// place[c].
Csr build_rows(const Triplets* a, const Block* block, bool inner, const int* place);
void free_rows(Csr* part);

// y += part * x
void add_product(const Csr* part, const double* x, double* y);

#endif
