// SPDX-License-Identifier: BSD-3-Clause
//
// What MPIX_CHECK=1 looks for beyond the checks that every init makes. It may take its time.
#pragma once

#include "run/arguments.hpp"

#include <string>

namespace mpix::run {

// Names two receive blocks of this rank that share a byte; "" if there are none.
std::string overlapping_blocks(const Arguments& arguments);

// The name of an argument array whose content is no longer what it was at init, or null.
const char* changed_array(const std::vector<Watched>& watched);

std::uint64_t hash(const void* from, std::size_t bytes);

} // namespace mpix::run
