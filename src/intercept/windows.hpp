// SPDX-License-Identifier: BSD-3-Clause
//
// The one call on windows that a program may ask again and again, and in which Open MPI 5 calls no
// progress callback: plans move in it.
#pragma once

#include "host/host.hpp"

namespace mpix::intercept {

int win_test(MPI_Win win, int* flag);

} // namespace mpix::intercept
