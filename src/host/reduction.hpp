// SPDX-License-Identifier: BSD-3-Clause
//
// A reduction operation on elements of a datatype, looked up once: by a kernel where there is one,
// else by the host.
#pragma once

#include "host/symbols.hpp"
#include "kernel/combine.hpp"

#include <cstdint>
#include <optional>

namespace mpix::host {

// What kernels take the elements of a predefined type for.
std::optional<kernel::Element> find_element(MPI_Datatype type);

// Null where the host must do it: for operations and datatypes of the program's own, for types that
// no kernel knows, and for pairs that MPI 4.1, 6.9.2 does not define.
kernel::Combine find_kernel(MPI_Op op, MPI_Datatype type);

// Whether the order and grouping of the operands may show in the bits of the result: not those of
// integers. What operations of the program do is not known, and minima of floats may be of either
// sign of zero.
bool order_shows(MPI_Op op, MPI_Datatype type);

struct Reduction {
    MPI_Op op = MPI_OP_NULL;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    kernel::Combine kernel = nullptr;

    Reduction() = default;
    Reduction(MPI_Op of, MPI_Datatype on) : op(of), type(on), kernel(find_kernel(of, on)) {}

    bool has_kernel() const { return kernel; }

    // Not where the host must do it and cannot, alone.
    bool is_possible() const;

    // to = left op right, only with a kernel. `to` may be left or right, or overlaps neither.
    void combine(const void* left, const void* right, void* to, std::int64_t count) const {
        kernel(left, right, to, static_cast<std::size_t>(count));
    }

    // right = left op right, elements `extent` bytes apart; the two do not overlap. Returns the
    // host's code.
    int reduce_into(const void* left, void* right, std::int64_t count, std::int64_t extent) const {
        if (!kernel) return host_reduces_into(left, right, count, extent);
        combine(left, right, right, count);
        return MPI_SUCCESS;
    }

  private:
    int host_reduces_into(const void* left, void* right, std::int64_t count,
                          std::int64_t extent) const;
};

} // namespace mpix::host
