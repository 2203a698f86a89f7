// SPDX-License-Identifier: BSD-3-Clause
// Messages are written whole, so that ranks do not mix within a line. The handlers use only what is
// safe in a signal.
#include "report.hpp"

#include <csignal>
#include <cstdio>
#include <cstring>
#include <execinfo.h>
#include <unistd.h>

namespace fuzz {
namespace {

constexpr int most_failures = 20; // lines of one rank in one program

char now_at[600] = "";
char header[64] = "";
int rank = 0, found = 0;
unsigned limit = 20;
std::uint64_t running = 0;

void write_whole(const char* text) {
    const ssize_t ignored = write(STDOUT_FILENO, text, std::strlen(text));
    static_cast<void>(ignored);
}

void say_place(const char* what) {
    char line[800];
    std::size_t length = 0;
    for (const char* part : {static_cast<const char*>(header), what, ", at ",
                             static_cast<const char*>(now_at), "\n"}) {
        const std::size_t size = std::strlen(part);
        if (length + size >= sizeof line) break;
        std::memcpy(line + length, part, size);
        length += size;
    }
    line[length] = 0;
    write_whole(line);
}

void time_is_up(int) {
    say_place("HANG");
    sleep(1); // lets the other ranks say where they are
    _exit(exit_hang);
}

void crash(int signal) {
    say_place(signal == SIGSEGV ? "CRASH (segmentation fault)" : "CRASH");
    void* frames[20];
    backtrace_symbols_fd(frames, backtrace(frames, 20), STDOUT_FILENO);
    std::signal(signal, SIG_DFL);
    raise(signal);
}

} // namespace

void watch(int world_rank, unsigned seconds) {
    rank = world_rank;
    limit = seconds;
    std::signal(SIGALRM, time_is_up);
    void* frame = nullptr;
    backtrace(&frame, 1); // loads what it needs now rather than in a handler
    for (const int signal : {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL}) std::signal(signal, crash);
}

void begin(std::uint64_t seed) {
    running = seed;
    found = 0;
    std::snprintf(header, sizeof header,
                  "seed %llu, rank %d: ", static_cast<unsigned long long>(seed), rank);
    be_at("the beginning");
    alarm(limit);
}

void be_at(const std::string& where) { std::strncpy(now_at, where.c_str(), sizeof now_at - 1); }

void fail(const std::string& what) {
    if (found++ >= most_failures) return;
    write_whole((header + what + ", at " + now_at + "\n").c_str());
}

int failures() { return found; }

void must(int code, const char* call) {
    if (code == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    write_whole(
        (header + std::string("ERROR ") + text + ", at " + now_at + ", in " + call + "\n").c_str());
    MPI_Abort(MPI_COMM_WORLD, exit_error);
}

} // namespace fuzz
