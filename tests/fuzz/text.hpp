// SPDX-License-Identifier: BSD-3-Clause
// Programs as text, an item a line.
#pragma once

#include "program.hpp"

namespace fuzz {

std::string brief(const Program& program, int item);
std::string text(const Program& program, const std::set<int>& skipped);

} // namespace fuzz
