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
