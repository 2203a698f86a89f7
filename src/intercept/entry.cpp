// SPDX-License-Identifier: BSD-3-Clause
//
// The entry points: api.def expanded into MPI_x, PMPI_x and, for collectives, MPIX_x and PMPIX_x,
// all one function. Fortran wrappers call either name, so both must be ours.
#include "host/symbols.hpp" // before mpix.h: it keeps mpi.h from declaring C++ bindings

#include "mpix/mpix.h"

#include "intercept/automatic_settings.hpp"
#include "intercept/batch.hpp"
#include "intercept/bundles.hpp"
#include "intercept/channels.hpp"
#include "intercept/collectives.hpp"
#include "intercept/communicators.hpp"
#include "intercept/completion.hpp"
#include "intercept/environment.hpp"
#include "intercept/errors.hpp"
#include "intercept/files.hpp"
#include "intercept/lifetimes.hpp"
#include "intercept/memory.hpp"
#include "intercept/partitioned.hpp"
#include "intercept/partitioned_pair.hpp"
#include "intercept/passing.hpp"
#include "intercept/plain_collectives.hpp"
#include "intercept/point_to_point.hpp"
#include "intercept/quick_calls.hpp"
#include "intercept/readiness.hpp"
#include "intercept/rebinding.hpp"
#include "intercept/status_queries.hpp"
#include "intercept/tool_answers.hpp"
#include "intercept/tool_calls.hpp"
#include "intercept/windows.hpp"
#include "library/description.hpp"

static_assert(MPIX_ALL_DESTS == mpix::intercept::all_dests);
static_assert(MPIX_ALL_SOURCES == mpix::intercept::all_sources);

// const int*, but MPICH 4.0 (pmodels/mpich #6195) and Open MPI 5 forget the const.
template<class List>
List pready_list_type(int (*)(int, List, MPI_Request));
using PreadyList = decltype(pready_list_type(MPI_Pready_list));

// const MPI_Request*, but MPICH 4.2 forgets the const.
#if OFFERS_Request_get_status_all
template<class List>
List asked_requests_type(int (*)(int, List, int*, MPI_Status*));
using AskedRequests = decltype(asked_requests_type(MPI_Request_get_status_all));
#endif

#define ALIAS(alias_name, name, parameters)                                                        \
    extern "C" [[gnu::visibility("default"), gnu::alias("MPI_" #name)]] int alias_name parameters;

#define CALL(name, handler, parameters, arguments)                                                 \
    extern "C" [[gnu::visibility("default")]] int MPI_##name parameters {                          \
        return mpix::intercept::guarded([&] { return mpix::intercept::handler arguments; });       \
    }                                                                                              \
    ALIAS(PMPI_##name, name, parameters)

// A call that programs make by the million, and that is the host's where no request is ours.
#define POLL(name, handler, parameters, arguments)                                                 \
    extern "C" [[gnu::visibility("default")]] int MPI_##name parameters {                          \
        if (!mpix::intercept::completes_any()) [[likely]]                                          \
            return HOST(name) arguments;                                                           \
        return mpix::intercept::guarded([&] { return mpix::intercept::handler arguments; });       \
    }                                                                                              \
    ALIAS(PMPI_##name, name, parameters)

#define PROVIDED(name, handler, parameters, arguments)                                             \
    extern "C" [[gnu::visibility("default")]] int MPI_##name parameters {                          \
        if (mpix::intercept::is_disabled()) [[unlikely]] {                                         \
            static auto* const theirs = mpix::intercept::host_call<int parameters>(#name);         \
            return theirs arguments;                                                               \
        }                                                                                          \
        return mpix::intercept::guarded([&] { return mpix::intercept::handler arguments; });       \
    }                                                                                              \
    ALIAS(PMPI_##name, name, parameters)

#define LIST(...) __VA_ARGS__

// Of a plain collective: the host's, where it runs on no plan.
#define PLAIN(name, handler, parameters, arguments)                                                \
    extern "C" [[gnu::visibility("default")]] int MPI_##name parameters {                          \
        return mpix::intercept::guarded([&] {                                                      \
            const int code = mpix::intercept::plain::handler(mpix::intercept::plain::Blocking(),   \
                                                             LIST arguments);                      \
            if (code > mpix::intercept::plain::raced_by_host) [[likely]]                           \
                return code;                                                                       \
            const int theirs = HOST(name) arguments;                                               \
            if (code == mpix::intercept::plain::raced_by_host)                                     \
                mpix::automatic::end_host_call(comm);                                              \
            return theirs;                                                                         \
        });                                                                                        \
    }                                                                                              \
    ALIAS(PMPI_##name, name, parameters)

// Its arguments are those of the blocking call; the request follows.
#define NONBLOCKING(name, handler, parameters, arguments)                                          \
    extern "C" [[gnu::visibility("default")]] int MPI_##name parameters {                          \
        return mpix::intercept::guarded([&] {                                                      \
            const int code = mpix::intercept::plain::handler(                                      \
                mpix::intercept::plain::Nonblocking{request}, LIST arguments);                     \
            return code != mpix::intercept::plain::left_to_host                                    \
                       ? code                                                                      \
                       : HOST(name)(LIST arguments, request);                                      \
        });                                                                                        \
    }                                                                                              \
    ALIAS(PMPI_##name, name, parameters)

#define COLLECTIVE(name, handler, parameters, arguments)                                           \
    PROVIDED(name, handler, parameters, arguments)                                                 \
    ALIAS(MPIX_##name, name, parameters)                                                           \
    ALIAS(PMPIX_##name, name, parameters)

#define OWN_ALIAS(result, name, parameters)                                                        \
    extern "C"                                                                                     \
        [[gnu::visibility("default"), gnu::alias("MPIX_" #name)]] result PMPIX_##name parameters;

#define PARTITIONED(name, handler, parameters, arguments)                                          \
    extern "C" [[gnu::visibility("default")]] int MPIX_##name parameters {                         \
        if (mpix::intercept::is_disabled()) [[unlikely]]                                           \
            return mpix::intercept::Missing<int parameters>::raise arguments;                      \
        return mpix::intercept::guarded([&] { return mpix::intercept::handler arguments; });       \
    }                                                                                              \
    OWN_ALIAS(int, name, parameters)

// It deals with what is thrown itself: there is no code to return.
#define OWN(name, result, handler, parameters, arguments)                                          \
    extern "C" [[gnu::visibility("default")]] result MPIX_##name parameters {                      \
        return mpix::handler arguments;                                                            \
    }                                                                                              \
    OWN_ALIAS(result, name, parameters)

#define TOOL(name, handler, parameters, arguments)                                                 \
    extern "C" [[gnu::visibility("default")]] int MPI_##name parameters {                          \
        if (mpix::intercept::is_disabled()) [[unlikely]]                                           \
            return HOST(name) arguments;                                                           \
        return mpix::intercept::tools::guarded(                                                    \
            [&] { return mpix::intercept::tools::handler arguments; });                            \
    }                                                                                              \
    ALIAS(PMPI_##name, name, parameters)

#include "intercept/api.def"
