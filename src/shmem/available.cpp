// SPDX-License-Identifier: BSD-3-Clause
//
// The kernel's own estimate for the machine, and for each control group above this process what is
// left under its limit. Files that are cached count as available in both: they give way.
#include "shmem/available.hpp"

#include <algorithm>
#include <fstream>
#include <new>
#include <optional>
#include <string_view>

namespace mpix::shmem {
namespace {

using Bytes = std::uint64_t;

// What the files of a control group are called.
struct Version {
    const char* mount;
    const char* limit;
    const char* usage;
    const char* inactive;
    const char* active;
};
constexpr Version version_1{"/sys/fs/cgroup/memory", "memory.limit_in_bytes",
                            "memory.usage_in_bytes", "total_inactive_file", "total_active_file"};
constexpr Version version_2{"/sys/fs/cgroup", "memory.max", "memory.current", "inactive_file",
                            "active_file"};

// Nothing where there is no number, such as the word max.
std::optional<Bytes> number_in(const std::string& path) {
    Bytes number = 0;
    return std::ifstream(path) >> number ? std::optional(number) : std::nullopt;
}

// The sum of the lines with these names, "Name: 1 kB" or "name 1".
template<class... Names>
std::optional<Bytes> sum_in(const std::string& path, Names... names) {
    std::ifstream file(path);
    std::optional<Bytes> sum;
    Bytes number = 0;
    for (std::string name, rest; file >> name >> number; std::getline(file, rest))
        if (((name == names) || ...)) sum = sum.value_or(0) + number;
    return sum;
}

// `most` or less. The statistics take long to make, and matter only where the limit is near.
Bytes left_in(const std::string& group, const Version& version, Bytes most) {
    const std::optional<Bytes> limit = number_in(group + version.limit);
    if (!limit) return most;
    const auto left_beside = [&](Bytes held) { return *limit - std::min(*limit, held); };
    const Bytes usage = number_in(group + version.usage).value_or(0);
    if (left_beside(usage) >= most) return most;
    const Bytes files = sum_in(group + "memory.stat", version.inactive, version.active).value_or(0);
    return std::min(most, left_beside(usage - std::min(usage, files)));
}

// The limit of any group above counts too. Those that a container does not see are not there; what
// it sees at the top is its own.
Bytes left_above(const std::string& mount, std::string group, const Version& version, Bytes most) {
    for (;; group.resize(group.rfind('/'))) {
        most = left_in(mount + group + '/', version, most);
        if (group.find('/') == std::string::npos) return most;
    }
}

// A line is number:controllers:group. The second version's has no controllers.
Bytes left_in_groups(const std::string& root, Bytes most) {
    std::ifstream file(root + "/proc/self/cgroup");
    for (std::string line; std::getline(file, line);) {
        const std::size_t from = line.find(':'), to = line.find(':', from + 1);
        if (to == std::string::npos) continue;
        const std::string controllers = ',' + line.substr(from + 1, to - from - 1) + ',';
        const bool is_second = controllers == ",,";
        if (!is_second && controllers.find(",memory,") == std::string::npos) continue;
        const Version& version = is_second ? version_2 : version_1;
        most = left_above(root + version.mount, line.substr(to + 1), version, most);
    }
    return most;
}

Bytes left_on_machine(const std::string& root) {
    const std::optional<Bytes> kilobytes = sum_in(root + "/proc/meminfo", "MemAvailable:");
    return kilobytes ? *kilobytes * 1024 : not_known;
}

} // namespace

std::uint64_t available_memory(const std::string& root) noexcept try {
    return left_in_groups(root, left_on_machine(root));
} catch (const std::bad_alloc&) {
    return not_known;
}

} // namespace mpix::shmem
