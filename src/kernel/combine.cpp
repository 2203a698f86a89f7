// SPDX-License-Identifier: BSD-3-Clause
//
// Choosing the loops of the machine's level. This file is compiled for every machine.
#include "kernel/combine.hpp"

#include "kernel/table.hpp"

namespace mpix::kernel {
namespace {

const Table& table_of([[maybe_unused]] Level level) {
#ifdef MPIX_X86_LEVELS
    switch (level) {
    case Level::base: break;
    case Level::v2: return v2::table;
    case Level::v3: return v3::table;
    case Level::v4: return v4::table;
    }
#endif
    return base::table;
}

Combine at(const Table& table, Element element, Operator op) {
    return table.of[static_cast<std::size_t>(op)].of[static_cast<std::size_t>(element)];
}

} // namespace

Level best_level() {
#ifdef MPIX_X86_LEVELS
    __builtin_cpu_init(); // this may be called before any constructor has run
    if (__builtin_cpu_supports("x86-64-v4")) return Level::v4;
    if (__builtin_cpu_supports("x86-64-v3")) return Level::v3;
    if (__builtin_cpu_supports("x86-64-v2")) return Level::v2;
#endif
    return Level::base;
}

Combine find_combine(Element element, Operator op) {
    static const Table& table = table_of(best_level());
    return at(table, element, op);
}

Combine find_combine(Element element, Operator op, Level level) {
    return at(table_of(level), element, op);
}

} // namespace mpix::kernel
