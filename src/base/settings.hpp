// SPDX-License-Identifier: BSD-3-Clause
//
// The environment variables of settings.def, read once. A malformed value is reported once and
// ignored.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpix::base {

struct Settings {
    using flag = bool;
    using toggle = std::optional<bool>;
    using number = int;
    using text = std::string;
#define SETTING(name, type, preset, help) type name = preset;
#define SETTING_WORD(name, preset, words, help) text name = preset;
#include "base/settings.def"
#undef SETTING
#undef SETTING_WORD
};

const Settings& settings();

// True if `word` is one of the comma-separated words of `list`.
bool is_listed(std::string_view list, std::string_view word);

// One variable, for people.
struct DescribedSetting {
    const char* name;
    std::string type; // or the words to choose from
    std::string preset;
    std::string value;
    const char* help;
    std::string ignored; // what the environment has, if it is malformed
    std::string wanted;  // what it must be, then
};
std::vector<DescribedSetting> describe_settings();

} // namespace mpix::base
