// SPDX-License-Identifier: BSD-3-Clause
//
// See buffer.hpp.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include "buffer.hpp"

#include <algorithm>
#include <optional>
#include <span>

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

// Bytes from each element to the next, where that is one number.
std::optional<CFI_index_t> stride_of(const CFI_cdesc_t* array) {
    const std::span dimensions(array->dim, std::size_t(array->rank));
    const auto size = CFI_index_t(array->elem_len);
    const auto is_empty = [](const CFI_dim_t& dimension) { return dimension.extent == 0; };
    if (std::any_of(dimensions.begin(), dimensions.end(), is_empty)) return size;

    std::optional<CFI_index_t> stride;
    CFI_index_t next = 0;
    for (const CFI_dim_t& dimension : dimensions) {
        if (dimension.extent == 1) continue;
        if (stride && dimension.sm != next) return std::nullopt;
        if (!stride) stride = dimension.sm;
        next =
            dimension.sm * dimension.extent; // of the last of an assumed-size array it is not used
    }
    return stride.value_or(size);
}

bool is_contiguous(const CFI_cdesc_t* array) {
    return stride_of(array) == CFI_index_t(array->elem_len);
}

} // namespace

Buffer::Buffer(const char* name, const CFI_cdesc_t* array) : address_(address_of(array)) {
    if (!is_contiguous(array)) throw NotOneStride{name, "as this call needs one"};
}

Buffer::Buffer(const char* name, const CFI_cdesc_t* array, MPI_Datatype type)
    : address_(address_of(array)), type_(type) {
    if (is_contiguous(array) || type == MPI_DATATYPE_NULL) return;
    const auto stride = stride_of(array);
    if (!stride) throw NotOneStride{name, "and its elements have more than one distance"};
    MPI_Aint lower = 0, extent = 0;
    MPI_Type_get_extent(type, &lower, &extent);
    if (lower != 0 || extent != MPI_Aint(array->elem_len))
        throw NotOneStride{name, "and an element of it is not one of the datatype"};
    MPI_Type_create_resized(type, 0, *stride, &type_);
    MPI_Type_commit(&type_);
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
