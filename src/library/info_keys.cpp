// SPDX-License-Identifier: BSD-3-Clause
//
// Reading an info.
#include "library/info_keys.hpp"

#include "base/words.hpp"
#include "plan/solver.hpp"

#include <atomic>
#include <charconv>
#include <cstdio>

namespace mpix::library {
namespace {

void read(MPI_Info info, const char* key, const char* words, std::string& value,
          std::atomic_flag& is_reported) {
    const std::string text = info_value(info, key);
    if (text.empty()) return;
    const bool is_solver = base::has_word(words, "SOLVER") && plan::find_solver(text);
    const bool is_number = base::has_word(words, "NUMBER") && number_of(text) > 0;
    if (is_solver || is_number || base::has_word(words, text))
        value = text;
    else if (!is_reported.test_and_set())
        std::fprintf(stderr, "mpix: info %s=%s is ignored: it must be %s\n", key, text.c_str(),
                     base::joined(words).c_str());
}

} // namespace

std::string info_value(MPI_Info info, const char* key) {
    if (info == MPI_INFO_NULL) return {};
    char text[MPI_MAX_INFO_VAL + 1] = "";
    int found = 0;
    HOST(Info_get)(info, key, MPI_MAX_INFO_VAL, text, &found);
    return found ? text : "";
}

std::int64_t number_of(const std::string& text) {
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [at, error] = std::from_chars(text.data(), end, number);
    return error == std::errc() && at == end ? number : 0;
}

Hints read_hints(MPI_Info info) {
    Hints hints;
    if (info == MPI_INFO_NULL) return hints;
#define INFO_KEY(key, words, preset, help)                                                         \
    static std::atomic_flag is_reported_##key{};                                                   \
    read(info, #key, words, hints.key, is_reported_##key);
#include "library/info_keys.def"
#undef INFO_KEY
    return hints;
}

std::vector<DescribedKey> describe_keys() {
    return {
#define INFO_KEY(key, words, preset, help) {#key, base::joined(words), preset, help},
#include "library/info_keys.def"
#undef INFO_KEY
    };
}

} // namespace mpix::library
