// SPDX-License-Identifier: BSD-3-Clause
//
// Datatypes and operations that plans still use. The program may free them right after an init;
// the host's free then waits for the last plan. The handles stay the program's own, so that a
// user function is called with the datatype it knows.
#pragma once

#include "host/host.hpp"

#include <vector>

namespace mpix::datatype {

// Holds handles for one plan, until it is destroyed.
class HandleReferences {
  public:
    HandleReferences() = default;
    HandleReferences(HandleReferences&& other) noexcept { *this = std::move(other); }
    HandleReferences& operator=(HandleReferences&& other) noexcept {
        types_.swap(other.types_);
        ops_.swap(other.ops_);
        return *this;
    }
    ~HandleReferences();

    void keep_type(MPI_Datatype type);
    void keep_op(MPI_Op op);

  private:
    std::vector<MPI_Datatype> types_;
    std::vector<MPI_Op> ops_;
};

// Called for the program's free: true if a plan uses the handle and the free is put off.
bool put_off_type_free(MPI_Datatype type);
bool put_off_op_free(MPI_Op op);

} // namespace mpix::datatype
