// SPDX-License-Identifier: BSD-3-Clause
//
// Which host this is: what the library was built for, or, with the standard's ABI, what the library
// behind us says of itself.
#include "host/host.hpp"

namespace mpix::host {

const std::string& library_version() {
    static const std::string& known = []() -> const std::string& {
        char text[16384] = ""; // what MPI_MAX_LIBRARY_VERSION_STRING is on another host
        int length = 0;
        HOST(Get_library_version)(text, &length);
        return *new std::string(text); // never destroyed: calls may come late
    }();
    return known;
}

namespace {
#if BUILT_FOR_abi
const Host& choose() {
    if (library_version().starts_with("Open MPI")) return openmpi();
    if (library_version().starts_with("MPICH")) return mpich();
    return any_standard();
}
#else
const Host& choose() { return BUILT_FOR; }
#endif
} // namespace

const Host& here() {
    static const Host& chosen = choose();
    return chosen;
}

bool standard_abi(int* major, int* minor) {
#if BUILT_FOR_abi
    HOST(Abi_get_version)(major, minor);
    return true;
#else
    *major = *minor = -1; // which is none
    return false;
#endif
}

} // namespace mpix::host
