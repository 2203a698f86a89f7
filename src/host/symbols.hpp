// SPDX-License-Identifier: BSD-3-Clause
//
// The host's own functions. mpix defines MPI_x and PMPI_x itself, so the host's are found behind
// it with dlsym, each at its first use: intercepted calls arrive before any constructor of ours
// has run. HOST(Wait)(request, status) calls the host's PMPI_Wait.
#pragma once

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#ifndef OMPI_WANT_MPI_INTERFACE_WARNING // of names of MPI 3, which every host has
#define OMPI_WANT_MPI_INTERFACE_WARNING 0
#endif
#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include "host/offers.h"

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace mpix::host {

template<std::size_t N>
struct Name {
    char text[N];
    constexpr Name(const char (&from)[N]) { std::copy_n(from, N, text); }
};

// The next definition of `name` after ours; null if the host has none.
void* find(const char* name);
// The host's persistent collective PMPI_name, else PMPIX_name, else null.
void* find_collective(const char* name);
// As find(), and the process ends with a message if there is none.
void* demand(const char* name);

template<class Function>
class Symbol;

template<class Result, class... Arguments>
class Symbol<Result(Arguments...)> {
  public:
    constexpr explicit Symbol(const char* name) : name_(name) {}

    Result operator()(Arguments... arguments) {
        // Relaxed: every thread that finds null looks up the same address.
        Function* const function = function_.load(std::memory_order_relaxed);
        if (!function) [[unlikely]]
            return look_up()(arguments...);
        return function(arguments...);
    }

  private:
    using Function = Result(Arguments...);
    [[gnu::cold, gnu::noinline]] Function* look_up() {
        auto* const function = reinterpret_cast<Function*>(demand(name_));
        function_.store(function, std::memory_order_relaxed);
        return function;
    }
    const char* name_;
    std::atomic<Function*> function_{nullptr};
};

template<class Function, Name name>
inline constinit Symbol<Function> symbol{name.text};

} // namespace mpix::host

#define HOST(name) (::mpix::host::symbol<decltype(::MPI_##name), "PMPI_" #name>)
