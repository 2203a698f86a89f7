// SPDX-License-Identifier: BSD-3-Clause
// A number that all ranks of a node see and raise without a call of MPI.
#pragma once

#include <atomic>

#include "check.hpp"

namespace mpitest {

class Board {
  public:
    Board() {
        const MPI_Aint mine = rank_of() == 0 ? sizeof(int) : 0;
        void* base = nullptr;
        MPI_Aint size = 0;
        int unit = 0;
        MPI_Win_allocate_shared(mine, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window_);
        MPI_Win_shared_query(window_, 0, &size, &unit, &base);
        number_ = static_cast<int*>(base);
        if (rank_of() == 0) *number_ = 0;
        MPI_Barrier(MPI_COMM_WORLD);
    }
    Board(const Board&) = delete;
    Board& operator=(const Board&) = delete;
    ~Board() { MPI_Win_free(&window_); }

    void raise() { std::atomic_ref(*number_)++; }
    int number() const { return std::atomic_ref(*number_).load(); }

  private:
    MPI_Win window_ = MPI_WIN_NULL;
    int* number_ = nullptr;
};

} // namespace mpitest
