// SPDX-License-Identifier: BSD-3-Clause
//
// The performance variables of the library: what its plans did, for all operations together and for
// each, and how much there is of what it keeps.
#pragma once

#include "host/host.hpp"
#include "progress/counters.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace mpix::intercept::tools {

struct PerformanceVariable {
    std::string name;
    std::string description;
    int var_class;
    int verbosity;
    std::string operation;                               // empty: all
    std::int64_t progress::Counters::*counter = nullptr; // of what is counted
    std::int64_t (*level)() = nullptr;                   // of what there is

    bool is_level() const { return level != nullptr; }
    bool is_time() const { return var_class == MPI_T_PVAR_CLASS_TIMER; }
    // Times in nanoseconds. Any thread, at any time.
    std::int64_t value() const;
};

// As they are numbered. Throws bad_alloc.
const std::vector<PerformanceVariable>& performance_variables();

} // namespace mpix::intercept::tools
