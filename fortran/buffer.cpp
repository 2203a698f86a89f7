// SPDX-License-Identifier: BSD-3-Clause
//
// See buffer.hpp.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include "buffer.hpp"

#include <algorithm>
#include <climits>
#include <span>
#include <vector>

namespace mpix::fortran {
namespace {

void* address_of(const CFI_cdesc_t* array) {
    const Constants& theirs = constants();
    const auto is_one_of = [&](const auto& places) {
        return std::find(std::begin(places), std::end(places), array->base_addr) !=
               std::end(places);
    };
    if (is_one_of(theirs.in_place)) return MPI_IN_PLACE;
    if (is_one_of(theirs.bottom)) return MPI_BOTTOM;
    return array->base_addr;
}

// So many of what the run before it is, or of elements, each so many bytes after the last.
struct Run {
    CFI_index_t length, stride;
};

// The innermost first. An array of assumed size has no length in its last dimension, and is
// contiguous.
std::vector<Run> runs_of(const CFI_cdesc_t* array) {
    const std::span dimensions(array->dim, std::size_t(array->rank));
    const auto is_empty = [](const CFI_dim_t& dimension) { return dimension.extent == 0; };
    std::vector<Run> runs;
    if (std::any_of(dimensions.begin(), dimensions.end(), is_empty)) return runs;
    for (const CFI_dim_t& dimension : dimensions) {
        if (dimension.extent == 1) continue;
        if (!runs.empty() && dimension.sm == runs.back().stride * runs.back().length)
            runs.back().length *= dimension.extent;
        else
            runs.push_back({dimension.extent, dimension.sm});
    }
    return runs;
}

bool is_contiguous(std::span<const Run> runs, std::size_t size) {
    return runs.empty() || (runs.size() == 1 && runs.front().stride == CFI_index_t(size));
}

// The type goes.
MPI_Datatype with_extent(MPI_Datatype type, CFI_index_t extent) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(type, 0, extent, &made);
    MPI_Type_free(&type);
    return made;
}

MPI_Datatype several(MPI_Datatype type, CFI_index_t length) {
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(int(length), type, &made);
    return made;
}

// Of all runs but the outermost, which the count goes through.
MPI_Datatype type_of(std::span<const Run> runs, MPI_Datatype element) {
    MPI_Datatype type = with_extent(several(element, 1), runs.front().stride);
    for (std::size_t outer = 1; outer < runs.size(); ++outer) {
        const MPI_Datatype run = several(type, runs[outer - 1].length);
        MPI_Type_free(&type);
        type = with_extent(run, runs[outer].stride);
    }
    MPI_Type_commit(&type);
    return type;
}

} // namespace

Buffer::Buffer(const char* name, const CFI_cdesc_t* array) : address_(address_of(array)) {
    if (!is_contiguous(runs_of(array), array->elem_len))
        throw NoDatatype{name, "as this call needs one"};
}

Buffer::Buffer(const char* name, const CFI_cdesc_t* array, MPI_Datatype type,
               std::optional<MPI_Count> count)
    : address_(address_of(array)), type_(type) {
    const std::vector<Run> runs = runs_of(array);
    if (is_contiguous(runs, array->elem_len) || type == MPI_DATATYPE_NULL) return;
    MPI_Aint lower = 0, extent = 0;
    MPI_Type_get_extent(type, &lower, &extent);
    if (lower != 0 || extent != MPI_Aint(array->elem_len))
        throw NoDatatype{name, "and an element of it is not one of the datatype"};
    for (std::size_t run = 0; run + 1 < runs.size(); ++run) elements_ *= runs[run].length;
    if (elements_ > 1 && !count)
        throw NoDatatype{name, "and its elements have more than one distance"};
    if (elements_ > INT_MAX || (count && *count % elements_ != 0))
        throw NoDatatype{name, "whose blocks have to be multiples of " + std::to_string(elements_) +
                                   " elements"};
    type_ = type_of(runs, type);
    is_own_type_ = true;
}

Buffer::~Buffer() {
    if (is_own_type_) MPI_Type_free(&type_);
}

// The modules' own procedures, one each, which know the host's constants.
extern "C" {
void mpix_fortran_constants();
void mpix_f08_constants();
[[gnu::visibility("default")]] void mpix_fortran_keep(int module, const void* in_place,
                                                      const void* bottom, const MPI_Fint& is_true);
}

namespace {
Constants kept;
}

void mpix_fortran_keep(int module, const void* in_place, const void* bottom,
                       const MPI_Fint& is_true) {
    kept.in_place[module] = in_place;
    kept.bottom[module] = bottom;
    kept.is_true = is_true;
}

const Constants& constants() {
    static const bool asked = [] {
        mpix_fortran_constants();
        mpix_f08_constants();
        return true;
    }();
    static_cast<void>(asked);
    return kept;
}

} // namespace mpix::fortran
