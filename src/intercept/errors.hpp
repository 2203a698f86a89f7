// SPDX-License-Identifier: BSD-3-Clause
//
// Raising MPI errors: class, a text that names argument and value, and the communicator whose
// handler is called.
#pragma once

#include "host/host.hpp"
#include "run/failure.hpp"

#include <new>
#include <string>

namespace mpix::intercept {

inline int raise(MPI_Comm comm, int error_class, const std::string& text) {
    return host::raise(comm == MPI_COMM_NULL ? MPI_COMM_WORLD : comm,
                       host::error_code(error_class, text));
}

inline bool world_exists() {
    int is_there = 0;
    HOST(Initialized)(&is_there);
    return is_there;
}

// The error of an init or a bind, on the communicator, or on the world if that is null. A program
// of sessions has no world that could be told: it gets the code alone.
inline int raise_code(MPI_Comm comm, int code) {
    if (comm == MPI_COMM_NULL) comm = MPI_COMM_WORLD;
    return comm != MPI_COMM_WORLD || world_exists() ? host::raise(comm, code) : code;
}

// What the call throws becomes an error there.
template<class Call>
int with_errors(MPI_Comm comm, Call call) {
    try {
        return call();
    } catch (const run::Failure& failure) {
        return failure.is_raised ? failure.code : raise_code(comm, failure.code);
    } catch (const std::bad_alloc&) {
        return raise_code(comm, MPI_ERR_NO_MEM);
    }
}

// Nothing is thrown at a C program. What still comes here has no communicator; inits have caught
// it.
template<class Call>
int guarded(Call call) {
    try {
        return call();
    } catch (const std::bad_alloc&) {
        return host::raise(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
    } catch (...) {
        return host::raise(MPI_COMM_WORLD, MPI_ERR_INTERN);
    }
}

[[noreturn]] inline void reject(int error_class, const std::string& text) {
    throw run::Failure{host::error_code(error_class, text)};
}

} // namespace mpix::intercept
