// SPDX-License-Identifier: BSD-3-Clause
//
// Reading the environment.
#include "base/settings.hpp"

#include "base/words.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace mpix::base {
namespace {

// Each returns null, or what the word must be and is not.
const char* parse(std::string_view word, std::optional<bool>& value) {
    if (word == "1" || word == "true")
        value = true;
    else if (word == "0" || word == "false")
        value = false;
    else
        return "0 or 1";
    return nullptr;
}

const char* parse(std::string_view word, bool& value) {
    std::optional<bool> found;
    const char* const wanted = parse(word, found);
    value = found.value_or(value);
    return wanted;
}

const char* parse(std::string_view word, int& value) {
    int parsed = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), parsed);
    if (error != std::errc{} || end != word.data() + word.size() || parsed < 0)
        return "a number, 0 or more";
    value = parsed;
    return nullptr;
}

const char* parse(std::string_view word, std::string& value) {
    value = word;
    return nullptr;
}

void report(const char* name, const char* found, const char* wanted) {
    std::fprintf(stderr, "mpix: %s=%s is ignored: it must be %s\n", name, found, wanted);
}

template<class Value>
void read(const char* name, Value& value) {
    const char* const found = std::getenv(name);
    if (!found) return;
    if (const char* const wanted = parse(found, value)) report(name, found, wanted);
}

void read_word(const char* name, const char* words, std::string& value) {
    const char* const found = std::getenv(name);
    if (!found) return;
    if (has_word(words, found))
        value = found;
    else
        report(name, found, joined(words).c_str());
}

Settings read_all() {
    Settings all;
#define SETTING(name, type, preset, help) read(#name, all.name);
#define SETTING_WORD(name, preset, words, help) read_word(#name, words, all.name);
#include "base/settings.def"
#undef SETTING
#undef SETTING_WORD
    return all;
}

std::string to_text(bool value) { return value ? "1" : "0"; }
std::string to_text(std::optional<bool> value) { return value ? to_text(*value) : "unset"; }
std::string to_text(int value) { return std::to_string(value); }
std::string to_text(const std::string& value) { return '"' + value + '"'; }

template<class Value>
DescribedSetting describe(const char* name, const char* type, const char* help, const Value& preset,
                          const Value& value) {
    DescribedSetting described{name, type, to_text(preset), to_text(value), help, "", ""};
    const char* const found = std::getenv(name);
    Value parsed{};
    if (const char* const wanted = found ? parse(found, parsed) : nullptr) {
        described.ignored = found;
        described.wanted = wanted;
    }
    return described;
}

DescribedSetting describe_word(const char* name, const char* words, const char* help,
                               const std::string& preset, const std::string& value) {
    DescribedSetting described{name, joined(words), to_text(preset), to_text(value), help, "", ""};
    const char* const found = std::getenv(name);
    if (found && !has_word(words, found)) {
        described.ignored = found;
        described.wanted = joined(words);
    }
    return described;
}

} // namespace

const Settings& settings() {
    static const Settings& all = *new Settings(read_all()); // never destroyed
    return all;
}

bool is_listed(std::string_view list, std::string_view word) {
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        if (list.substr(0, end) == word) return true;
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return false;
}

std::vector<DescribedSetting> describe_settings() {
    const Settings presets;
    std::vector<DescribedSetting> all;
#define SETTING(name, type, preset, help)                                                          \
    all.push_back(describe(#name, #type, help, presets.name, settings().name));
#define SETTING_WORD(name, preset, words, help)                                                    \
    all.push_back(describe_word(#name, words, help, presets.name, settings().name));
#include "base/settings.def"
#undef SETTING
#undef SETTING_WORD
    return all;
}

} // namespace mpix::base
