// SPDX-License-Identifier: BSD-3-Clause
//
// A private communicator over which processes reach each other without waiting for anyone: calls
// that the standard calls local may neither make one nor use the program's. One is made in MPI_Init
// for all processes of the world, and one for each communicator that comes from a session.
#pragma once

#include "comm/aside.hpp"
#include "host/host.hpp"

#include <atomic>
#include <cstdint>
#include <memory>

namespace mpix::comm {

class ControlCommunicator : public Aside {
  public:
    // Among the members of a communicator on which nothing hangs yet, of both groups if it has two.
    // Collective; plans move meanwhile. Null where the host refuses, which it tells the handler of
    // MPI_COMM_WORLD alone.
    static std::shared_ptr<ControlCommunicator> over(MPI_Comm comm);

    ControlCommunicator(MPI_Comm made, std::uint64_t number);
    ~ControlCommunicator() override { free(); }

    MPI_Comm comm() const { return comm_; }
    // 0 for the world's, and a random one that all its processes know for any other.
    std::uint64_t number() const { return number_; }

    // MPI_UNDEFINED if that process is not here.
    int rank_of(MPI_Group group, int rank) const;

    // Whether all of its processes are here.
    bool has(MPI_Group group) const;

    // A number that no process gets here a second time, nor any other. Not 0.
    std::uint64_t draw();

    // Before the host ends. From then on comm() is null.
    void free();

  private:
    MPI_Comm comm_;
    MPI_Group group_ = MPI_GROUP_NULL;
    const std::uint64_t number_;
    std::atomic<std::uint64_t> draws_{0}; // orders nothing
};

} // namespace mpix::comm
