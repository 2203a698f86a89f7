// SPDX-License-Identifier: BSD-3-Clause
//
// The operations whose plans are counted, whichever solver made them.
#pragma once

#include "progress/counters.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace mpix::library {

// "allreduce", and with partitions "pallreduce"; "psend", "precv"; "channel" is any that none of
// the others is. Throws bad_alloc.
const std::vector<std::string>& counted_operations();

// What was counted of one of them on this rank, or of all if it is empty. Any thread.
std::int64_t counted(std::string_view operation, std::int64_t progress::Counters::*counter);

} // namespace mpix::library
