// SPDX-License-Identifier: BSD-3-Clause
//
// See passing.hpp.
#include "intercept/passing.hpp"

#include "run/settings.hpp"

#include <string>

namespace mpix::intercept {

bool is_disabled() { return run::settings().MPIX_DISABLE; }

void* find_collective(const char* name) {
    if (void* found = host::find((std::string("PMPI_") + name).c_str())) return found;
    return host::find((std::string("PMPIX_") + name).c_str());
}

} // namespace mpix::intercept
