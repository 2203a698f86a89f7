// SPDX-License-Identifier: BSD-3-Clause
// A signal from one rank to another that no MPI library has a part in: a file. Who waits for it
// makes no progress in MPI, and takes it away: ranks that have no part in it may be gone before or
// after.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <thread>

#include "common/check.hpp"

namespace mpitest {

class Signal {
  public:
    // Collective over the world.
    Signal() {
        static int times = 0;
        int number = static_cast<int>(getpid());
        MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
        name_ = "/dev/shm/mpix_test_" + std::to_string(number) + "_" + std::to_string(times++);
    }
    Signal(const Signal&) = delete;
    Signal& operator=(const Signal&) = delete;

    void give() const {
        std::FILE* const file = std::fopen(name_.c_str(), "w");
        CHECK(file != nullptr);
        if (file) std::fclose(file);
    }
    // False if it does not come.
    bool await(int seconds = 20) const {
        const auto begin = std::chrono::steady_clock::now();
        while (access(name_.c_str(), F_OK) != 0) {
            if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(seconds))
                return false;
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        unlink(name_.c_str());
        return true;
    }

  private:
    std::string name_;
};

} // namespace mpitest
