// SPDX-License-Identifier: BSD-3-Clause
//
// The ranks of the run and how they agree between batches. Everything here waits by Test and yield,
// so that ranks which outnumber the cores leave them to each other; what it takes is in no time
// that is told.
#pragma once

#include "bench/common/host_library.hpp"

#include <span>

namespace mpix::bench {

class Ranks {
  public:
    explicit Ranks(const HostLibrary& host);
    ~Ranks();
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    int rank() const { return rank_; }
    int size() const { return size_; }
    MPI_Comm comm() const { return comm_; }
    // The same ranks as a periodic one-dimensional grid.
    MPI_Comm ring() const { return ring_; }
    MPI_Comm stencil() const { return stencil_; }

    void barrier() const;
    // A barrier whose waiting leaves the cores to others, for some milliseconds too long.
    void rest() const;
    // Each element becomes its maximum over the ranks.
    void maximum(std::span<double> values) const;
    double maximum(double value) const;
    bool everywhere(bool condition) const { return maximum(condition ? 0.0 : 1.0) == 0.0; }

  private:
    void finish(MPI_Request request) const;

    decltype(MPI_Ibarrier)* ibarrier_;
    decltype(MPI_Iallreduce)* iallreduce_;
    decltype(MPI_Test)* test_;
    MPI_Comm comm_ = MPI_COMM_NULL;
    MPI_Comm ring_ = MPI_COMM_NULL;
    MPI_Comm stencil_ = MPI_COMM_NULL;
    int rank_ = 0;
    int size_ = 1;
};

} // namespace mpix::bench
