// SPDX-License-Identifier: BSD-3-Clause
// Counts and offsets beyond 2 GiB, of few bytes: datatypes of nothing, buffers that are mostly
// holes. Memory that nobody touches is never there.
#include "partitioned/pairs.hpp"

#include <sys/mman.h>

using namespace mpitest;

namespace {

constexpr MPI_Aint gibibyte = MPI_Aint{1} << 30;

// Addresses without memory.
class Space {
  public:
    explicit Space(MPI_Aint bytes) : bytes_(static_cast<std::size_t>(bytes)) {
        void* const made = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        CHECK(made != MAP_FAILED);
        if (made != MAP_FAILED) base_ = static_cast<char*>(made);
    }
    Space(const Space&) = delete;
    Space& operator=(const Space&) = delete;
    ~Space() {
        if (base_) munmap(base_, bytes_);
    }
    bool is_there() const { return base_ != nullptr; }
    void* data() { return base_; }
    int& at(MPI_Aint offset) { return *reinterpret_cast<int*>(base_ + offset); }

  private:
    const std::size_t bytes_;
    char* base_ = nullptr;
};

// One int every so many bytes.
struct Sparse {
    int parts, count;
    MPI_Aint every;

    int ints() const { return parts * count; }
};

class Pair {
  public:
    Pair(const Sparse& send, const Sparse& recv)
        : send_(send), recv_(recv), from_(send.ints() * send.every), to_(recv.ints() * recv.every) {
        const Type of_send = resized(MPI_INT, 0, send.every),
                   of_recv = resized(MPI_INT, 0, recv.every);
        if (!is_there()) return;
        CHECK_MPI(MPI_Psend_init(from_.data(), send.parts, send.count, of_send, ring_.next, 0,
                                 MPI_COMM_WORLD, MPI_INFO_NULL, &requests_[0]));
        CHECK_MPI(MPI_Precv_init(to_.data(), recv.parts, recv.count, of_recv, ring_.previous, 0,
                                 MPI_COMM_WORLD, MPI_INFO_NULL, &requests_[1]));
    }
    Pair(const Pair&) = delete;
    Pair& operator=(const Pair&) = delete;
    ~Pair() {
        for (MPI_Request& request : requests_)
            if (request != MPI_REQUEST_NULL) free_request(request);
    }
    bool is_there() const { return from_.is_there() && to_.is_there(); }

    void run(int round) {
        CHECK_MPI(MPI_Startall(2, requests_));
        for (int part = send_.parts - 1; part >= 0; part--) {
            for (int i = part * send_.count; i < (part + 1) * send_.count; i++)
                from_.at(i * send_.every) = value(ring_.me, round, i);
            CHECK_MPI(MPI_Pready(part, requests_[0]));
        }
        CHECK_MPI(MPI_Waitall(2, requests_, MPI_STATUSES_IGNORE));
        for (int i = 0; i < recv_.ints(); i++) {
            CHECK(to_.at(i * recv_.every) == value(ring_.previous, round, i));
            if (recv_.every > 4) CHECK(to_.at(i * recv_.every + 4) == 0);
        }
    }

  private:
    static int value(int rank, int round, int i) {
        return value_at(rank, round, static_cast<std::size_t>(i));
    }

    const Ring ring_;
    const Sparse send_, recv_;
    Space from_, to_;
    MPI_Request requests_[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
};

void check_sparse(const Sparse& send, const Sparse& recv) {
    INFO(send.parts << " of " << send.count << " every " << send.every << " to " << recv.parts
                    << " of " << recv.count << " every " << recv.every);
    Pair pair(send, recv);
    int is_there = pair.is_there(), is_everywhere = 0;
    MPI_Allreduce(&is_there, &is_everywhere, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    for (int round = 0; is_everywhere && round < 3; round++) pair.run(round);
}

void check_counts(int send_parts, MPI_Count send_count, int recv_parts, MPI_Count recv_count,
                  MPI_Datatype type) {
    const Ring ring;
    MPI_Request pair[2];
    int memory = 9;
    CHECK_MPI(MPI_Psend_init(&memory, send_parts, send_count, type, ring.next, 1, MPI_COMM_WORLD,
                             MPI_INFO_NULL, &pair[0]));
    CHECK_MPI(MPI_Precv_init(&memory, recv_parts, recv_count, type, ring.previous, 1,
                             MPI_COMM_WORLD, MPI_INFO_NULL, &pair[1]));
    for (int round = 0; round < 3; round++) {
        CHECK_MPI(MPI_Startall(2, pair));
        for (int part = 0; part < send_parts; part++) CHECK_MPI(MPI_Pready(part, pair[0]));
        CHECK_MPI(MPI_Waitall(2, pair, MPI_STATUSES_IGNORE));
    }
    CHECK(memory == 9);
    for (MPI_Request& request : pair) free_request(request);
}

} // namespace

TEST_CASE("partitions that begin beyond 2 GiB and 4 GiB") {
    check_sparse({6, 1, gibibyte}, {3, 2, gibibyte});
    check_sparse({3, 2, gibibyte}, {6, 1, 4});
    check_sparse({6, 1, 4}, {2, 3, gibibyte});
    check_sparse({1, 5, gibibyte}, {5, 1, gibibyte});
    check_sparse({4, 1, 3 * gibibyte}, {1, 4, 4});
}

TEST_CASE("more elements than an int counts, of nothing") {
    const Type nothing = vector_of(0, 1, 1);
    constexpr MPI_Count large = MPI_Count{1} << 31;
    check_counts(4, large, 2, large, nothing);
    check_counts(3, large / 2, 1'000, large * 1'000, nothing);
    check_counts(2, MPI_Count{1} << 60, 1, MPI_Count{1} << 61, nothing);
    check_counts(1, 0, 1, large, nothing);
}
