// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers as people read them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

namespace mpix::bench {

// "0.123", "12.34", "123.4", "1234": microseconds.
std::string microseconds(double nanoseconds);
// Two decimals below a hundred, none above; "-" for nothing.
std::string plain(std::optional<double> value);
// "8", "4K", "1M": bytes.
std::string size_name(std::size_t bytes);

} // namespace mpix::bench
