// SPDX-License-Identifier: BSD-3-Clause
// The library asks what the machine lets it do without forking: no child of its own is told to the
// program, and the program's handlers around fork are not called.
#include <pthread.h>
#include <sys/wait.h>

#include <cerrno>
#include <csignal>

#include "common/completion.hpp"

using namespace mpitest;

namespace {

volatile std::sig_atomic_t children = 0, forks = 0;

void note_child(int) { children = children + 1; }
void note_fork() { forks = forks + 1; }

// SIGCHLD from here to the end of the scope.
class Watch {
  public:
    explicit Watch(void (*handler)(int)) : before_(std::signal(SIGCHLD, handler)) {}
    ~Watch() { std::signal(SIGCHLD, before_); }
    Watch(const Watch&) = delete;
    Watch& operator=(const Watch&) = delete;

  private:
    void (*before_)(int);
};

std::string reading() {
    const std::string text = MPIX_Describe();
    const std::size_t at = text.find("memory of other processes");
    return text.substr(at, text.find('\n', at) - at);
}

} // namespace

TEST_CASE("neither a description nor an init forks") {
    static const int is_watched = pthread_atfork(note_fork, nullptr, nullptr);
    CHECK(is_watched == 0);
    const Watch watch(note_child);
    for (int i = 0; i < 20; i++) CHECK(reading().find("not known") == std::string::npos);
    Ours sum;
    sum.run(1);
    CHECK(children == 0);
    CHECK(forks == 0);
    CHECK(waitpid(-1, nullptr, WNOHANG | __WALL) == -1);
    CHECK(errno == ECHILD);
}

TEST_CASE("a program that lets its children vanish gets the same answer") {
    const std::string before = reading();
    const Watch watch(SIG_IGN);
    CHECK(reading() == before);
}

TEST_CASE("signals are blocked no longer than that") {
    sigset_t before, after;
    sigemptyset(&before);
    sigemptyset(&after);
    CHECK(pthread_sigmask(SIG_SETMASK, nullptr, &before) == 0);
    reading();
    CHECK(pthread_sigmask(SIG_SETMASK, nullptr, &after) == 0);
    for (int number = 1; number < NSIG; number++)
        CHECK(sigismember(&before, number) == sigismember(&after, number));
}
