// SPDX-License-Identifier: BSD-3-Clause
// A legal program from a seed. No MPI here.
#pragma once

#include "conditions.hpp"
#include "program.hpp"

namespace fuzz {

Program generate(std::uint64_t seed, const Conditions& conditions);

} // namespace fuzz
