/* SPDX-License-Identifier: BSD-3-Clause
 *
 * What the bindings for other languages ask of the library beyond its public headers. They are
 * built with it: this is not installed, and no program uses it.
 * mpi.h comes first. */
#ifndef MPIX_INTERCEPT_LANGUAGES_H
#define MPIX_INTERCEPT_LANGUAGES_H

#ifdef __cplusplus
extern "C" {
#endif

/* Raises an error of a class with a text through the handler of comm, of MPI_COMM_WORLD if that is
 * null. Returns its code. */
int MPIX_Raise(MPI_Comm comm, int error_class, const char* text);

/* Gets a bound channel in place of an MPI_Request of the program: handles of another language may
 * be something else. */
typedef void MPIX_Deliver_function(void* place, MPI_Request channel);

/* MPIX_Ibind_slack_channels under the name `call`; what completes bind i delivers it to places[i].
 * slackness may be null, for 1. */
int MPIX_Ibind_channels_elsewhere(const char* call, const MPI_Request in[], void* const places[],
                                  MPIX_Deliver_function* deliver, int n, const int slackness[],
                                  const MPI_Info info[]);

#ifdef __cplusplus
}
#endif

#endif
