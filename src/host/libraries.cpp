// SPDX-License-Identifier: BSD-3-Clause
//
// Looking through what the dynamic linker has loaded. Nothing is loaded for it.
#include "host/libraries.hpp"

#include <dlfcn.h>
#include <link.h>

#include <algorithm>

namespace mpix::host {
namespace {

std::vector<std::string> loaded() {
    std::vector<std::string> names;
    dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* to) {
            static_cast<std::vector<std::string>*>(to)->emplace_back(info->dlpi_name);
            return 0;
        },
        &names);
    return names;
}

} // namespace

Library library_at(const void* address) {
    Dl_info found{};
    if (!address || !dladdr(address, &found)) return {nullptr, ""};
    return {found.dli_fbase, found.dli_fname ? found.dli_fname : ""};
}

Library own_library() { return library_at(reinterpret_cast<const void*>(&own_library)); }

Library first_own_library() { return library_at(dlsym(RTLD_DEFAULT, "MPIX_Describe")); }

// A library is looked through with those that it needs.
std::vector<Library> that_define(const char* name) {
    std::vector<Library> found;
    for (const std::string& path : loaded()) {
        void* const handle = dlopen(path.empty() ? nullptr : path.c_str(), RTLD_LAZY | RTLD_NOLOAD);
        if (!handle) continue;
        const Library library = library_at(dlsym(handle, name));
        if (library.base && std::find(found.begin(), found.end(), library) == found.end())
            found.push_back(library);
        dlclose(handle);
    }
    return found;
}

std::vector<Library> host_libraries() {
    std::vector<Library> found = that_define("PMPI_Init");
    for (const Library& own : that_define("MPIX_Describe")) std::erase(found, own);
    return found;
}

} // namespace mpix::host
