// SPDX-License-Identifier: BSD-3-Clause
//
// The entry points: api.def expanded into MPI_x, PMPI_x and, for collectives, MPIX_x and PMPIX_x,
// all one function. Fortran wrappers call either name, so both must be ours.
#include "host/symbols.hpp" // before mpix.h: it keeps mpi.h from declaring C++ bindings

#include "mpix/mpix.h"

#include "intercept/collectives.hpp"
#include "intercept/communicators.hpp"
#include "intercept/completion.hpp"
#include "intercept/environment.hpp"
#include "intercept/errors.hpp"
#include "intercept/lifetimes.hpp"
#include "intercept/memory.hpp"
#include "intercept/passing.hpp"
#include "intercept/point_to_point.hpp"
#include "run/description.hpp"

#define ALIAS(alias_name, name, parameters)                                                        \
    extern "C" [[gnu::visibility("default"), gnu::alias("MPI_" #name)]] int alias_name parameters;

#define CALL(name, handler, parameters, arguments)                                                 \
    extern "C" [[gnu::visibility("default")]] int MPI_##name parameters {                          \
        return mpix::intercept::guarded([&] { return mpix::intercept::handler arguments; });       \
    }                                                                                              \
    ALIAS(PMPI_##name, name, parameters)

#if MPI_VERSION >= 4
#define CALL_OF_MPI_4(name, handler, parameters, arguments)                                        \
    CALL(name, handler, parameters, arguments)
#else
#define CALL_OF_MPI_4(name, handler, parameters, arguments)
#endif

#define COLLECTIVE(name, handler, parameters, arguments)                                           \
    extern "C" [[gnu::visibility("default")]] int MPI_##name parameters {                          \
        if (mpix::intercept::is_disabled()) [[unlikely]]                                           \
            return mpix::intercept::host_collective<int parameters>(#name) arguments;              \
        return mpix::intercept::guarded([&] { return mpix::intercept::handler arguments; });       \
    }                                                                                              \
    ALIAS(PMPI_##name, name, parameters)                                                           \
    ALIAS(MPIX_##name, name, parameters)                                                           \
    ALIAS(PMPIX_##name, name, parameters)

// It deals with what is thrown itself: there is no code to return.
#define OWN(name, result, handler, parameters, arguments)                                          \
    extern "C" [[gnu::visibility("default")]] result MPIX_##name parameters {                      \
        return mpix::handler arguments;                                                            \
    }                                                                                              \
    extern "C"                                                                                     \
        [[gnu::visibility("default"), gnu::alias("MPIX_" #name)]] result PMPIX_##name parameters;

#include "intercept/api.def"
