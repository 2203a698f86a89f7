// SPDX-License-Identifier: BSD-3-Clause
//
// The table that comes of the findings: which sizes a finding speaks for, and the file.
#pragma once

#include "plan/tuning.hpp"
#include "tools/tune/finding.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace mpix::tune {

// Rules for the findings of one operation at sizes that grow: a finding speaks for the sizes nearer
// to its own, by their ratio, than to its neighbours', the first for all below and the last for
// none above. Without sizes there is one finding.
std::vector<plan::Rule> rules(plan::Collective collective, int ranks, bool one_node,
                              std::span<const std::size_t> sizes,
                              std::span<const Finding> findings);

// Why a table cannot go there; nothing if it can.
std::string obstacle(const std::string& file, bool append);

// Returns whether it is written.
bool write(const std::string& file, bool append, const std::string& heading,
           const std::vector<plan::Rule>& rules);

} // namespace mpix::tune
