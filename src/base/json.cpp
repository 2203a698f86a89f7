// SPDX-License-Identifier: BSD-3-Clause
//
// Texts of JSON.
#include "base/json.hpp"

#include <cstdio>

namespace mpix::base {

std::string json_text(std::string_view text) {
    std::string quoted = "\"";
    for (const char letter : text) {
        const auto code = static_cast<unsigned char>(letter);
        if (letter == '"' || letter == '\\') quoted += '\\';
        char escaped[8];
        if (code < 0x20) {
            std::snprintf(escaped, sizeof escaped, "\\u%04x", code);
            quoted += escaped;
        } else {
            quoted += letter;
        }
    }
    return quoted + '"';
}

} // namespace mpix::base
