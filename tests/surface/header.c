/* SPDX-License-Identifier: BSD-3-Clause
 *
 * mpix.h alone gives a program every name of api.def, with the parameters that api.def says. C11
 * and C++20; it is compiled, never linked or run. */
#include <mpix/mpix.h>

#define CALL(name, handler, parameters, arguments)                                                 \
    extern int(*const pointer_to_##name) parameters;                                               \
    int(*const pointer_to_##name) parameters = MPI_##name;
#define COLLECTIVE CALL
#define OWN(name, result, handler, parameters, arguments)                                          \
    extern result(*const pointer_to_##name) parameters;                                            \
    result(*const pointer_to_##name) parameters = MPIX_##name;
#if MPI_VERSION >= 4
#define CALL_OF_MPI_4 CALL
#else
#define CALL_OF_MPI_4(name, handler, parameters, arguments)
#endif
#include "intercept/api.def"

#if MPIX_VERSION_MAJOR != PROJECT_MAJOR || MPIX_VERSION_MINOR != PROJECT_MINOR ||                  \
    MPIX_VERSION_PATCH != PROJECT_PATCH
#error "mpix.h and the project have different versions"
#endif

#ifdef __cplusplus
#include <string_view>
static_assert(std::string_view(MPIX_VERSION) == PROJECT_VERSION);
#endif
