// SPDX-License-Identifier: BSD-3-Clause
//
// The table of them.
#include "datatype/ops.hpp"

#include <algorithm>
#include <iterator>

namespace mpix::datatype {
namespace {

struct PredefinedOp {
    MPI_Op op;
    const char* name;
};

// Handles are addresses on some hosts: no constants.
const PredefinedOp op_rows[] = {
    {MPI_MAX, "MPI_MAX"},         {MPI_MIN, "MPI_MIN"},       {MPI_SUM, "MPI_SUM"},
    {MPI_PROD, "MPI_PROD"},       {MPI_LAND, "MPI_LAND"},     {MPI_BAND, "MPI_BAND"},
    {MPI_LOR, "MPI_LOR"},         {MPI_BOR, "MPI_BOR"},       {MPI_LXOR, "MPI_LXOR"},
    {MPI_BXOR, "MPI_BXOR"},       {MPI_MINLOC, "MPI_MINLOC"}, {MPI_MAXLOC, "MPI_MAXLOC"},
    {MPI_REPLACE, "MPI_REPLACE"}, {MPI_NO_OP, "MPI_NO_OP"},
};

constexpr std::int64_t own_commuting = -1, own_ordered = -2;

const PredefinedOp* find(MPI_Op op) {
    const auto* found = std::find_if(std::begin(op_rows), std::end(op_rows),
                                     [&](const PredefinedOp& each) { return each.op == op; });
    return found == std::end(op_rows) ? nullptr : found;
}

} // namespace

bool is_predefined_op(MPI_Op op) { return find(op); }

std::int64_t predefined_ops() { return std::ssize(op_rows); }

MPI_Op op_of(std::int64_t number) { return op_rows[number].op; }

std::int64_t number_of(MPI_Op op, bool commutes) {
    if (const PredefinedOp* each = find(op)) return each - op_rows;
    return commutes ? own_commuting : own_ordered;
}

std::string op_name(std::int64_t number) {
    if (number == own_commuting) return "one of its own that commutes";
    if (number == own_ordered) return "one of its own that does not commute";
    return op_rows[number].name;
}

} // namespace mpix::datatype
