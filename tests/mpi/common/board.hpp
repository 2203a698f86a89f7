// SPDX-License-Identifier: BSD-3-Clause
// Numbers that all ranks of a node see and raise without a call of MPI.
#pragma once

#include <algorithm>
#include <atomic>

#include "common/check.hpp"

namespace mpitest {

class Board {
  public:
    explicit Board(int numbers = 1) {
        const MPI_Aint all = numbers * MPI_Aint{sizeof(int)}, mine = rank_of() == 0 ? all : 0;
        void* base = nullptr;
        MPI_Aint size = 0;
        int unit = 0;
        MPI_Win_allocate_shared(mine, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window_);
        MPI_Win_shared_query(window_, 0, &size, &unit, &base);
        numbers_ = static_cast<int*>(base);
        if (rank_of() == 0) std::fill_n(numbers_, numbers, 0);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    Board(const Board&) = delete;
    Board& operator=(const Board&) = delete;
    ~Board() { MPI_Win_free(&window_); }

    void raise(int which = 0) { std::atomic_ref(numbers_[which])++; }
    int number(int which = 0) const { return std::atomic_ref(numbers_[which]).load(); }

  private:
    MPI_Win window_ = MPI_WIN_NULL;
    int* numbers_ = nullptr;
};

} // namespace mpitest
