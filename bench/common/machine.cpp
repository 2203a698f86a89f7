// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/machine.hpp"

#include <sys/utsname.h>
#include <unistd.h>

#include <ctime>
#include <fstream>
#include <string_view>

namespace mpix::bench {

namespace {

// What stands behind a name in a file of lines "name: value" or "name=\"value\"", or nothing.
std::string value_in(const char* file, const std::string& name, const char* around) {
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with(name)) continue;
        const auto first = line.find_first_not_of(around, name.size());
        if (first != line.npos)
            return line.substr(first, line.find_last_not_of(around) + 1 - first);
    }
    return {};
}

utsname kernel() {
    utsname names{};
    uname(&names);
    return names;
}

} // namespace

std::string processor() {
    const std::string name = value_in("/proc/cpuinfo", "model name", "\t :");
    return name.empty() ? kernel().machine : name;
}

std::string system_name() {
    const std::string name = value_in("/etc/os-release", "PRETTY_NAME", "=\"");
    const utsname names = kernel();
    return (name.empty() ? "" : name + ", ") + names.sysname + " " + names.release;
}

std::string variables() {
    std::string all;
    for (char** variable = environ; *variable; ++variable)
        if (std::string_view(*variable).starts_with("MPIX_"))
            all.append(all.empty() ? "" : " ").append(*variable);
    return all;
}

std::string today() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    char text[32] = "";
    if (localtime_r(&now, &local)) std::strftime(text, sizeof text, "%Y-%m-%d %H:%M", &local);
    return text;
}

} // namespace mpix::bench
