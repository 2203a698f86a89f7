// SPDX-License-Identifier: BSD-3-Clause
//
// Counting cores on machines that are not here: the kernel's answers are made up. Launchers and
// wrappers are in tests/mpi/library/cores.sh.
#include "base/cores.hpp"
#include "catch2.hpp"

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

namespace {

struct Kernel {
    std::size_t possible;    // cores that it has bits for; 0: it tells nothing
    std::size_t own, others; // cores of this process and of any other
};
std::optional<Kernel> kernel; // instead of the real one

int ask_kernel(pid_t process, std::size_t bytes, cpu_set_t* set) {
    std::memset(set, 0, bytes);
    return syscall(SYS_sched_getaffinity, process, bytes, set) < 0 ? -1 : 0;
}

int counted() {
    const int cores = mpix::base::cores_of_job("MPIX_TEST_NO_VARIABLE");
    kernel.reset();
    return cores;
}

} // namespace

// In front of the C library's.
extern "C" int sched_getaffinity(pid_t process, std::size_t bytes, cpu_set_t* set) noexcept {
    if (!kernel) return ask_kernel(process, bytes, set);
    const auto [possible, own, others] = *kernel;
    if (8 * bytes < possible || possible == 0) {
        errno = possible == 0 ? EPERM : EINVAL;
        return -1;
    }
    std::memset(set, 0, bytes);
    for (std::size_t core = possible - (process == 0 ? own : others); core < possible; ++core)
        CPU_SET_S(core, bytes, set);
    return 0;
}

TEST_CASE("a rank that is bound shares the cores of its launcher") {
    kernel = Kernel{64, 1, 12};
    CHECK(counted() == 12);
    kernel = Kernel{64, 16, 12};
    CHECK(counted() == 16);
}

TEST_CASE("cores are counted where a kernel has more than a thousand") {
    for (const std::size_t possible : {1024u, 1025u, 2048u, 5000u, 8192u, 65536u}) {
        kernel = Kernel{possible, 2, 1000};
        CHECK(counted() == 1000);
    }
}

TEST_CASE("where no process tells its cores the machine's count") {
    for (const std::size_t possible : {std::size_t{0}, std::size_t{1} << 20}) {
        kernel = Kernel{possible, 3, 3};
        CHECK(counted() == sysconf(_SC_NPROCESSORS_ONLN));
    }
}
