// SPDX-License-Identifier: BSD-3-Clause
//
// The host contract on MPICH 4.0 and later.
#include "host/host.hpp"

#ifndef MPICH_VERSION
#error "this file is for MPICH"
#endif

#include "host/error_texts.hpp"

#include <cstdlib>

namespace mpix::host {

const char* const name = "MPICH";

std::uintptr_t key(MPI_Request request) { return static_cast<unsigned>(request); }

int ranks_on_node() {
    const char* text = std::getenv("MPI_LOCALNRANKS");
    return text ? std::atoi(text) : 0;
}

// A code that MPICH adds to a predefined class has no string of its own: MPI_Error_string gives
// the class's text and a garbled stack. So the codes belong to a class of ours, and class_of
// knows the standard's.
int error_code(int error_class, const std::string& text) {
    static const int own_class = [] {
        int made = MPI_ERR_OTHER;
        HOST(Add_error_class)(&made);
        return made;
    }();
    return error_texts().code(error_class, text, [] {
        int code = own_class;
        HOST(Add_error_code)(own_class, &code);
        return code;
    });
}

int class_of(int code) { return error_texts().class_of(code); }

} // namespace mpix::host
