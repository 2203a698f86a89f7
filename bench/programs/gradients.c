/* SPDX-License-Identifier: BSD-3-Clause
 *
 * gradients SIDE ITERATIONS: conjugate gradients for Poisson's equation on a square of SIDE x SIDE
 * points in strips, a halo exchange and two sums of one number in each iteration. Prints the
 * seconds and the length of the solution. */
#include <mpi.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static int side, rows, rank, ranks;

static double product(const double* a, const double* b) {
    double sum = 0, all = 0;
    for (int i = side; i < (rows + 1) * side; i++) sum += a[i] * b[i];
    MPI_Allreduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* The first row and the last are those of the neighbours. */
static void multiply(double* x, double* y) {
    const int up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    const int down = rank < ranks - 1 ? rank + 1 : MPI_PROC_NULL;
    MPI_Sendrecv(x + side, side, MPI_DOUBLE, up, 0, x + (rows + 1) * side, side, MPI_DOUBLE, down,
                 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(x + rows * side, side, MPI_DOUBLE, down, 1, x, side, MPI_DOUBLE, up, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int row = 1; row <= rows; row++)
        for (int column = 0; column < side; column++) {
            const int i = row * side + column;
            y[i] = 4 * x[i] - x[i - side] - x[i + side] - (column > 0 ? x[i - 1] : 0) -
                   (column < side - 1 ? x[i + 1] : 0);
        }
}

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    side = argc > 1 ? atoi(argv[1]) : 64;
    const int iterations = argc > 2 ? atoi(argv[2]) : 100;
    rows = side / ranks + (rank < side % ranks);
    const size_t room = (size_t)(rows + 2) * (size_t)side;
    double *x = calloc(room, sizeof *x), *r = calloc(room, sizeof *r), *p = calloc(room, sizeof *p),
           *q = calloc(room, sizeof *q);
    for (int i = side; i < (rows + 1) * side; i++) r[i] = p[i] = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    double residual = product(r, r);
    for (int i = 0; i < iterations; i++) {
        multiply(p, q);
        const double step = residual / product(p, q);
        for (int j = side; j < (rows + 1) * side; j++) x[j] += step * p[j], r[j] -= step * q[j];
        const double before = residual;
        residual = product(r, r);
        for (int j = side; j < (rows + 1) * side; j++) p[j] = r[j] + residual / before * p[j];
    }
    const double seconds = MPI_Wtime() - begin, length = sqrt(product(x, x));
    if (rank == 0) printf("time %.6f\nanswer %.6g\n", seconds, length);
    free(x), free(r), free(p), free(q);
    MPI_Finalize();
    return 0;
}
