/* SPDX-License-Identifier: BSD-3-Clause
 * Which host the program runs on, as that says itself: with the standard's ABI its mpi.h does not
 * tell, and another version may have the name of the one that was compiled with. */
#ifndef MPITEST_HOST_VERSION_H
#define MPITEST_HOST_VERSION_H

#ifndef OMPI_SKIP_MPICXX
#define OMPI_SKIP_MPICXX 1
#endif
#ifndef MPICH_SKIP_MPICXX
#define MPICH_SKIP_MPICXX 1
#endif
#include <mpi.h>
#include <stdio.h>

/* 40201 of a host that says name and 4.2.1, 0 of another one. */
static inline int version_after(const char* name) {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0, at = 0, numbers[3] = {0, 0, 0};
    MPI_Get_library_version(text, &length);
    for (; name[at] != '\0'; at++)
        if (text[at] != name[at]) return 0;
    sscanf(text + at, "%d.%d.%d", &numbers[0], &numbers[1], &numbers[2]);
    return (numbers[0] * 100 + numbers[1]) * 100 + numbers[2];
}

static inline int open_mpi_version(void) { return version_after("Open MPI v"); }
static inline int mpich_version(void) { return version_after("MPICH Version:"); }

#endif
