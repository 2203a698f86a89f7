// SPDX-License-Identifier: BSD-3-Clause
//
// What a file of JSON needs beside numbers.
#pragma once

#include <string>
#include <string_view>

namespace mpix::base {

// With its quotes. What is no UTF-8 is passed on as it is.
std::string json_text(std::string_view text);

} // namespace mpix::base
