// SPDX-License-Identifier: BSD-3-Clause
//
// A rank that is bound sees its own cores alone, and so does a script that wraps it; their launcher
// sees all that the ranks share. Who started the launcher may see more than the job may use.
#include "base/cores.hpp"

#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace mpix::base {
namespace {

std::string file_of(pid_t process, const char* name) {
    return "/proc/" + std::to_string(process) + '/' + name;
}

// 0 if it cannot be told. The name in parentheses may hold anything.
pid_t parent_of(pid_t process) {
    std::string text;
    std::getline(std::ifstream(file_of(process, "stat")), text, '\0');
    const std::size_t end = text.rfind(") ");
    if (end == std::string::npos) return 0;
    return std::atoi(text.c_str() + end + 4); // after the state, which is one letter
}

bool was_started_with(pid_t process, const std::string& setting) {
    std::ifstream environment(file_of(process, "environ"));
    for (std::string one; std::getline(environment, one, '\0');)
        if (one == setting) return true;
    return false;
}

// The first ancestor that is no rank's: whoever is between wraps this rank. A launcher that a rank
// of another job has started mostly differs in the value.
pid_t launcher(const char* variable) {
    const char* const value = std::getenv(variable);
    const std::string setting = std::string(variable) + '=' + (value ? value : "");
    pid_t process = getppid();
    while (process > 1 && was_started_with(process, setting)) process = parent_of(process);
    return process;
}

// 0 if it cannot be told. The kernel refuses a set that is shorter than its own.
int cores_of(pid_t process) {
    constexpr std::size_t most = 64; // 65,536 cores
    for (std::vector<cpu_set_t> cores(1); cores.size() <= most; cores.resize(2 * cores.size())) {
        const std::size_t bytes = cores.size() * sizeof(cpu_set_t);
        if (sched_getaffinity(process, bytes, cores.data()) == 0)
            return CPU_COUNT_S(bytes, cores.data());
        if (errno != EINVAL) return 0;
    }
    return 0;
}

} // namespace

int own_cores() { return cores_of(0); }

bool is_apart_from_job(const char* variable) {
    int groups_sessions = 0;
    std::ifstream("/proc/sys/kernel/sched_autogroup_enabled") >> groups_sessions;
    if (groups_sessions == 0) return false;
    const pid_t session = getsid(launcher(variable));
    return session > 0 && session != getsid(0);
}

int cores_of_job(const char* variable) {
    const int seen = std::max(cores_of(0), cores_of(launcher(variable)));
    return seen > 0 ? seen : std::max(static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)), 1);
}

} // namespace mpix::base
