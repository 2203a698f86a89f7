// SPDX-License-Identifier: BSD-3-Clause
//
// What the library needs to know of a datatype, asked once at init.
#pragma once

#include "datatype/flat_type.hpp"

#include <map>

namespace mpix::datatype {

struct Bounds {
    std::int64_t size = 0; // bytes of data in an element
    std::int64_t lb = 0;
    std::int64_t extent = 0;
    std::int64_t true_lb = 0;
    std::int64_t true_extent = 0;

    explicit Bounds(MPI_Datatype type);
};

struct Layout : Bounds {
    std::optional<FlatType> flat;
    bool dense; // any number of elements is one run of bytes, in order, without gaps

    explicit Layout(MPI_Datatype type);
};

// The layouts of the types of one operation.
class Layouts {
  public:
    const Layout& of(MPI_Datatype type) { return known_.try_emplace(type, type).first->second; }

  private:
    std::map<MPI_Datatype, Layout> known_;
};

} // namespace mpix::datatype
