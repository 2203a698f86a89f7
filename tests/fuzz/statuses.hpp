// SPDX-License-Identifier: BSD-3-Clause
// Statuses, spoiled before a call and checked after it.
#pragma once

#include "report.hpp"

#include <vector>

namespace fuzz {

// What a completed receive says about itself.
struct Incoming {
    int source, tag, bytes;
};

MPI_Status spoiled();
// Of a persistent collective.
void check_empty(const MPI_Status& status);
void check_incoming(const MPI_Status& status, const Incoming& expected);
// Ends the run unless the call succeeded, with the errors of single requests if there are any.
void must_each(int code, const std::vector<MPI_Status>& statuses, const char* call);

} // namespace fuzz
