// SPDX-License-Identifier: BSD-3-Clause
// Requests on memory of MPI_Alloc_mem, which the other ranks of the node can see, or on other
// memory, and what must come. MPIX_TEST_FILE_LIMIT=BYTES or BYTES:RANK takes away the memory that
// can be shared, after the host has begun.
#pragma once

#include <sys/resource.h>

#include <cstdlib>
#include <memory>

#include "common/check.hpp"

namespace mpitest {

using Byte = unsigned char;

enum class Kind { bcast, allreduce, reduce, allgather, alltoall, gather, scatter };
inline constexpr Kind kinds[] = {Kind::bcast,    Kind::allreduce, Kind::reduce, Kind::allgather,
                                 Kind::alltoall, Kind::gather,    Kind::scatter};
inline constexpr const char* names[] = {"bcast",    "allreduce", "reduce", "allgather",
                                        "alltoall", "gather",    "scatter"};

enum class Where { heap, shared, middle };

inline void limit_files() {
    const char* text = std::getenv("MPIX_TEST_FILE_LIMIT");
    if (!text) return;
    const char* const rank = std::strchr(text, ':');
    if (rank && std::atoi(rank + 1) != rank_of()) return;
    rlimit limit{};
    getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = static_cast<rlim_t>(std::atol(text));
    setrlimit(RLIMIT_FSIZE, &limit);
}

class Memory {
  public:
    Memory(std::size_t bytes, Where where) : heap_(where == Where::heap ? bytes : 0) {
        static const bool is_limited = (limit_files(), true);
        CHECK(is_limited);
        if (where == Where::heap) return;
        const auto size = static_cast<MPI_Aint>(bytes + before + 1);
        CHECK_MPI(MPI_Alloc_mem(size, MPI_INFO_NULL, &base_));
        at_ = static_cast<Byte*>(base_) + (where == Where::middle ? before : 0);
    }
    ~Memory() {
        if (base_) CHECK_MPI(MPI_Free_mem(base_));
    }
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;
    Byte* data() { return at_ ? at_ : heap_.data(); }

  private:
    static constexpr std::size_t before = 101; // on purpose not aligned
    std::vector<Byte> heap_;
    void* base_ = nullptr;
    Byte* at_ = nullptr;
};

// What a rank sends to another: `bytes` from here on.
inline const Byte* data_of(int from, int to, int round) {
    static const std::vector<Byte> noise = [] {
        std::vector<Byte> made((1u << 20) + 65'536);
        for (std::uint32_t i = 0; i < made.size(); i++) made[i] = static_cast<Byte>(mix(i, 1));
        return made;
    }();
    const std::uint32_t place = static_cast<std::uint32_t>(from * 31 + to);
    return noise.data() + mix(place, static_cast<std::uint32_t>(round)) % 65'536;
}

// A request, its memory, and what must come.
class Use {
  public:
    Use(Kind kind, int bytes, Where where, MPI_Info info = MPI_INFO_NULL, int root = 0)
        : kind_(kind), bytes_(bytes), root_(root), send_(std::make_unique<Memory>(room(), where)),
          recv_(std::make_unique<Memory>(room(), where)) {
        CHECK_MPI(init(info));
    }
    ~Use() { free_request(request); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    void write(int round) {
        round_ = round;
        std::memset(recv_->data(), 0xee, room());
        for (int to = 0; to < ranks_; to++)
            put((kind_ == Kind::bcast ? recv_ : send_)->data(), to,
                data_of(me_, addressee(to), round));
        if (kind_ == Kind::bcast && me_ != root_) std::memset(recv_->data(), 0xee, room());
    }
    void start() { CHECK_MPI(MPI_Start(&request)); }
    void end() {
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        INFO(names[static_cast<int>(kind_)] << " of " << bytes_ << " bytes, round " << round_);
        CHECK(is_right());
    }
    void run(int round) {
        write(round);
        start();
        end();
    }

    // Other memory, each kind on its own; what was there before is gone.
    void rebind(Where send, Where recv) {
        auto from = std::make_unique<Memory>(room(), send);
        auto into = std::make_unique<Memory>(room(), recv);
        CHECK_MPI(MPIX_Request_rebind(request, from->data(), into->data()));
        send_ = std::move(from);
        recv_ = std::move(into);
    }

    MPI_Request request = MPI_REQUEST_NULL;

  private:
    bool has_blocks() const { return kind_ != Kind::bcast && !reduces(); }
    bool reduces() const { return kind_ == Kind::allreduce || kind_ == Kind::reduce; }
    std::size_t size() const { return static_cast<std::size_t>(bytes_); }
    std::size_t room() const {
        return size() * static_cast<std::size_t>(has_blocks() ? ranks_ : 1);
    }
    // Whom data are for: only blocks that are scattered differ.
    int addressee(int to) const {
        return kind_ == Kind::alltoall || kind_ == Kind::scatter ? to : 0;
    }
    void put(Byte* to, int block, const Byte* data) const {
        if (!has_blocks() && block > 0) return;
        std::memcpy(to + static_cast<std::size_t>(block) * size(), data, size());
    }

    int init(MPI_Info info) {
        Byte *in = send_->data(), *out = recv_->data();
        const MPI_Comm comm = MPI_COMM_WORLD;
        const MPI_Datatype type = MPI_UNSIGNED_CHAR;
        const int n = bytes_;
        switch (kind_) {
        case Kind::bcast: return MPI_Bcast_init(out, n, type, root_, comm, info, &request);
        case Kind::allreduce:
            return MPI_Allreduce_init(in, out, n, type, MPI_BXOR, comm, info, &request);
        case Kind::reduce:
            return MPI_Reduce_init(in, out, n, type, MPI_BXOR, root_, comm, info, &request);
        case Kind::allgather:
            return MPI_Allgather_init(in, n, type, out, n, type, comm, info, &request);
        case Kind::alltoall:
            return MPI_Alltoall_init(in, n, type, out, n, type, comm, info, &request);
        case Kind::gather:
            return MPI_Gather_init(in, n, type, out, n, type, root_, comm, info, &request);
        case Kind::scatter:
            return MPI_Scatter_init(in, n, type, out, n, type, root_, comm, info, &request);
        }
        return MPI_ERR_OTHER;
    }

    bool is_right() {
        const bool only_root = kind_ == Kind::reduce || kind_ == Kind::gather;
        if (only_root && me_ != root_) return true;
        if (reduces()) {
            std::vector<Byte> expected(size(), 0);
            for (int r = 0; r < ranks_; r++)
                for (std::size_t i = 0; i < size(); i++) expected[i] ^= data_of(r, 0, round_)[i];
            return std::memcmp(expected.data(), recv_->data(), size()) == 0;
        }
        const bool from_root = kind_ == Kind::bcast || kind_ == Kind::scatter;
        for (int r = 0; r < (from_root ? 1 : ranks_); r++) {
            const Byte* const data = data_of(from_root ? root_ : r, addressee(me_), round_);
            if (std::memcmp(data, recv_->data() + static_cast<std::size_t>(r) * size(), size()) !=
                0)
                return false;
        }
        return true;
    }

    const Kind kind_;
    const int bytes_, root_, me_ = rank_of(), ranks_ = size_of();
    std::unique_ptr<Memory> send_, recv_;
    int round_ = 0;
};

} // namespace mpitest
