/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the library tells of itself and of its requests, for C and C++: names that no MPI has.
 * mpix.h includes it. */
#ifndef MPIX_LIBRARY_H
#define MPIX_LIBRARY_H

#include <mpi.h>

#define MPIX_VERSION "0.1.0"
#define MPIX_VERSION_MAJOR 0
#define MPIX_VERSION_MINOR 1
#define MPIX_VERSION_PATCH 0

#define MPIX_EXPORT __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* What the library is and can do here, as lines of text that mpix-info prints: version, host,
 * capabilities, variables, info keys, solvers. Outside MPI_Init and MPI_Finalize it lacks what MPI
 * alone knows. The text lasts until the process ends; a null pointer if there is no memory for it.
 * Local, any thread; it waits for a child that it forks. No errors. */
MPIX_EXPORT const char* MPIX_Describe(void);

/* The solver that made the plan of a collective's request, or "delegate" where the host runs it; a
 * null pointer for any other request. Local, any thread. No errors. */
MPIX_EXPORT const char* MPIX_Plan_name(MPI_Request request);

#ifdef __cplusplus
}
#endif

#endif
