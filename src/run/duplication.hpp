// SPDX-License-Identifier: BSD-3-Clause
//
// A nonblocking duplication, while the host is in the call. What it makes is not the program's
// before its request completes, and by then the program's variable may be anywhere. So the identity
// travels with the attributes, which are copied as they are at the call (MPI 4.1, section 7.4.2);
// both hosts call back for it within the call.
#pragma once

#include "host/host.hpp"
#include "run/identity.hpp"

#include <cstdint>
#include <memory>

namespace mpix::run {

class Duplication {
  public:
    explicit Duplication(MPI_Comm of);
    ~Duplication();
    Duplication(const Duplication&) = delete;
    Duplication& operator=(const Duplication&) = delete;

    // Takes the host's code and returns it.
    int end(int code);

    // The copy callback of identities. Nothing is copied if no duplication is on its way.
    static int copy(MPI_Comm of, int, void*, void* attribute, void* copied, int* is_copied);

  private:
    std::uint64_t count(std::shared_ptr<Identity> parent);

    const MPI_Comm of_;
    Duplication* const outer_; // in whose callbacks the program has begun this one
    std::shared_ptr<Identity> parent_;
    std::uint64_t creation_ = 0;
};

} // namespace mpix::run
