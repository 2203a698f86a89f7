// SPDX-License-Identifier: BSD-3-Clause
//
// mpix-simulate plan: one plan, as a picture or as text.
#pragma once

#include "arguments.hpp"

namespace mpix::simulate {

// The process's exit status.
int plan_command(Words words);

} // namespace mpix::simulate
