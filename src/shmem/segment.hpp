// SPDX-License-Identifier: BSD-3-Clause
//
// The memory of this process that the other processes of its node can map: slots that messages
// travel in, and what the program asks of MPI_Alloc_mem. It is a memfd, so nothing of it is left
// when its processes are gone, and the size of /dev/shm does not matter. Only its owner allocates
// in it.
#pragma once

#include "shmem/pages.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>

namespace mpix::shmem {

inline constexpr std::size_t cache_line = 64;
inline constexpr int few_sharers = 8;

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

// A number that two machines do not share.
std::uint64_t machine();

// What another process needs to find and to recognise a segment.
struct Ticket {
    std::int64_t process = 0;
    std::int64_t processes = 0; // the name space that `process` is a number of
    std::uint64_t machine = 0;
    std::uint64_t nonce = 0;
    std::uint64_t nonce_address = 0; // in the process: to try whether its memory can be read
    std::uint64_t reserved = 0;      // bytes of address space; 0: there is no segment
    std::int32_t file = -1;

    friend bool operator==(const Ticket&, const Ticket&) = default;
};

// Whom a piece of memory is for: what a program may free is never the library's.
enum class Holder : bool { library, program };

class Segment {
  public:
    // `sharers` processes map the segments of each other: the more there are, the less each takes
    // of the memory, and of addresses where they are limited.
    explicit Segment(int sharers = few_sharers);
    ~Segment();
    Segment(const Segment&) = delete;
    Segment& operator=(const Segment&) = delete;

    bool is_there() const { return base_ != nullptr; }
    std::string complaint() const; // why it is not there, or has not grown
    const Ticket& ticket() const { return ticket_; }
    std::byte* memory() const { return base_; }
    std::size_t size() const; // of the memory behind it, so far. Any thread

    // Memory on cache lines of its own; null if there is no room. Any thread. The alignment is that
    // of a page at most.
    std::byte* allocate(std::size_t bytes, std::size_t alignment = cache_line,
                        Holder holder = Holder::library);
    // False, and nothing happens, if this is not the beginning of a piece that the holder has.
    bool free(std::byte* memory, Holder holder = Holder::library) noexcept;
    // Of a part of a piece nothing is needed any more, until the piece is freed.
    void give_back(const std::byte* memory, std::size_t bytes) noexcept;

    bool contains(const void* memory) const {
        const auto* at = static_cast<const std::byte*>(memory);
        return base_ && at >= base_ && at < base_ + ticket_.reserved;
    }
    std::uint64_t offset(const void* memory) const {
        return static_cast<std::uint64_t>(static_cast<const std::byte*>(memory) - base_);
    }

  private:
    struct Piece {
        std::size_t bytes;
        Holder holder; // of a hole: it means nothing
    };
    using Pieces = std::map<std::size_t, Piece>; // by offset

    bool grow(std::size_t bytes);
    bool grow_to(std::size_t wanted);
    void complain(int code, std::size_t wanted);
    void add_hole(Pieces::node_type hole) noexcept;
    Pieces::iterator cut(Pieces::iterator hole, std::size_t at);

    std::byte* base_ = nullptr;
    Ticket ticket_;
    std::string complaint_;
    mutable std::mutex mutex_;
    Pages pages_;
    std::size_t size_ = 0; // of the file
    Pieces holes_, taken_;
};

// How many processes there are that may map each other's segments. Said before there is one.
void set_sharers(int processes);
int sharers(); // a few, until it is said

// The one of this process, made at the first call.
Segment& segment();

// These do not make it.
std::size_t segment_size();
bool is_in_segment(const void* memory);

} // namespace mpix::shmem
