// SPDX-License-Identifier: BSD-3-Clause
//
// Reading an info.
#include "run/info_keys.hpp"

#include "plan/solver.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <string_view>

namespace mpix::run {
namespace {

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

void read(MPI_Info info, const char* key, const char* words, std::string& value,
          std::atomic_flag& is_reported) {
    char text[MPI_MAX_INFO_VAL + 1] = "";
    int found = 0;
    HOST(Info_get)(info, key, MPI_MAX_INFO_VAL, text, &found);
    if (!found) return;
    const bool is_solver = has_word(words, "SOLVER") && plan::find_solver(text);
    if (is_solver || has_word(words, text))
        value = text;
    else if (!is_reported.test_and_set())
        std::fprintf(stderr, "mpix: info %s=%s is ignored: it must be %s\n", key, text,
                     joined(words).c_str());
}

} // namespace

Hints read_hints(MPI_Info info) {
    Hints hints;
    if (info == MPI_INFO_NULL) return hints;
#define INFO_KEY(key, words, preset, help)                                                         \
    static std::atomic_flag is_reported_##key{};                                                   \
    read(info, #key, words, hints.key, is_reported_##key);
#include "run/info_keys.def"
#undef INFO_KEY
    return hints;
}

std::vector<DescribedKey> describe_keys() {
    return {
#define INFO_KEY(key, words, preset, help) {#key, joined(words), preset, help},
#include "run/info_keys.def"
#undef INFO_KEY
    };
}

} // namespace mpix::run
