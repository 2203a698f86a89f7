// SPDX-License-Identifier: BSD-3-Clause
//
// The environment variables of settings.def, read once. A malformed value is reported once and
// ignored.
#pragma once

#include <optional>
#include <string>

namespace mpix::run {

using flag = bool;
using toggle = std::optional<bool>;
using number = int;
using text = std::string;

struct Settings {
#define SETTING(name, type, preset, help) type name = preset;
#include "run/settings.def"
#undef SETTING
};

const Settings& settings();

} // namespace mpix::run
