/* SPDX-License-Identifier: BSD-3-Clause
 *
 * transpose SIZE TIMES: FFTW's transform of SIZE x SIZE complex numbers, which transposes them
 * among the ranks, so many times forth and back. Prints the seconds and a number of the result. */
#include <complex.h> /* before FFTW's: its numbers are those of C then */

#include <fftw3-mpi.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    fftw_mpi_init();
    const ptrdiff_t size = argc > 1 ? atol(argv[1]) : 64;
    const int times = argc > 2 ? atoi(argv[2]) : 100;
    ptrdiff_t rows, first;
    const ptrdiff_t room = fftw_mpi_local_size_2d(size, size, MPI_COMM_WORLD, &rows, &first);
    fftw_complex* data = fftw_alloc_complex((size_t)room);
    const fftw_plan forth =
        fftw_mpi_plan_dft_2d(size, size, data, data, MPI_COMM_WORLD, FFTW_FORWARD, FFTW_ESTIMATE);
    const fftw_plan back =
        fftw_mpi_plan_dft_2d(size, size, data, data, MPI_COMM_WORLD, FFTW_BACKWARD, FFTW_ESTIMATE);
    for (ptrdiff_t i = 0; i < rows * size; i++) data[i] = sin((double)(first * size + i));
    MPI_Barrier(MPI_COMM_WORLD);
    const double begin = MPI_Wtime();
    for (int i = 0; i < times; i++) {
        fftw_execute(forth);
        fftw_execute(back);
        for (ptrdiff_t j = 0; j < rows * size; j++) data[j] /= (double)(size * size);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    const double seconds = MPI_Wtime() - begin;
    double sum = 0, all = 0;
    int rank;
    for (ptrdiff_t i = 0; i < rows * size; i++) sum += fabs(creal(data[i]));
    MPI_Reduce(&sum, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) printf("time %.6f\nanswer %.9g\n", seconds, all);
    fftw_destroy_plan(forth);
    fftw_destroy_plan(back);
    fftw_free(data);
    MPI_Finalize();
    return 0;
}
