// SPDX-License-Identifier: BSD-3-Clause
//
// The libraries of this process by what they define: which are MPI, and which is this one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mpix::host {

struct Library {
    const void* base; // null if there is none
    std::string path;
    bool operator==(const Library& other) const { return base == other.base; }
    std::string_view file_name() const {
        return std::string_view(path).substr(path.rfind('/') + 1);
    }
};

Library library_at(const void* address);
Library own_library();

// The copy of this library that the program's calls reach: MPIX_Describe is its own name.
Library first_own_library();

// Those in which `name` is found, in the order in which they were loaded.
std::vector<Library> that_define(const char* name);

// A host is one that defines PMPI_Init and none of our own names.
std::vector<Library> host_libraries();

} // namespace mpix::host
