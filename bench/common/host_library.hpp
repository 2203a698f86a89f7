// SPDX-License-Identifier: BSD-3-Clause
//
// The host MPI behind libmpix. Linked names of MPI_x and PMPI_x reach mpix where it takes them
// over, so the host's own functions are looked up in the host's library itself.
#pragma once

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpix/mpix.h>

#include <string>

namespace mpix::bench {

class HostLibrary {
  public:
    // Ends the process with a message if mpix does not stand in front of the host.
    HostLibrary();

    // "PMPI_x", or "PMPIX_x" where the host calls it so; null if it has neither.
    template<class Function>
    Function* find(const std::string& name) const {
        return reinterpret_cast<Function*>(address(name));
    }

    const std::string& path() const { return path_; }
    // The first line of MPI_Get_library_version, cut at its first comma.
    const std::string& version() const { return version_; }

  private:
    void* address(const std::string& name) const;

    void* handle_ = nullptr;
    std::string path_;
    std::string version_;
};

} // namespace mpix::bench
