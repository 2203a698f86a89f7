// SPDX-License-Identifier: BSD-3-Clause
//
// What is told of the machine that something was measured on, as its system names it.
#pragma once

#include <string>

namespace mpix::bench {

std::string processor();   // "AMD EPYC 7B13", or the kind of processor
std::string system_name(); // "Debian GNU/Linux 12 (bookworm), Linux 6.1.0"
std::string variables();   // "MPIX_YIELD=1 MPIX_WAIT=park": those of mpix that are set
std::string today();       // "2026-01-31 12:00", local time

} // namespace mpix::bench
