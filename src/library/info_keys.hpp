// SPDX-License-Identifier: BSD-3-Clause
//
// The info keys of info_keys.def. An unknown key is ignored; a malformed value of a known one is
// reported once and ignored.
#pragma once

#include "host/host.hpp"

#include <string>
#include <vector>

namespace mpix::library {

struct Hints {
#define INFO_KEY(key, words, preset, help) std::string key = preset;
#include "library/info_keys.def"
#undef INFO_KEY
};

Hints read_hints(MPI_Info info);

// Empty if there is none.
std::string info_value(MPI_Info info, const char* key);

// Of a value, or 0 if it is none.
std::int64_t number_of(const std::string& text);

// One key, for people.
struct DescribedKey {
    const char* key;
    std::string words; // "node or host"
    const char* preset;
    const char* help;
};
std::vector<DescribedKey> describe_keys();

} // namespace mpix::library
