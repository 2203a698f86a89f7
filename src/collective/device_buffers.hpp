// SPDX-License-Identifier: BSD-3-Clause
//
// Whether the program has passed memory of a device. The library loads and stores and has the
// kernel copy, which works there with nothing: such an operation is the host's, where it has one.
#pragma once

#include "collective/translation.hpp"

namespace mpix::collective {

bool is_on_device(const Side& side);
bool is_on_device(const Arguments& arguments); // any side

// The error of an operation that no host has.
[[noreturn]] void refuse_device(const char* call);

} // namespace mpix::collective
