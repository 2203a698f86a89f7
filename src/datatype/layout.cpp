// SPDX-License-Identifier: BSD-3-Clause
//
// Size and extent alone do not tell that a type is dense: its data may stand in another order. So
// density is asked of the flattened type.
#include "datatype/layout.hpp"

#include "host/failure.hpp"

namespace mpix::datatype {

Bounds::Bounds(MPI_Datatype type) {
    MPI_Count bytes = 0;
    MPI_Aint lower = 0, length = 0, true_lower = 0, true_length = 0;
    host::check(HOST(Type_size_x)(type, &bytes));
    host::check(HOST(Type_get_extent)(type, &lower, &length));
    host::check(HOST(Type_get_true_extent)(type, &true_lower, &true_length));
    size = bytes;
    lb = lower;
    extent = length;
    true_lb = true_lower;
    true_extent = true_length;
}

Layout::Layout(MPI_Datatype type)
    : Bounds(type), flat(FlatType::of(type)),
      dense(size > 0 && lb == 0 && extent == size && flat && flat->is_run_of(size)) {}

} // namespace mpix::datatype
