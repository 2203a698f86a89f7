// SPDX-License-Identifier: BSD-3-Clause
//
// Reading the environment.
#include "run/settings.hpp"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace mpix::run {
namespace {

void read(const char* name, toggle& value) {
    const char* found = std::getenv(name);
    if (!found) return;
    const std::string_view word = found;
    if (word == "1" || word == "true")
        value = true;
    else if (word == "0" || word == "false")
        value = false;
    else
        std::fprintf(stderr, "mpix: %s=%s is ignored: it must be 0 or 1\n", name, found);
}

void read(const char* name, flag& value) {
    toggle found;
    read(name, found);
    value = found.value_or(value);
}

void read(const char* name, number& value) {
    const char* found = std::getenv(name);
    if (!found) return;
    const std::string_view word = found;
    number parsed = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), parsed);
    if (error == std::errc{} && end == word.data() + word.size() && parsed >= 0)
        value = parsed;
    else
        std::fprintf(stderr, "mpix: %s=%s is ignored: it must be a number, 0 or more\n", name,
                     found);
}

void read(const char* name, text& value) {
    if (const char* found = std::getenv(name)) value = found;
}

Settings read_all() {
    Settings all;
#define SETTING(name, type, preset, help) read(#name, all.name);
#include "run/settings.def"
#undef SETTING
    return all;
}

} // namespace

const Settings& settings() {
    static const Settings& all = *new Settings(read_all()); // never destroyed
    return all;
}

} // namespace mpix::run
