// SPDX-License-Identifier: BSD-3-Clause
// The matrix of the conjugate-gradient example: file, blocks of rows, product. It communicates only
// while it is read.

#include "matrix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void fail(const char* what, const char* which) {
  fprintf(stderr, "%s %s\n", what, which);
  MPI_Abort(MPI_COMM_WORLD, 2);
}

static void* allocate(int count, size_t size) {
  void* memory = calloc(count > 0 ? (size_t)count : 1, size);
  if (!memory) fail("no memory", "");
  return memory;
}

double* new_vector(int count) { return allocate(count, sizeof(double)); }
int* new_integers(int count) { return allocate(count, sizeof(int)); }

static FILE* open_matrix(const char* path, int* unknowns, int* stored) {
  char line[1100];
  int columns;
  FILE* file = fopen(path, "r");
  if (!file) fail("cannot open", path);
  if (!fgets(line, sizeof line, file) ||
      strncmp(line, "%%MatrixMarket matrix coordinate real symmetric", 47) != 0)
    fail("not a real symmetric coordinate Matrix Market file:", path);
  do {
    if (!fgets(line, sizeof line, file)) fail("no size line in", path);
  } while (line[0] == '%' || line[0] == '\n');
  if (sscanf(line, "%d %d %d", unknowns, &columns, stored) != 3 || *unknowns != columns ||
      *unknowns < 1 || *stored < 1 || *stored > 500000000)
    fail("bad size line in", path);
  return file;
}

static void add_entry(Triplets* a, int row, int column, double value) {
  a->row[a->entries] = row;
  a->column[a->entries] = column;
  a->value[a->entries++] = value;
}

static void allocate_entries(Triplets* a, int entries) {
  a->row = new_integers(entries);
  a->column = new_integers(entries);
  a->value = new_vector(entries);
}

// The file holds one triangle, counted from 1; both triangles come out, counted from 0.
static Triplets read_matrix(const char* path) {
  Triplets a = {0};
  int stored;
  FILE* file = open_matrix(path, &a.unknowns, &stored);
  allocate_entries(&a, 2 * stored);
  for (int k = 0; k < stored; ++k) {
    int row, column;
    double value;
    if (fscanf(file, "%d %d %lf", &row, &column, &value) != 3) fail("too few entries in", path);
    if (row < 1 || row > a.unknowns || column < 1 || column > a.unknowns)
      fail("entry outside the matrix in", path);
    add_entry(&a, row - 1, column - 1, value);
    if (row != column) add_entry(&a, column - 1, row - 1, value);
  }
  fclose(file);
  return a;
}

Triplets share_matrix(const char* path, MPI_Comm comm) {
  Triplets a = {0};
  int rank;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) a = read_matrix(path);
  int sizes[2] = {a.unknowns, a.entries};
  MPI_Bcast(sizes, 2, MPI_INT, 0, comm);
  if (rank != 0) {
    allocate_entries(&a, sizes[1]);
    a.unknowns = sizes[0];
    a.entries = sizes[1];
  }
  MPI_Bcast(a.row, a.entries, MPI_INT, 0, comm);
  MPI_Bcast(a.column, a.entries, MPI_INT, 0, comm);
  MPI_Bcast(a.value, a.entries, MPI_DOUBLE, 0, comm);
  return a;
}

void free_triplets(Triplets* a) {
  free(a->row);
  free(a->column);
  free(a->value);
}

int first_row(int unknowns, int ranks, int rank) {
  return (int)((long long)unknowns * rank / ranks);
}

Block make_block(int unknowns, MPI_Comm comm) {
  Block block = {.unknowns = unknowns};
  MPI_Comm_rank(comm, &block.rank);
  MPI_Comm_size(comm, &block.ranks);
  block.begin = first_row(unknowns, block.ranks, block.rank);
  block.end = first_row(unknowns, block.ranks, block.rank + 1);
  return block;
}

bool owns(const Block* block, int row) { return block->begin <= row && row < block->end; }

// The greatest rank whose first row is not beyond this one.
int owner(const Block* block, int row) {
  return (int)((((long long)row + 1) * block->ranks - 1) / block->unknowns);
}

static bool selects(const Triplets* a, const Block* block, bool inner, int entry) {
  return owns(block, a->row[entry]) && owns(block, a->column[entry]) == inner;
}

Csr build_rows(const Triplets* a, const Block* block, bool inner, const int* place) {
  Csr part = {.rows = block->end - block->begin};
  part.first = new_integers(part.rows + 2); // one row ahead, until the rows are filled
  int* next = part.first + 1;
  for (int k = 0; k < a->entries; ++k)
    if (selects(a, block, inner, k)) ++next[a->row[k] - block->begin + 1];
  for (int row = 0; row < part.rows; ++row) next[row + 1] += next[row];
  part.column = new_integers(next[part.rows]);
  part.value = new_vector(next[part.rows]);
  for (int k = 0; k < a->entries; ++k) {
    if (!selects(a, block, inner, k)) continue;
    const int slot = next[a->row[k] - block->begin]++;
    part.column[slot] = place[a->column[k]];
    part.value[slot] = a->value[k];
  }
  return part;
}

void add_product(const Csr* part, const double* x, double* y) {
  for (int row = 0; row < part->rows; ++row)
    for (int k = part->first[row]; k < part->first[row + 1]; ++k)
      y[row] += part->value[k] * x[part->column[k]];
}

void free_rows(Csr* part) {
  free(part->first);
  free(part->column);
  free(part->value);
}
