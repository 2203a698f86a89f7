// SPDX-License-Identifier: BSD-3-Clause
//
// The arrays of a Fortran program as buffers of MPI, and the constants that are addresses there.
#pragma once

#include <mpi.h>

#include <ISO_Fortran_binding.h>

#include <optional>
#include <string>

namespace mpix::fortran {

// What the host's two modules, mpi and mpi_f08, have at addresses of their own.
struct Constants {
    const void* in_place[2];
    const void* bottom[2];
    MPI_Fint is_true; // the bits of .true.
};
const Constants& constants();

// Thrown where the elements of an array cannot be counted through by any datatype at hand.
struct NoDatatype {
    const char* name;
    std::string why;
    std::string text() const { return std::string(name) + " is no contiguous array, " + why; }
};

// An array whose elements stand at one distance from each other goes with the datatype whose extent
// is that distance: then counts, displacements and partitions mean what they mean for any array.
// One with more distances, as a matrix in a larger one, goes with the datatype of what its last
// distance is between, in numbers of which it is counted.
class Buffer {
  public:
    // Of a call with no datatype for this buffer alone: contiguous.
    Buffer(const char* name, const CFI_cdesc_t* array);
    // All blocks and partitions have `count` elements, where that is one number.
    Buffer(const char* name, const CFI_cdesc_t* array, MPI_Datatype type,
           std::optional<MPI_Count> count = std::nullopt);
    ~Buffer();
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    void* address() const { return address_; }
    MPI_Datatype type() const { return type_; }
    // So many elements, in numbers of type().
    template<class Count>
    Count in_types(Count elements) const {
        return static_cast<Count>(elements / elements_);
    }
    bool is_in_place() const { return address_ == MPI_IN_PLACE; }

  private:
    void* const address_;
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
    MPI_Count elements_ = 1; // in one of type_
    bool is_own_type_ = false;
};

} // namespace mpix::fortran
