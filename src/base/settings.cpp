// SPDX-License-Identifier: BSD-3-Clause
//
// Reading the environment, and what a tool changes after it.
#include "base/settings.hpp"

#include "base/words.hpp"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <forward_list>
#include <iterator>
#include <mutex>
#include <string_view>
#include <utility>

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

// An empty word unsets it.
const char* parse_change(std::string_view word, std::optional<bool>& value) {
    if (!word.empty()) return parse(word, value);
    value.reset();
    return nullptr;
}

const char* parse(std::string_view word, int& value) {
    int parsed = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), parsed);
    if (error != std::errc{} || end != word.data() + word.size() || parsed < 0)
        return "a number, 0 or more";
    value = parsed;
    return nullptr;
}

const char* parse(std::string_view word, Report& value) {
    constexpr std::string_view json = "json:", both = "1,json:";
    for (const std::string_view before : {json, both}) {
        if (!word.starts_with(before) || word.size() == before.size()) continue;
        value = {before == both, std::string(word.substr(before.size()))};
        return nullptr;
    }
    if (parse(word, value.is_printed)) return "0, 1, json:FILE or 1,json:FILE";
    value.json.clear();
    return nullptr;
}

const char* parse(std::string_view word, std::string& value) {
    value = word;
    return nullptr;
}

template<class Value>
const char* parse_change(std::string_view word, Value& value) {
    return parse(word, value);
}

const char* parse_word(std::string_view word, const char* words, std::string& value) {
    if (!has_word(words, word)) return words;
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
    if (parse_word(found, words, value)) report(name, found, joined(words).c_str());
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

std::string text_of(bool value) { return value ? "1" : "0"; }
std::string text_of(std::optional<bool> value) { return value ? text_of(*value) : ""; }
std::string text_of(int value) { return std::to_string(value); }
std::string text_of(const std::string& value) { return value; }
std::string text_of(const Report& value) {
    if (value.json.empty()) return text_of(value.is_printed);
    return (value.is_printed ? "1,json:" : "json:") + value.json;
}

// For people.
template<class Value>
std::string to_text(const Value& value) {
    return text_of(value);
}
std::string to_text(std::optional<bool> value) { return value ? text_of(*value) : "unset"; }
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

struct Row {
    const char* name;
    const char* help;
    std::string (*text)(const Settings&);
    const char* (*change)(std::string_view, Settings&); // null, or what the text must be
};
constexpr Row rows[] = {
#define SETTING(name, type, preset, help)                                                          \
    {#name, help, [](const Settings& all) { return text_of(all.name); },                           \
     [](std::string_view text, Settings& all) { return parse_change(text, all.name); }},
#define SETTING_WORD(name, preset, words, help)                                                    \
    {#name, help, [](const Settings& all) { return text_of(all.name); },                           \
     [](std::string_view text, Settings& all) { return parse_word(text, words, all.name); }},
#include "base/settings.def"
#undef SETTING
#undef SETTING_WORD
};
static_assert(std::size(rows) == setting_count);

// Those that there have been stay: somebody may hold a reference.
struct Versions {
    std::mutex mutex;
    std::forward_list<Settings> all;
    bool are_fixed = false;
};
Versions& versions() {
    static Versions& all = *new Versions; // never destroyed
    return all;
}

// Release and acquire pair: whoever finds settings sees them whole.
constinit std::atomic<const Settings*> current{nullptr};

// Not where it becomes longer than a tool that reads settings has room for.
void make_absolute(std::string& file) {
    constexpr std::size_t room = 4000;
    if (file.empty()) return;
    std::string absolute = std::filesystem::absolute(file).string();
    if (absolute.size() < room) file = std::move(absolute);
}

// Under the lock.
const Settings& publish(Settings settings) {
    versions().all.push_front(std::move(settings));
    current.store(&versions().all.front(), std::memory_order_release);
    return versions().all.front();
}

} // namespace

const Settings& settings() {
    if (const Settings* const known = current.load(std::memory_order_acquire)) return *known;
    const std::lock_guard lock(versions().mutex);
    if (const Settings* const known = current.load(std::memory_order_acquire)) return *known;
    return publish(read_all());
}

const char* setting_name(std::size_t setting) { return rows[setting].name; }
const char* setting_help(std::size_t setting) { return rows[setting].help; }
std::string setting_text(std::size_t setting) { return rows[setting].text(settings()); }

Change change_setting(std::size_t setting, std::string_view text) {
    settings(); // are read before the lock is taken
    const std::lock_guard lock(versions().mutex);
    if (versions().are_fixed) return Change::late;
    Settings changed = settings();
    if (rows[setting].change(text, changed)) return Change::malformed;
    publish(std::move(changed));
    return Change::made;
}

void fix_settings() {
    settings(); // are read before the lock is taken
    const std::lock_guard lock(versions().mutex);
    if (std::exchange(versions().are_fixed, true)) return;
    try {
        Settings fixed = settings();
        for (std::string* file :
             {&fixed.MPIX_TRACE, &fixed.MPIX_TUNING_WRITE, &fixed.MPIX_STATS.json})
            make_absolute(*file);
        publish(std::move(fixed));
    } catch (const std::exception&) { // without memory, or a folder, they stay as they are
    }
}

bool is_listed(std::string_view list, std::string_view word) {
    return !all_listed(list, [word](std::string_view one) { return one != word; });
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
