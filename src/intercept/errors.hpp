// SPDX-License-Identifier: BSD-3-Clause
//
// Raising MPI errors: class, a text that names argument and value, and the communicator whose
// handler is called.
#pragma once

#include "host/failure.hpp"
#include "host/host.hpp"

#include <new>
#include <stdexcept>
#include <string>
#include <system_error>

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

// What the call throws becomes an error there. The handler of the program may throw or jump away:
// it is called when nothing is being caught.
template<class Call>
int with_errors(MPI_Comm comm, Call call) {
    int code = MPI_ERR_NO_MEM;
    try {
        return call();
    } catch (const host::Failure& failure) {
        if (failure.is_raised) return failure.code;
        code = failure.code;
    } catch (const std::bad_alloc&) {}
    return raise_code(comm, code);
}

// Nothing of ours is thrown at a C program. What still comes here has no communicator; inits have
// caught it. All else has been thrown by a handler of the program, and passes.
template<class Call>
int guarded(Call call) {
    int code = MPI_ERR_INTERN;
    try {
        return call();
    } catch (const std::bad_alloc&) {
        code = MPI_ERR_NO_MEM;
    } catch (const host::Failure& failure) {
        if (failure.is_raised) return failure.code;
        code = failure.code;
    } catch (const std::length_error&) {
    } catch (const std::system_error&) {}
    return host::raise(MPI_COMM_WORLD, code);
}

[[noreturn]] inline void reject(int error_class, const std::string& text) {
    throw host::Failure{host::error_code(error_class, text)};
}

inline int raise_for_language(MPI_Comm comm, int error_class, const char* text) {
    return with_errors(comm, [&]() -> int { reject(error_class, text); });
}

} // namespace mpix::intercept
