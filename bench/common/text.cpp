// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/text.hpp"

#include <cstdio>

namespace mpix::bench {

namespace {

std::string with_decimals(double value, int decimals) {
    char text[64];
    std::snprintf(text, sizeof text, "%.*f", decimals, value);
    return text;
}

} // namespace

std::string microseconds(double nanoseconds) {
    const double value = nanoseconds / 1000;
    return with_decimals(value, value < 10 ? 3 : value < 100 ? 2 : value < 1000 ? 1 : 0);
}

std::string plain(std::optional<double> value) {
    return value ? with_decimals(*value, *value < 100 ? 2 : 0) : "-";
}

std::string size_name(std::size_t bytes) {
    constexpr std::size_t kibi = 1024;
    if (bytes >= kibi * kibi && bytes % (kibi * kibi) == 0)
        return std::to_string(bytes / (kibi * kibi)) + "M";
    return bytes >= kibi && bytes % kibi == 0 ? std::to_string(bytes / kibi) + "K"
                                              : std::to_string(bytes);
}

} // namespace mpix::bench
