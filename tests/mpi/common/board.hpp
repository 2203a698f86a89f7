// SPDX-License-Identifier: BSD-3-Clause
// Numbers that all ranks of a node see and raise without a call of MPI. No window: to MPICH 5 as
// Debian builds it no two processes share memory.
#pragma once

#include <atomic>
#include <string>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "common/check.hpp"

namespace mpitest {

class Board {
  public:
    explicit Board(int numbers = 1) : bytes_(static_cast<std::size_t>(numbers) * sizeof(int)) {
        static int boards = 0;
        int maker[2] = {getpid(), boards++};
        MPI_Bcast(maker, 2, MPI_INT, 0, MPI_COMM_WORLD);
        const std::string name =
            "/mpix-test-" + std::to_string(maker[0]) + '-' + std::to_string(maker[1]);
        if (rank_of() == 0) map(name, O_CREAT | O_EXCL);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank_of() != 0) map(name, 0);
        int is_there = numbers_ != nullptr, is_everywhere = 0;
        MPI_Allreduce(&is_there, &is_everywhere, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        serves_all_ = is_everywhere != 0;
        if (rank_of() == 0) shm_unlink(name.c_str());
    }
    Board(const Board&) = delete;
    Board& operator=(const Board&) = delete;
    ~Board() {
        if (numbers_) munmap(numbers_, bytes_);
    }

    // Not where ranks are on several nodes.
    bool serves_all() const { return serves_all_; }

    void raise(int which = 0) { at(which)++; }
    void set(int which, int number) const { at(which) = number; }
    int number(int which = 0) const { return at(which).load(); }

  private:
    std::atomic_ref<int> at(int which) const { return std::atomic_ref(numbers_[which]); }

    void map(const std::string& name, int more) {
        const int file = shm_open(name.c_str(), O_RDWR | more, 0600);
        if (file < 0 || ftruncate(file, static_cast<off_t>(bytes_)) != 0) return;
        void* const mapped = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (mapped != MAP_FAILED) numbers_ = static_cast<int*>(mapped);
        close(file);
    }

    std::size_t bytes_;
    bool serves_all_ = false;
    int* numbers_ = nullptr;
};

} // namespace mpitest
