// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of a test that need a process of their own: another address space, other limits.
#pragma once

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstddef>
#include <string>
#include <type_traits>

namespace mpix::shmem::test {

// Values from one process to another, in order.
class Pipe {
  public:
    Pipe() {
        if (pipe(ends_) != 0) ends_[0] = ends_[1] = -1;
    }
    ~Pipe() {
        close(ends_[0]);
        close(ends_[1]);
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;

    template<class Value>
    bool put(const Value& value) {
        static_assert(std::is_trivially_copyable_v<Value>);
        return write(ends_[1], &value, sizeof value) == static_cast<ssize_t>(sizeof value);
    }
    template<class Value>
    Value take() {
        Value value{};
        const ssize_t got = read(ends_[0], &value, sizeof value);
        return got == static_cast<ssize_t>(sizeof value) ? value : Value{};
    }

  private:
    int ends_[2];
};

// A process that runs a function which returns what is wrong, "" if nothing is.
class Child {
  public:
    template<class Function>
    explicit Child(Function function) : process_(fork()) {
        if (process_ != 0) return;
        alarm(60);
        const std::string wrong = function();
        [[maybe_unused]] const ssize_t put = write(2, wrong.data(), wrong.size());
        _exit(wrong.empty() ? 0 : 1);
    }
    ~Child() {
        if (process_ > 0) end();
    }
    Child(const Child&) = delete;
    Child& operator=(const Child&) = delete;

    pid_t process() const { return process_; }

    void stop() const {
        if (process_ > 0) kill(process_, SIGKILL);
    }

    // Waits for its end and says how it was.
    std::string end() {
        int status = 0;
        if (waitpid(process_, &status, 0) < 0) return "no child";
        process_ = -1;
        if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
        return WEXITSTATUS(status) == 0 ? "" : "something is wrong";
    }

  private:
    pid_t process_;
};

template<class Function>
std::string in_child(Function function) {
    return Child(function).end();
}

// What is wrong when this does not hold.
inline std::string unless(bool holds, const std::string& wrong) {
    return holds ? "" : wrong + "\n";
}

inline bool limit(__rlimit_resource resource, std::size_t value) {
    rlimit limits{};
    if (getrlimit(resource, &limits) != 0) return false;
    limits.rlim_cur = value;
    return setrlimit(resource, &limits) == 0;
}

// A sanitizer needs more address space than a machine has memory.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool is_sanitized = true;
#else
inline constexpr bool is_sanitized = false;
#endif

} // namespace mpix::shmem::test
