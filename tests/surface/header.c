/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpix.h alone gives a program every name of api.def, but for those of languages.h, with the
 * parameters that api.def says. C11 and C++20; it is compiled, never linked or run. */
#include <mpix/mpix.h>

#include "host/offers.h"
#include "intercept/languages.h"

#define CALL(name, handler, parameters, arguments)                                                 \
    extern int(*const pointer_to_##name) parameters;                                               \
    int(*const pointer_to_##name) parameters = MPI_##name;
#define COLLECTIVE CALL
#define PLAIN CALL
#define POLL CALL
#define NONBLOCKING CALL
#define PROVIDED CALL
#define TOOL CALL
#define PARTITIONED(name, handler, parameters, arguments)                                          \
    OWN(name, int, handler, parameters, arguments)
#define OWN(name, result, handler, parameters, arguments)                                          \
    extern result(*const pointer_to_##name) parameters;                                            \
    result(*const pointer_to_##name) parameters = MPIX_##name;
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40100000
typedef int* PreadyList; /* pmodels/mpich #6195 */
#elif defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION == 5
typedef int* PreadyList;
#else
typedef const int* PreadyList;
#endif
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40300000
typedef MPI_Request* AskedRequests;
#else
typedef const MPI_Request* AskedRequests;
#endif
#include "intercept/api.def"

/* The paper's spelling. */
enum {
    palloall =
        sizeof &MPIX_Palloall_init + sizeof &MPIX_Palloallv_init + sizeof &MPIX_Palloallw_init
};

#define NO_RANK(value)                                                                             \
    ((value) < 0 && (value) != MPI_PROC_NULL && (value) != MPI_ROOT &&                             \
     (value) != MPI_ANY_SOURCE && (value) != MPI_ANY_TAG && (value) != MPI_UNDEFINED)
#if !NO_RANK(MPIX_ALL_DESTS) || !NO_RANK(MPIX_ALL_SOURCES) || MPIX_ALL_DESTS == MPIX_ALL_SOURCES
#error "MPIX_ALL_DESTS or MPIX_ALL_SOURCES has a value that means something else"
#endif

#if MPIX_VERSION_MAJOR != PROJECT_MAJOR || MPIX_VERSION_MINOR != PROJECT_MINOR ||                  \
    MPIX_VERSION_PATCH != PROJECT_PATCH
#error "mpix.h and the project have different versions"
#endif

#ifdef __cplusplus
#include <string_view>
static_assert(std::string_view(MPIX_VERSION) == PROJECT_VERSION);
#endif
