// SPDX-License-Identifier: BSD-3-Clause
//
// The host contract on Open MPI 4.1 and later.
#include "host/host.hpp"

#ifndef OPEN_MPI
#error "this file is for Open MPI"
#endif

#include "host/error_texts.hpp"

#include <cstdlib>

namespace mpix::host {

const char* const name = "Open MPI";

std::uintptr_t key(MPI_Request request) { return reinterpret_cast<std::uintptr_t>(request); }

int ranks_on_node() {
    const char* text = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE");
    return text ? std::atoi(text) : 0;
}

// Open MPI adds codes to predefined classes as the standard says.
int error_code(int error_class, const std::string& text) {
    return error_texts().code(error_class, text, [error_class] {
        int code = error_class;
        HOST(Add_error_code)(error_class, &code);
        return code;
    });
}

int class_of(int) { return -1; }

} // namespace mpix::host
