// SPDX-License-Identifier: BSD-3-Clause
//
// The words that a value may be, as the tables of settings and info keys list them: with spaces
// between.
#pragma once

#include <string>
#include <string_view>

namespace mpix::base {

bool has_word(std::string_view words, std::string_view word);
std::string joined(std::string words); // "node or host"

} // namespace mpix::base
