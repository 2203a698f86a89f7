// SPDX-License-Identifier: BSD-3-Clause
// A communicator whose plain collectives run on plans.
#pragma once

#include "common/check.hpp"

namespace mpitest {

// A duplicate.
class Planned {
  public:
    Planned() {
        CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
        CHECK_MPI(MPIX_Auto_set(comm, 1));
    }
    ~Planned() { CHECK_MPI(MPI_Comm_free(&comm)); }
    Planned(const Planned&) = delete;
    Planned& operator=(const Planned&) = delete;

    int plans() const {
        int flag = 0, plans = -1;
        CHECK_MPI(MPIX_Auto_get(comm, &flag, &plans));
        CHECK(flag == (size_of() > 1));
        return plans;
    }

    MPI_Comm comm = MPI_COMM_NULL;
};

} // namespace mpitest
