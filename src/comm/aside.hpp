// SPDX-License-Identifier: BSD-3-Clause
//
// What has lost its last user where it may not go: in a callback of the host, which may hold locks
// of its own there, for the host may not be called and the guard not taken. It goes the next time
// that a communicator is made or freed, or at the end of MPI.
#pragma once

namespace mpix::comm {

class Aside {
  public:
    Aside() = default;
    virtual ~Aside() = default;
    Aside(const Aside&) = delete;
    Aside& operator=(const Aside&) = delete;

    // Any thread. Takes no memory.
    static void put(Aside* unused) noexcept;
    static void free_all();

  private:
    Aside* next_ = nullptr;
};

} // namespace mpix::comm
