// SPDX-License-Identifier: BSD-3-Clause
//
// The table, made at the first look.
#include "automatic/predefined.hpp"

#include "base/hash.hpp"
#include "datatype/ops.hpp"
#include "host/host.hpp"
#include "host/reduction.hpp"

#include <array>
#include <iterator>

namespace mpix::automatic {
namespace {

// Handles are addresses on some hosts: no constants.
const MPI_Datatype predefined_types[] = {
    MPI_CHAR,
    MPI_SIGNED_CHAR,
    MPI_UNSIGNED_CHAR,
    MPI_BYTE,
    MPI_WCHAR,
    MPI_SHORT,
    MPI_UNSIGNED_SHORT,
    MPI_INT,
    MPI_UNSIGNED,
    MPI_LONG,
    MPI_UNSIGNED_LONG,
    MPI_LONG_LONG,
    MPI_FLOAT,
    MPI_DOUBLE,
    MPI_LONG_DOUBLE,
    MPI_UNSIGNED_LONG_LONG,
    MPI_INT8_T,
    MPI_INT16_T,
    MPI_INT32_T,
    MPI_INT64_T,
    MPI_UINT8_T,
    MPI_UINT16_T,
    MPI_UINT32_T,
    MPI_UINT64_T,
    MPI_AINT,
    MPI_OFFSET,
    MPI_COUNT,
    MPI_PACKED,
    MPI_C_BOOL,
    MPI_CXX_BOOL,
    MPI_C_FLOAT_COMPLEX,
    MPI_C_DOUBLE_COMPLEX,
    MPI_CHARACTER,
    MPI_LOGICAL,
    MPI_INTEGER,
    MPI_REAL,
    MPI_COMPLEX,
    MPI_DOUBLE_COMPLEX,
    MPI_DOUBLE_PRECISION,
    MPI_2INT,
};

struct Row {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    Predefined about;
};

Predefined about(MPI_Datatype type) {
    Predefined found;
    HOST(Type_size)(type, &found.size);
    const auto element = host::find_element(type);
    if (!element) return found;
    found.element = static_cast<std::int16_t>(*element);
    for (std::int64_t number = 0; number < datatype::predefined_ops(); ++number) {
        const MPI_Op op = datatype::op_of(number);
        if (!host::find_kernel(op, type)) continue;
        found.ops |= std::uint32_t{1} << number;
        found.order_shows = host::order_shows(op, type);
    }
    return found;
}

class Table {
  public:
    Table() {
        for (const MPI_Datatype type : predefined_types)
            if (type != MPI_DATATYPE_NULL) // stands for a type that the host lacks
                if (const Predefined row = about(type); row.size > 0) enter({type, row});
    }

    const Predefined* find(MPI_Datatype type) const {
        for (std::size_t at = place(type); rows_[at].type != MPI_DATATYPE_NULL; at = next(at))
            if (rows_[at].type == type) return &rows_[at].about;
        return nullptr;
    }

  private:
    static constexpr std::size_t places = 256;
    static_assert(places > 2 * std::size(predefined_types));

    void enter(const Row& row) {
        if (find(row.type)) return; // two names of one
        std::size_t at = place(row.type);
        while (rows_[at].type != MPI_DATATYPE_NULL) at = next(at);
        rows_[at] = row;
    }
    static std::size_t place(MPI_Datatype type) {
        return base::mix(host::number_of(type)) % places;
    }
    static std::size_t next(std::size_t at) { return (at + 1) % places; }

    std::array<Row, places> rows_;
};

} // namespace

const Predefined* find_predefined(MPI_Datatype type) {
    static const Table table;
    return table.find(type);
}

} // namespace mpix::automatic
