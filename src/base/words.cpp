// SPDX-License-Identifier: BSD-3-Clause
//
// Comparing and joining words.
#include "base/words.hpp"

#include <algorithm>

namespace mpix::base {

bool has_word(std::string_view words, std::string_view word) {
    for (std::size_t end = 0; !words.empty();
         words.remove_prefix(std::min(end + 1, words.size()))) {
        end = std::min(words.find(' '), words.size());
        if (words.substr(0, end) == word) return true;
    }
    return false;
}

std::string joined(std::string words) {
    for (std::size_t at = 0; (at = words.find(' ', at)) != words.npos; at += 4)
        words.replace(at, 1, " or ");
    return words;
}

} // namespace mpix::base
