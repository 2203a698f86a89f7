// SPDX-License-Identifier: BSD-3-Clause
//
// The environment variables of settings.def, read once. A malformed value is reported once and
// ignored. Until MPI begins a tool may change them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpix::base {

// Something that people want to be told, printed or in a file, or both.
struct Report {
    bool is_printed = false;
    std::string json = {}; // the file; empty: none
    bool is_wanted() const { return is_printed || !json.empty(); }
};

struct Settings {
    using report = Report;
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

inline constexpr std::size_t setting_count = 0
#define SETTING(name, type, preset, help) +1
#define SETTING_WORD(name, preset, words, help) +1
#include "base/settings.def"
#undef SETTING
#undef SETTING_WORD
    ;

// Any thread. Before they are fixed another call may return others.
const Settings& settings();

// One of them by its number. Its text is what the environment would say; empty where that says
// nothing.
const char* setting_name(std::size_t setting);
const char* setting_help(std::size_t setting);
std::string setting_text(std::size_t setting);

// Throws bad_alloc.
enum class Change { made, malformed, late };
Change change_setting(std::size_t setting, std::string_view text);

// MPI begins: from now on all of them stay as they are. Relative names of files that are written at
// its end are taken from the folder in which the program is now.
void fix_settings();

// Visits the comma-separated words of a list until one visit says false. Whether all said true.
template<class Visit>
bool all_listed(std::string_view list, Visit visit) {
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        if (!visit(list.substr(0, end))) return false;
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return true;
}
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
