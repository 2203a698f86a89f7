// SPDX-License-Identifier: BSD-3-Clause
//
// From a datatype to its data.
#pragma once

#include "datatype/piece.hpp"
#include "host/host.hpp"

namespace mpix::datatype {

// The bytes of one element in the order of its type map. Throws NotFlat.
Piece typemap(MPI_Datatype type);

} // namespace mpix::datatype
