// SPDX-License-Identifier: BSD-3-Clause
//
// Size and extent alone do not tell that a type is dense: its data may stand in another order. So
// density follows the type's construction.
#include "run/layout.hpp"

#include <vector>

namespace mpix::run {
namespace {

struct Contents {
    int combiner = MPI_COMBINER_NAMED;
    std::vector<int> integers;
    std::vector<MPI_Aint> addresses;
    std::vector<MPI_Datatype> types;

    explicit Contents(MPI_Datatype type) {
        int n_integers = 0, n_addresses = 0, n_types = 0;
        HOST(Type_get_envelope)(type, &n_integers, &n_addresses, &n_types, &combiner);
        integers.resize(static_cast<std::size_t>(n_integers));
        addresses.resize(static_cast<std::size_t>(n_addresses));
        types.resize(static_cast<std::size_t>(n_types));
        if (n_types > 0) HOST(Type_get_contents)
        (type, n_integers, n_addresses, n_types, integers.data(), addresses.data(), types.data());
    }
    Contents(const Contents&) = delete;
    Contents& operator=(const Contents&) = delete;
    ~Contents() {
        for (MPI_Datatype& inner : types)
            if (!is_predefined_type(inner)) HOST(Type_free)(&inner);
    }
};

bool dense(MPI_Datatype type);

// A vector is dense if its blocks touch; integers are count, block length, stride.
bool dense_vector(const Contents& of) {
    return of.integers[0] <= 1 || of.integers[1] == of.integers[2];
}

bool dense_resized(MPI_Datatype inner, const std::vector<MPI_Aint>& lb_extent) {
    MPI_Aint lb = 0, extent = 0;
    HOST(Type_get_extent)(inner, &lb, &extent);
    return lb_extent[0] == lb && lb_extent[1] == extent;
}

bool dense(MPI_Datatype type) {
    const Contents of(type);
    switch (of.combiner) {
    case MPI_COMBINER_NAMED:
    case MPI_COMBINER_F90_INTEGER:
    case MPI_COMBINER_F90_REAL:
    case MPI_COMBINER_F90_COMPLEX: {
        MPI_Aint lb = 0, extent = 0;
        int size = 0;
        HOST(Type_get_extent)(type, &lb, &extent);
        HOST(Type_size)(type, &size);
        return lb == 0 && extent == size;
    }
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_CONTIGUOUS: return dense(of.types[0]);
    case MPI_COMBINER_VECTOR: return dense_vector(of) && dense(of.types[0]);
    case MPI_COMBINER_RESIZED:
        return dense_resized(of.types[0], of.addresses) && dense(of.types[0]);
    default: return false;
    }
}

} // namespace

bool is_predefined_type(MPI_Datatype type) {
    int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
    HOST(Type_get_envelope)(type, &integers, &addresses, &types, &combiner);
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_INTEGER ||
           combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX;
}

Layout::Layout(MPI_Datatype type) {
    MPI_Count bytes = 0;
    MPI_Aint lower = 0, length = 0, true_lower = 0, true_length = 0;
    HOST(Type_size_x)(type, &bytes);
    HOST(Type_get_extent)(type, &lower, &length);
    HOST(Type_get_true_extent)(type, &true_lower, &true_length);
    size = bytes;
    lb = lower;
    extent = length;
    true_lb = true_lower;
    true_extent = true_length;
    dense = size > 0 && run::dense(type);
}

} // namespace mpix::run
