// SPDX-License-Identifier: BSD-3-Clause
//
// A segment is opened through its owner's table of files, and recognised by its first bytes.
#include "node/peer.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <mutex>

namespace mpix::node {

Peer::Peer(const Ticket& ticket) : ticket_(ticket) {
    if (ticket == segment().ticket()) { // this process itself
        base_ = segment().is_there() ? segment().memory() : nullptr;
        return;
    }
    const std::string path =
        "/proc/" + std::to_string(ticket.process) + "/fd/" + std::to_string(ticket.file);
    const int file = open(path.c_str(), O_RDWR | O_CLOEXEC);
    if (file < 0) return;
    struct stat found {};
    const bool is_segment =
        fstat(file, &found) == 0 && found.st_size >= static_cast<off_t>(sizeof ticket.nonce);
    void* at = is_segment ? mmap(nullptr, ticket.reserved, PROT_READ | PROT_WRITE,
                                 MAP_SHARED | MAP_NORESERVE, file, 0)
                          : MAP_FAILED;
    ::close(file);
    if (at == MAP_FAILED) return;
    madvise(at, ticket.reserved, MADV_DONTDUMP); // its owner's core dump has it
    base_ = static_cast<std::byte*>(at);
    if (std::memcmp(base_, &ticket.nonce, sizeof ticket.nonce) != 0) {
        munmap(at, ticket.reserved);
        base_ = nullptr;
    }
}

Peer::~Peer() {
    if (base_ && ticket_ != segment().ticket()) munmap(base_, ticket_.reserved);
}

bool Peer::is_readable() const {
    std::uint64_t nonce = 0;
    return read_memory(ticket_.process, ticket_.nonce_address, &nonce, sizeof nonce) &&
           nonce == ticket_.nonce;
}

bool read_memory(std::int64_t process, std::uint64_t address, void* to, std::size_t bytes) {
    auto* into = static_cast<std::byte*>(to);
    while (bytes > 0) {
        const iovec local{into, bytes};
        const iovec remote{reinterpret_cast<void*>(address), bytes}; // NOLINT: of another process
        const ssize_t got = process_vm_readv(static_cast<pid_t>(process), &local, 1, &remote, 1, 0);
        if (got <= 0) return false;
        into += got;
        address += static_cast<std::uint64_t>(got);
        bytes -= static_cast<std::size_t>(got);
    }
    return true;
}

// The memory of a process that has ended is kept by those who map it.
std::shared_ptr<const Peer> find_peer(const Ticket& ticket) {
    static std::mutex mutex;
    static auto& known = *new std::map<std::uint64_t, std::weak_ptr<const Peer>>; // by nonce
    const std::lock_guard lock(mutex);
    std::erase_if(known, [](const auto& entry) { return entry.second.expired(); });
    std::shared_ptr<const Peer> found = known[ticket.nonce].lock();
    if (found && found->ticket() == ticket) return found;
    found = std::make_shared<const Peer>(ticket);
    if (!found->is_there()) return nullptr;
    known[ticket.nonce] = found;
    return found;
}

} // namespace mpix::node
