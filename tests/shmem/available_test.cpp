// SPDX-License-Identifier: BSD-3-Clause
//
// What the files of the kernel tell of the memory that is left, in directories that are written for
// it, and that no more than a share of it is taken.
#include "catch2.hpp"
#include "shmem/available.hpp"
#include "shmem/segment.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace mpix::shmem;

namespace {

constexpr std::uint64_t KiB = 1024, MiB = KiB * KiB, GiB = KiB * MiB;

// A machine of files, with 8 GiB available.
class Machine {
  public:
    Machine() {
        char name[] = "/tmp/mpix-available-XXXXXX";
        root_ = mkdtemp(name);
        write("proc/meminfo", "MemTotal:       16777216 kB\nMemFree:          102400 kB\n"
                              "MemAvailable:    8388608 kB\nHugePages_Total:       0\n");
    }
    ~Machine() { std::filesystem::remove_all(root_); }
    Machine(const Machine&) = delete;
    Machine& operator=(const Machine&) = delete;

    void write(const std::string& name, const std::string& text) const {
        const std::filesystem::path path = root_ / name;
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path) << text;
    }
    // Limit and usage of a control group of the second version; `files` lines of its statistics.
    void limit(const std::string& group, const std::string& most, std::uint64_t usage,
               const std::string& files = "") const {
        const std::string at = "sys/fs/cgroup" + group + '/';
        write(at + "memory.max", most + '\n');
        write(at + "memory.current", std::to_string(usage) + '\n');
        write(at + "memory.stat", "anon 4096\n" + files + "slab 4096\n");
    }
    void limit_first(const std::string& group, std::uint64_t most, std::uint64_t usage,
                     const std::string& files = "") const {
        const std::string at = "sys/fs/cgroup/memory" + group + '/';
        write(at + "memory.limit_in_bytes", std::to_string(most) + '\n');
        write(at + "memory.usage_in_bytes", std::to_string(usage) + '\n');
        write(at + "memory.stat", "cache 4096\ninactive_file 1\n" + files + "total_cache 4096\n");
    }
    std::uint64_t available() const { return available_memory(root_); }

  private:
    std::filesystem::path root_;
};

std::string line(const char* name, std::uint64_t bytes) {
    return std::string(name) + ' ' + std::to_string(bytes) + '\n';
}

} // namespace

TEST_CASE("without control groups what the machine has is available, whatever is cached") {
    const Machine machine;
    CHECK(machine.available() == 8 * GiB);
    machine.write("proc/self/cgroup", "");
    CHECK(machine.available() == 8 * GiB);
}

TEST_CASE("where nothing tells, what is available is not known") {
    const Machine machine;
    machine.write("proc/meminfo", "MemTotal: 16777216 kB\n"); // of before Linux 3.14
    CHECK(machine.available() == not_known);
    machine.write("proc/self/cgroup", "0::/none/at/all\n4:memory:\nnonsense\n::\n");
    CHECK(machine.available() == not_known);
    CHECK(available_memory("/nowhere/at/all") == not_known);
}

TEST_CASE("the least that is left in any control group above is available") {
    const Machine machine;
    machine.write("proc/self/cgroup", "0::/job/step/task\n");
    machine.limit("/job/step/task", "max", 100 * MiB);
    CHECK(machine.available() == 8 * GiB);
    machine.limit("/job", "2147483648", 500 * MiB);
    CHECK(machine.available() == 2 * GiB - 500 * MiB);
    machine.limit("/job/step", std::to_string(GiB), 300 * MiB);
    CHECK(machine.available() == GiB - 300 * MiB);
    machine.limit("/job/step", std::to_string(64 * GiB), 300 * MiB);
    CHECK(machine.available() == 2 * GiB - 500 * MiB);
    machine.limit("/other", "4096", 4096);
    CHECK(machine.available() == 2 * GiB - 500 * MiB);
    machine.limit("/job/step/task", std::to_string(MiB), 2 * MiB); // it was lowered
    CHECK(machine.available() == 0);
}

TEST_CASE("files that are cached in a control group are available") {
    const Machine machine;
    machine.write("proc/self/cgroup", "0::/job\n");
    const std::string files = line("inactive_file", 700 * MiB) + line("active_file", 200 * MiB);
    machine.limit("/job", std::to_string(GiB), 1000 * MiB, files);
    CHECK(machine.available() == GiB - 100 * MiB);
    machine.limit("/job", std::to_string(GiB), 800 * MiB, files); // read at another time
    CHECK(machine.available() == GiB);
}

TEST_CASE("a container sees its own limit at the top, whatever its group is called outside") {
    const Machine machine;
    machine.limit("", std::to_string(2 * GiB), 500 * MiB);
    for (const char* group : {"0::/\n", "0::/../..\n", "0::/kubepods/pod1/abc\n"}) {
        machine.write("proc/self/cgroup", group);
        CHECK(machine.available() == 2 * GiB - 500 * MiB);
    }
}

TEST_CASE("control groups of the first version limit memory too") {
    const Machine machine;
    const std::string groups = "9:name=systemd:/\n5:cpu,memory:/docker/abc\n4:cpuset:/\n0::/\n";
    machine.write("proc/self/cgroup", groups);
    machine.limit_first("/docker/abc", 0x7ffffffffffff000u, 600 * MiB); // none
    CHECK(machine.available() == 8 * GiB);
    const std::string files =
        line("total_inactive_file", 300 * MiB) + line("total_active_file", 100 * MiB);
    machine.limit_first("/docker/abc", GiB, 600 * MiB, files);
    CHECK(machine.available() == GiB - 200 * MiB);
    machine.limit_first("/docker", GiB, 900 * MiB);
    CHECK(machine.available() == GiB - 900 * MiB);
    machine.limit_first("", GiB, 1000 * MiB);
    CHECK(machine.available() == GiB - 1000 * MiB);
}

// Of a share smaller than a MiB no more is taken than goes without a look.
TEST_CASE("a segment is refused more than its share, and still has a little") {
    if (available_memory() == not_known) return;
    const auto many = static_cast<int>(available_memory() / MiB);
    Segment segment(many);
    REQUIRE(segment.is_there());
    CHECK(segment.allocate(4 * MiB) == nullptr);
    CHECK(segment.complaint().find("growing to") == 0);
    CHECK(segment.allocate(100 * KiB) != nullptr);
    std::size_t pieces = 0;
    while (pieces < 1000 && segment.allocate(10 * KiB)) ++pieces;
    CHECK(pieces > 50);
    CHECK(pieces < 110);
    Segment alone(1);
    CHECK(alone.allocate(4 * MiB) != nullptr);
}

TEST_CASE("pages that were given back in parts are given back as a whole, and come again") {
    const int file = memfd_create("mpix-test", MFD_CLOEXEC);
    const auto pages_there = [file] {
        struct stat found {};
        return fstat(file, &found) == 0 ? static_cast<std::size_t>(found.st_blocks) * 512 / page
                                        : 0;
    };
    Pages pages;
    pages.open(file, 1);
    REQUIRE(pages.grow(0, 100 * page) == 0);
    pages.give_back(10 * page - 1, 20 * page + 1);
    CHECK(pages_there() == 90);
    pages.give_back(50 * page, 60 * page);
    pages.give_back(5 * page, 5 * page + 10);
    CHECK(pages_there() == 80);
    pages.give_back(10 * page, 70 * page);
    CHECK(pages_there() == 40);
    CHECK(pages.restore(15 * page, 55 * page) == 0);
    CHECK(pages_there() == 80);
    pages.give_back(0, 100 * page);
    CHECK(pages_there() == 0);
    CHECK(pages.restore(0, 100 * page) == 0);
    CHECK(pages_there() == 100);
    close(file);
}

TEST_CASE("pages that were given back come again only within a share") {
    if (available_memory() == not_known) return;
    const int file = memfd_create("mpix-test", MFD_CLOEXEC);
    const auto blocks = [file] {
        struct stat found {};
        return fstat(file, &found) == 0 ? static_cast<std::uint64_t>(found.st_blocks) * 512 : 0;
    };
    Pages pages;
    pages.open(file, 1);
    REQUIRE(pages.grow(0, 4 * MiB) == 0);
    pages.give_back(0, 4 * MiB);
    pages.open(file, static_cast<int>(available_memory() / MiB));
    CHECK(pages.restore(0, 4 * MiB) == ENOMEM);
    CHECK(blocks() == 0);
    pages.open(file, 1);
    CHECK(pages.restore(0, 4 * MiB) == 0);
    CHECK(blocks() == 4 * MiB);
    close(file);
}
