// SPDX-License-Identifier: BSD-3-Clause
//
// The segments of the other processes of this node, and the memory of these processes beyond them.
#pragma once

#include "shmem/segment.hpp"

#include <memory>

namespace mpix::shmem {

class Peer {
  public:
    // Throws nothing: is_there() tells.
    explicit Peer(const Ticket& ticket);
    ~Peer();
    Peer(const Peer&) = delete;
    Peer& operator=(const Peer&) = delete;

    bool is_there() const { return base_ != nullptr; }
    std::byte* at(std::uint64_t offset) const { return base_ + offset; }
    const Ticket& ticket() const { return ticket_; }
    // Whether the kernel lets this process read the memory of that one.
    bool is_readable() const;

  private:
    Ticket ticket_;
    std::byte* base_ = nullptr;
};

// Copies from another process's memory (process_vm_readv). False if the kernel refuses.
bool read_memory(std::int64_t process, std::uint64_t address, void* to, std::size_t bytes);

// The peer with this ticket, mapped until its process has ended; null if it cannot be.
std::shared_ptr<const Peer> find_peer(const Ticket& ticket);

} // namespace mpix::shmem
