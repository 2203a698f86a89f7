// SPDX-License-Identifier: BSD-3-Clause
//
// The program's signals kept from what is not the program's. A thread begun meanwhile keeps them
// blocked.
#pragma once

#include <csignal>
#include <pthread.h>

namespace mpix::shmem {

// While it lives none is delivered to this thread.
class SignalsBlocked {
  public:
    SignalsBlocked() {
        sigset_t all;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~SignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

  private:
    sigset_t before_;
};

} // namespace mpix::shmem
