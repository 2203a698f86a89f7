// SPDX-License-Identifier: BSD-3-Clause
//
// The one place that asks the host. Of a type that was made with large counts the calls of MPI-3
// tell nothing: they raise an error.
#include "datatype/contents.hpp"

#include <algorithm>

namespace mpix::datatype {
namespace {

#if OFFERS_Type_get_contents_c
struct TypeEnvelope {
    int combiner = MPI_COMBINER_NAMED;
    MPI_Count integers = 0, addresses = 0, counts = 0, types = 0;

    explicit TypeEnvelope(MPI_Datatype type) {
        HOST(Type_get_envelope_c)(type, &integers, &addresses, &counts, &types, &combiner);
    }
    void contents(MPI_Datatype type, int* integer, MPI_Aint* address, MPI_Count* count,
                  MPI_Datatype* inner) const {
        HOST(Type_get_contents_c)
        (type, integers, addresses, counts, types, integer, address, count, inner);
    }
};
#else
struct TypeEnvelope {
    int combiner = MPI_COMBINER_NAMED;
    int integers = 0, addresses = 0, counts = 0, types = 0;

    explicit TypeEnvelope(MPI_Datatype type) {
        HOST(Type_get_envelope)(type, &integers, &addresses, &types, &combiner);
    }
    void contents(MPI_Datatype type, int* integer, MPI_Aint* address, MPI_Count*,
                  MPI_Datatype* inner) const {
        HOST(Type_get_contents)(type, integers, addresses, types, integer, address, inner);
    }
};
#endif

bool is_named(int combiner) {
    return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_INTEGER ||
           combiner == MPI_COMBINER_F90_REAL || combiner == MPI_COMBINER_F90_COMPLEX;
}

// Large counts come after the integers, where those of these two stand before some of them.
void order_counts(int combiner, std::vector<std::int64_t>& numbers, std::ptrdiff_t integers) {
    if (combiner == MPI_COMBINER_SUBARRAY)
        std::rotate(numbers.begin() + 1, numbers.begin() + integers, numbers.end());
    if (combiner == MPI_COMBINER_DARRAY)
        std::rotate(numbers.begin() + 3, numbers.begin() + integers, numbers.end());
}

} // namespace

Contents::Contents(MPI_Datatype type) {
    const TypeEnvelope has(type);
    combiner = has.combiner;
    if (is_named(combiner)) return;
    std::vector<int> integers(static_cast<std::size_t>(has.integers));
    std::vector<MPI_Aint> addresses(static_cast<std::size_t>(has.addresses));
    std::vector<MPI_Count> counts(static_cast<std::size_t>(has.counts));
    types.resize(static_cast<std::size_t>(has.types));
    numbers.reserve(integers.size() + addresses.size() + counts.size());
    has.contents(type, integers.data(), addresses.data(), counts.data(), types.data());
    // Nothing throws from here on: there are handles to free.
    numbers.insert(numbers.end(), integers.begin(), integers.end());
    numbers.insert(numbers.end(), addresses.begin(), addresses.end());
    numbers.insert(numbers.end(), counts.begin(), counts.end());
    if (!counts.empty())
        order_counts(combiner, numbers, static_cast<std::ptrdiff_t>(integers.size()));
}

Contents::~Contents() {
    for (MPI_Datatype& inner : types)
        if (!is_predefined_type(inner)) HOST(Type_free)(&inner);
}

bool is_predefined_type(MPI_Datatype type) { return is_named(TypeEnvelope(type).combiner); }

} // namespace mpix::datatype
