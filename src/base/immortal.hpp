// SPDX-License-Identifier: BSD-3-Clause
//
// A global that is there before any code runs and is never destroyed: MPI calls may come early and
// late.
#pragma once

namespace mpix::base {

template<class T>
union Immortal {
    constexpr Immortal() : value() {}
    ~Immortal() {}
    T value;
};

} // namespace mpix::base
