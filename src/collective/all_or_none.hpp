// SPDX-License-Identifier: BSD-3-Clause
//
// What all ranks have, or none.
#pragma once

#include "comm/context.hpp"
#include "comm/exchange.hpp"
#include "host/failure.hpp"

#include <memory>
#include <new>

namespace mpix::collective {

// What the ranks have to tell, or the longest of it. Not on the stack: any thread that moves the
// host writes it. Collective.
inline double longest(comm::Context& context, double value) {
    const auto held = std::make_unique<double>(value);
    comm::combine(context.all_ranks(), held.get(), 1, MPI_DOUBLE, MPI_MAX);
    return *held;
}

// Null on all ranks if `make` fails on one of them. Collective.
template<class Make>
auto made_by_all(comm::Context& context, Make make) -> decltype(make()) {
    decltype(make()) made;
    try {
        made = make();
    } catch (const host::Failure&) {
    } catch (const std::bad_alloc&) {}
    if (longest(context, made ? 0 : 1) > 0) made.reset();
    return made;
}

} // namespace mpix::collective
