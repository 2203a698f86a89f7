// SPDX-License-Identifier: BSD-3-Clause
// Conjugate gradients with a diagonal preconditioner, for a sparse symmetric matrix from a Matrix
// Market file. The rows are dealt out in blocks. Each iteration starts the same three collectives:
// the halo of the matrix (a neighbourhood exchange) and two sums, so all three are bound once
// before the first solve and serve every solve.
//
//     cg matrix.mtx [solves]
//
// The right-hand side is 1 everywhere. The residual ||b - A x|| / ||b|| is computed afresh at the
// end, from the file's entries and without the halo; the exit status says whether it is small.

#include "halo.h"
#include "matrix.h"
#include "persistent.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double tolerance = 1e-10;        // at which the iteration stops
static const double greatest_residual = 1e-8; // that the check at the end lets pass

typedef struct {
  double mine[2], all[2];
  MPI_Request reduction;
} Sum;

typedef struct {
  Block block;
  Csr inner, outer; // columns owned here, columns that the halo brings
  double* diagonal;
  Halo halo;
  Sum curvature; // p A p
  Sum progress;  // r z and r r
} System;

static double* find_diagonal(const Triplets* a, const Block* block) {
  double* diagonal = new_vector(block->end - block->begin);
  for (int k = 0; k < a->entries; ++k)
    if (a->row[k] == a->column[k] && owns(block, a->row[k]))
      diagonal[a->row[k] - block->begin] += a->value[k];
  for (int row = 0; row < block->end - block->begin; ++row)
    if (!(diagonal[row] > 0)) fail("the diagonal is not positive:", "no such matrix is solved");
  return diagonal;
}

// ---- The system, bound

static void bind_sum(Sum* sum, int count, MPI_Comm comm) {
  MPI_Allreduce_init(sum->mine, sum->all, count, MPI_DOUBLE, MPI_SUM, comm, MPI_INFO_NULL,
                     &sum->reduction);
}

static void run_sum(Sum* sum) {
  MPI_Start(&sum->reduction);
  MPI_Wait(&sum->reduction, MPI_STATUS_IGNORE);
}

// In place: the requests hold the addresses of what they sum.
static void bind_system(System* system, const Triplets* a, MPI_Comm comm) {
  const Block block = make_block(a->unknowns, comm);
  int* place = new_integers(a->unknowns);
  system->block = block;
  system->halo = bind_halo(a, &block, place, comm);
  for (int row = block.begin; row < block.end; ++row) place[row] = row - block.begin;
  system->inner = build_rows(a, &block, true, place);
  system->outer = build_rows(a, &block, false, place);
  system->diagonal = find_diagonal(a, &block);
  bind_sum(&system->curvature, 1, comm);
  bind_sum(&system->progress, 2, comm);
  free(place);
}

static void free_system(System* system) {
  MPI_Request_free(&system->curvature.reduction);
  MPI_Request_free(&system->progress.reduction);
  free_halo(&system->halo);
  free_rows(&system->inner);
  free_rows(&system->outer);
  free(system->diagonal);
}

// y = A x; the halo travels while the inner part is multiplied.
static void multiply(System* system, const double* x, double* y) {
  start_halo(&system->halo, x);
  memset(y, 0, (size_t)system->inner.rows * sizeof *y);
  add_product(&system->inner, x, y);
  finish_halo(&system->halo);
  add_product(&system->outer, system->halo.incoming, y);
}

// ---- The iteration

static double dot(const double* x, const double* y, int count) {
  double sum = 0;
  for (int i = 0; i < count; ++i) sum += x[i] * y[i];
  return sum;
}

// z = r / diagonal, and the sums over all ranks of r z and r r.
static void precondition(System* system, const double* r, double* z) {
  const int rows = system->inner.rows;
  for (int i = 0; i < rows; ++i) z[i] = r[i] / system->diagonal[i];
  system->progress.mine[0] = dot(r, z, rows);
  system->progress.mine[1] = dot(r, r, rows);
  run_sum(&system->progress);
}

// From x = 0; returns the iterations done.
static int solve(System* system, const double* b, double* x) {
  const int rows = system->inner.rows, limit = 10 * system->block.unknowns;
  double *r = new_vector(rows), *z = new_vector(rows), *p = new_vector(rows), *q = new_vector(rows);
  int iterations = 0;
  for (int i = 0; i < rows; ++i) {
    x[i] = 0;
    r[i] = b[i];
  }
  precondition(system, r, z);
  memcpy(p, z, (size_t)rows * sizeof *p);
  double rz = system->progress.all[0];
  const double enough = tolerance * tolerance * system->progress.all[1];
  while (system->progress.all[1] > enough && iterations < limit) {
    multiply(system, p, q);
    system->curvature.mine[0] = dot(p, q, rows);
    run_sum(&system->curvature);
    const double alpha = rz / system->curvature.all[0];
    for (int i = 0; i < rows; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    precondition(system, r, z);
    const double beta = system->progress.all[0] / rz;
    for (int i = 0; i < rows; ++i) p[i] = z[i] + beta * p[i];
    rz = system->progress.all[0];
    ++iterations;
  }
  free(r);
  free(z);
  free(p);
  free(q);
  return iterations;
}

// ---- The check: blocking collectives, and the entries as they were read

static double* gather_everywhere(const Block* block, const double* x, MPI_Comm comm) {
  double* whole = new_vector(block->unknowns);
  int *counts = new_integers(block->ranks), *offsets = new_integers(block->ranks);
  for (int rank = 0; rank < block->ranks; ++rank) {
    offsets[rank] = first_row(block->unknowns, block->ranks, rank);
    counts[rank] = first_row(block->unknowns, block->ranks, rank + 1) - offsets[rank];
  }
  MPI_Allgatherv(x, block->end - block->begin, MPI_DOUBLE, whole, counts, offsets, MPI_DOUBLE,
                 comm);
  free(counts);
  free(offsets);
  return whole;
}

// ||1 - A x|| / ||1||
static double true_residual(const Triplets* a, const double* x) {
  double* rest = new_vector(a->unknowns);
  for (int i = 0; i < a->unknowns; ++i) rest[i] = 1;
  for (int k = 0; k < a->entries; ++k) rest[a->row[k]] -= a->value[k] * x[a->column[k]];
  const double residual = sqrt(dot(rest, rest, a->unknowns) / a->unknowns);
  free(rest);
  return residual;
}

static bool report(const Triplets* a, const Block* block, const double* x, int iterations,
                   double seconds, MPI_Comm comm) {
  double slowest;
  MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, comm);
  double* whole = gather_everywhere(block, x, comm);
  const double residual = true_residual(a, whole);
  const double norm = sqrt(dot(whole, whole, a->unknowns));
  int right = residual < greatest_residual, all_right; // false for NaN, too
  MPI_Allreduce(&right, &all_right, 1, MPI_INT, MPI_LAND, comm);
  free(whole);
  if (block->rank == 0)
    printf("cg: ranks %d, unknowns %d\niterations %d\nnorm %.10g\nresidual %.2e\n"
           "seconds %.6f\n%s\n",
           block->ranks, a->unknowns, iterations, norm, residual, slowest,
           all_right ? "right" : "WRONG");
  return all_right;
}

static int read_solves(int argc, char** argv) {
  const int solves = argc > 2 ? atoi(argv[2]) : 1;
  if (argc < 2 || argc > 3 || solves < 1) fail("usage:", "cg matrix.mtx [solves]");
  return solves;
}

int main(int argc, char** argv) {
  const MPI_Comm comm = MPI_COMM_WORLD;
  int iterations = 0;
  MPI_Init(&argc, &argv);
  const int solves = read_solves(argc, argv);
  Triplets a = share_matrix(argv[1], comm);
  System system = {0};
  bind_system(&system, &a, comm);

  const int rows = system.inner.rows;
  double *b = new_vector(rows), *x = new_vector(rows);
  for (int i = 0; i < rows; ++i) b[i] = 1;
  double seconds = INFINITY; // of the quickest solve
  for (int k = 0; k < solves; ++k) {
    MPI_Barrier(comm);
    const double started = MPI_Wtime();
    iterations = solve(&system, b, x);
    seconds = fmin(seconds, MPI_Wtime() - started);
  }

  const bool right = report(&a, &system.block, x, iterations, seconds, comm);
  free(b);
  free(x);
  free_system(&system);
  free_triplets(&a);
  MPI_Finalize();
  return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
