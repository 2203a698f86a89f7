// SPDX-License-Identifier: BSD-3-Clause
//
// Finding the host's library: it is the one that defines a function mpix does not take over.
#include "bench/common/host_library.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace mpix::bench {

namespace {

std::string library_of(const char* name) {
    Dl_info info{};
    void* address = dlsym(RTLD_DEFAULT, name);
    return address && dladdr(address, &info) && info.dli_fname ? info.dli_fname : "";
}

std::string version_line() {
    char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(text, &length);
    std::string line(text);
    line.resize(std::min(line.size(), line.find_first_of(",\n")));
    for (char& character : line)
        if (character == '\t') character = ' ';
    return line;
}

} // namespace

HostLibrary::HostLibrary() : path_(library_of("PMPI_Comm_rank")), version_(version_line()) {
    if (!path_.empty()) handle_ = dlopen(path_.c_str(), RTLD_LAZY | RTLD_NOLOAD);
    if (handle_ && library_of("MPI_Allreduce_init") != path_ && library_of("MPI_Wait") != path_)
        return;
    std::fprintf(stderr, "libmpix is not in front of %s\n", path_.c_str());
    std::exit(2);
}

void* HostLibrary::address(const std::string& name) const {
    void* found = dlsym(handle_, ("PMPI_" + name).c_str());
    return found ? found : dlsym(handle_, ("PMPIX_" + name).c_str());
}

} // namespace mpix::bench
