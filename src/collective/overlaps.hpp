// SPDX-License-Identifier: BSD-3-Clause
//
// MPIX_CHECK=1: receive blocks that overlap. It takes its time.
#pragma once

#include "collective/translation.hpp"

#include <string>

namespace mpix::collective {

// Names two receive blocks of this rank that share a byte; "" if there are none.
std::string overlapping_blocks(const Arguments& arguments);

} // namespace mpix::collective
