// SPDX-License-Identifier: BSD-3-Clause
//
// What is noted of an operation while somebody wants to know: its counts, and with MPIX_TRACE its
// trace.
#pragma once

#include "progress/meter.hpp"
#include "progress/plan_trace.hpp"

#include <optional>

namespace mpix::progress {

struct Observation {
    Meter meter;
    std::optional<PlanTrace> trace;
};

} // namespace mpix::progress
