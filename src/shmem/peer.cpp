// SPDX-License-Identifier: BSD-3-Clause
//
// A segment is opened through its owner's table of files, and recognised by its first bytes.
#include "shmem/peer.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cstring>
#include <map>
#include <mutex>
#include <set>

namespace mpix::shmem {

namespace {

// There is none when the process has ended.
std::string file_of(const Ticket& ticket) {
    return "/proc/" + std::to_string(ticket.process) + "/fd/" + std::to_string(ticket.file);
}

} // namespace

Peer::Peer(const Ticket& ticket) : ticket_(ticket) {
    if (ticket == segment().ticket()) { // this process itself
        base_ = segment().is_there() ? segment().memory() : nullptr;
        return;
    }
    const int file = open(file_of(ticket).c_str(), O_RDWR | O_CLOEXEC);
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

namespace {

// To map a peer again is dear, and so is to ask the kernel again: who was found stays, unless its
// process has ended and nobody uses its memory.
class Known {
  public:
    std::shared_ptr<const Peer> find(const Ticket& ticket);
    bool is_readable(const Ticket& ticket);

  private:
    void forget_unused(bool only_ended);

    std::mutex mutex_;
    std::map<std::uint64_t, std::shared_ptr<const Peer>> peers_; // by nonce
    std::set<std::uint64_t> readable_;                           // nonces of these
};

Known& known() {
    static Known& the_known = *new Known; // never destroyed
    return the_known;
}

std::shared_ptr<const Peer> Known::find(const Ticket& ticket) {
    const std::lock_guard lock(mutex_);
    if (const auto found = peers_.find(ticket.nonce);
        found != peers_.end() && found->second->ticket() == ticket)
        return found->second;
    forget_unused(true);
    auto made = std::make_shared<const Peer>(ticket);
    if (!made->is_there()) { // there may be no more addresses
        forget_unused(false);
        made = std::make_shared<const Peer>(ticket);
    }
    if (!made->is_there()) return nullptr;
    return peers_[ticket.nonce] = std::move(made);
}

void Known::forget_unused(bool only_ended) {
    std::erase_if(peers_, [&](const auto& entry) {
        const auto& [nonce, peer] = entry;
        const bool is_kept = peer.use_count() > 1 ||
                             (only_ended && access(file_of(peer->ticket()).c_str(), F_OK) == 0);
        if (!is_kept) readable_.erase(nonce);
        return !is_kept;
    });
}

bool Known::is_readable(const Ticket& ticket) {
    const std::lock_guard lock(mutex_);
    if (readable_.contains(ticket.nonce)) return true;
    std::uint64_t nonce = 0;
    const bool is_readable =
        read_memory(ticket.process, ticket.nonce_address, &nonce, sizeof nonce) &&
        nonce == ticket.nonce;
    if (is_readable && peers_.contains(nonce)) readable_.insert(nonce);
    return is_readable;
}

} // namespace

bool Peer::is_readable() const { return known().is_readable(ticket_); }

std::shared_ptr<const Peer> find_peer(const Ticket& ticket) { return known().find(ticket); }

} // namespace mpix::shmem
