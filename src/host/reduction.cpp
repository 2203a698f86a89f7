// SPDX-License-Identifier: BSD-3-Clause
//
// The predefined operations and datatypes that kernels know. Besides being quick the kernels are
// right where the hosts are not: Open MPI 4.1 sums unsigned integers of 8 and 16 bits with
// saturation where it uses AVX (ompi #8045), and it and MPICH 4.0 compare wide unsigned ones as if
// they were signed (ompi #10525, #10648, mpich #6083).
#include "host/reduction.hpp"

#include "host/host.hpp"

#include <algorithm>
#include <climits>
#include <iterator>

namespace mpix::host {
namespace {

using kernel::Element;
using kernel::Operator;

// The groups of types in MPI 4.1, 6.9.2. MPI_LOGICAL is in none: what is true is the Fortran
// compiler's affair. MPI_CHAR and MPI_CHARACTER are text.
enum Group : unsigned {
    c_integer = 1,
    fortran_integer = 2,
    floating = 4,
    logical = 8,
    byte = 16,
    multi_language = 32,
};
constexpr unsigned whole = c_integer | fortran_integer | multi_language;

struct OpRow {
    MPI_Op op;
    Operator means;
    unsigned groups; // that it is defined on
};

struct TypeRow {
    MPI_Datatype type;
    Group group;
    bool is_signed;
};

// Handles are addresses on some hosts: no constants.
const OpRow op_rows[] = {
    {MPI_SUM, Operator::sum, whole | floating},
    {MPI_PROD, Operator::product, whole | floating},
    {MPI_MIN, Operator::minimum, whole | floating},
    {MPI_MAX, Operator::maximum, whole | floating},
    {MPI_LAND, Operator::logical_and, c_integer | logical},
    {MPI_LOR, Operator::logical_or, c_integer | logical},
    {MPI_LXOR, Operator::logical_xor, c_integer | logical},
    {MPI_BAND, Operator::bit_and, whole | byte},
    {MPI_BOR, Operator::bit_or, whole | byte},
    {MPI_BXOR, Operator::bit_xor, whole | byte},
};

const TypeRow type_rows[] = {
    {MPI_SIGNED_CHAR, c_integer, true},
    {MPI_SHORT, c_integer, true},
    {MPI_INT, c_integer, true},
    {MPI_LONG, c_integer, true},
    {MPI_LONG_LONG, c_integer, true},
    {MPI_INT8_T, c_integer, true},
    {MPI_INT16_T, c_integer, true},
    {MPI_INT32_T, c_integer, true},
    {MPI_INT64_T, c_integer, true},
    {MPI_UNSIGNED_CHAR, c_integer, false},
    {MPI_UNSIGNED_SHORT, c_integer, false},
    {MPI_UNSIGNED, c_integer, false},
    {MPI_UNSIGNED_LONG, c_integer, false},
    {MPI_UNSIGNED_LONG_LONG, c_integer, false},
    {MPI_UINT8_T, c_integer, false},
    {MPI_UINT16_T, c_integer, false},
    {MPI_UINT32_T, c_integer, false},
    {MPI_UINT64_T, c_integer, false},
    {MPI_AINT, multi_language, true},
    {MPI_OFFSET, multi_language, true},
    {MPI_COUNT, multi_language, true},
    {MPI_FLOAT, floating, true},
    {MPI_DOUBLE, floating, true},
    {MPI_C_BOOL, logical, false},
    {MPI_CXX_BOOL, logical, false},
    {MPI_BYTE, byte, false},
    {MPI_INTEGER, fortran_integer, true},
    {MPI_REAL, floating, true},
    {MPI_DOUBLE_PRECISION, floating, true},
#ifdef MPI_INTEGER1
    {MPI_INTEGER1, fortran_integer, true},
#endif
#ifdef MPI_INTEGER2
    {MPI_INTEGER2, fortran_integer, true},
#endif
#ifdef MPI_INTEGER4
    {MPI_INTEGER4, fortran_integer, true},
#endif
#ifdef MPI_INTEGER8
    {MPI_INTEGER8, fortran_integer, true},
#endif
#ifdef MPI_REAL4
    {MPI_REAL4, floating, true},
#endif
#ifdef MPI_REAL8
    {MPI_REAL8, floating, true},
#endif
};

std::optional<TypeRow> find_type(MPI_Datatype type) {
    if (type == MPI_DATATYPE_NULL) return std::nullopt; // stands for a type that the host lacks
    const auto* found = std::find_if(std::begin(type_rows), std::end(type_rows),
                                     [&](const TypeRow& row) { return row.type == type; });
    if (found != std::end(type_rows)) return *found;
    // Type_create_f90_integer and _real make handles as the program asks for them.
    int integers = 0, addresses = 0, types = 0, combiner = MPI_COMBINER_NAMED;
    HOST(Type_get_envelope)(type, &integers, &addresses, &types, &combiner);
    if (combiner == MPI_COMBINER_F90_INTEGER) return TypeRow{type, fortran_integer, true};
    if (combiner == MPI_COMBINER_F90_REAL) return TypeRow{type, floating, true};
    return std::nullopt;
}

std::optional<Element> float_of(int bytes) {
    if (bytes == sizeof(float)) return Element::f32;
    if (bytes == sizeof(double)) return Element::f64;
    return std::nullopt; // quadruple precision
}

std::optional<Element> integer_of(int bytes, bool is_signed) {
    switch (bytes) {
    case 1: return is_signed ? Element::i8 : Element::u8;
    case 2: return is_signed ? Element::i16 : Element::u16;
    case 4: return is_signed ? Element::i32 : Element::u32;
    case 8: return is_signed ? Element::i64 : Element::u64;
    default: return std::nullopt;
    }
}

// Fortran's types have the size that its compiler was told.
std::optional<Element> element_of(const TypeRow& row) {
    int bytes = 0;
    HOST(Type_size)(row.type, &bytes);
    return row.group == floating ? float_of(bytes) : integer_of(bytes, row.is_signed);
}

} // namespace

std::optional<Element> find_element(MPI_Datatype type) {
    const std::optional<TypeRow> row = find_type(type);
    return row ? element_of(*row) : std::nullopt;
}

kernel::Combine find_kernel(MPI_Op op, MPI_Datatype type) {
    const auto* found = std::find_if(std::begin(op_rows), std::end(op_rows),
                                     [&](const OpRow& row) { return row.op == op; });
    if (found == std::end(op_rows)) return nullptr;
    const std::optional<TypeRow> row = find_type(type);
    if (!row || !(found->groups & row->group)) return nullptr;
    const std::optional<Element> element = element_of(*row);
    return element ? kernel::find_combine(*element, found->means) : nullptr;
}

bool order_shows(MPI_Op op, MPI_Datatype type) {
    return !find_kernel(op, type) || find_type(type)->group == floating;
}

bool Reduction::is_possible() const {
    return kernel || op == MPI_OP_NULL || here().reduces_locally();
}

// A count is an int here.
int Reduction::host_reduces_into(const void* left, void* right, std::int64_t count,
                                 std::int64_t extent) const {
    const auto* from = static_cast<const std::byte*>(left);
    auto* to = static_cast<std::byte*>(right);
    while (count > 0) {
        const std::int64_t part = std::min<std::int64_t>(count, INT_MAX);
        const int code = HOST(Reduce_local)(from, to, static_cast<int>(part), type, op);
        if (code != MPI_SUCCESS) return code;
        from += part * extent;
        to += part * extent;
        count -= part;
    }
    return MPI_SUCCESS;
}

} // namespace mpix::host
