/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpixcc and its kin have this found before the host's mpi.h: a program, or a probe of its configure
 * script, that includes mpi.h alone sees the names of MPI 4 too that libmpix adds. */
#ifndef MPIX_WRAPPED_MPI_H
#define MPIX_WRAPPED_MPI_H
#pragma GCC system_header

#include_next <mpi.h>

#include <mpix/mpix.h>

#endif
