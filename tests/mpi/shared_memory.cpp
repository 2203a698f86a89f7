// SPDX-License-Identifier: BSD-3-Clause
// Collectives on memory of MPI_Alloc_mem, which the other ranks of the node can see, and on other
// memory, in any mixture: all must be as if there were no shared memory. Sources run far ahead of
// slow sinks, and messages go on while a rank waits for others. MPIX_TEST_FILE_LIMIT=BYTES or
// BYTES:RANK takes away the memory that can be shared, after the host has begun.
#include <malloc.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <memory>

#include "check.hpp"

using namespace mpitest;

namespace {

using Byte = unsigned char;

enum class Kind { bcast, allreduce, reduce, allgather, alltoall, gather, scatter };
constexpr Kind kinds[] = {Kind::bcast,    Kind::allreduce, Kind::reduce, Kind::allgather,
                          Kind::alltoall, Kind::gather,    Kind::scatter};
constexpr const char* names[] = {"bcast",    "allreduce", "reduce", "allgather",
                                 "alltoall", "gather",    "scatter"};

enum class Where { heap, shared, middle };

// On either side of every size at which messages take another way.
constexpr int sizes[] = {1,    8,    504,    505,    512,     513,     4096,    4097,
                         8192, 8193, 16'384, 16'385, 100'000, 131'071, 131'072, 1 << 20};

void limit_files() {
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
const Byte* data_of(int from, int to, int round) {
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
        : kind_(kind), bytes_(bytes), root_(root), send_(room(), where), recv_(room(), where) {
        CHECK_MPI(init(info));
    }
    ~Use() { free_request(request); }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

    void write(int round) {
        round_ = round;
        std::memset(recv_.data(), 0xee, room());
        for (int to = 0; to < ranks_; to++)
            put((kind_ == Kind::bcast ? recv_ : send_).data(), to,
                data_of(me_, addressee(to), round));
        if (kind_ == Kind::bcast && me_ != root_) std::memset(recv_.data(), 0xee, room());
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
        Byte *in = send_.data(), *out = recv_.data();
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
            return std::memcmp(expected.data(), recv_.data(), size()) == 0;
        }
        const bool from_root = kind_ == Kind::bcast || kind_ == Kind::scatter;
        for (int r = 0; r < (from_root ? 1 : ranks_); r++) {
            const Byte* const data = data_of(from_root ? root_ : r, addressee(me_), round_);
            if (std::memcmp(data, recv_.data() + static_cast<std::size_t>(r) * size(), size()) != 0)
                return false;
        }
        return true;
    }

    const Kind kind_;
    const int bytes_, root_, me_ = rank_of(), ranks_ = size_of();
    Memory send_, recv_;
    int round_ = 0;
};

// An info that only some ranks give.
class Hint {
  public:
    explicit Hint(bool is_given) {
        if (!is_given) return;
        MPI_Info_create(&info_);
        MPI_Info_set(info_, "mpix_transport", "host");
    }
    ~Hint() {
        if (info_ != MPI_INFO_NULL) MPI_Info_free(&info_);
    }
    Hint(const Hint&) = delete;
    Hint& operator=(const Hint&) = delete;
    operator MPI_Info() const { return info_; }

  private:
    MPI_Info info_ = MPI_INFO_NULL;
};

// An info that asks for an alignment.
class Alignment {
  public:
    explicit Alignment(int bytes) {
        MPI_Info_create(&info_);
        MPI_Info_set(info_, "mpi_minimum_memory_alignment", std::to_string(bytes).c_str());
    }
    ~Alignment() { MPI_Info_free(&info_); }
    Alignment(const Alignment&) = delete;
    Alignment& operator=(const Alignment&) = delete;
    operator MPI_Info() const { return info_; }

  private:
    MPI_Info info_ = MPI_INFO_NULL;
};

void token(int from, int to) {
    if (rank_of() == from) MPI_Send(nullptr, 0, MPI_BYTE, to, 5, MPI_COMM_WORLD);
    if (rank_of() == to) MPI_Recv(nullptr, 0, MPI_BYTE, from, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

} // namespace

TEST_CASE("memory of any kind serves as a buffer, also another on each rank") {
    const int me = rank_of();
    const Where mixtures[] = {Where::shared, Where::middle, me == 0 ? Where::heap : Where::middle,
                              me % 2 == 0 ? Where::shared : Where::heap};
    for (const int bytes : sizes)
        for (const Where where : mixtures)
            for (const Kind kind : kinds) {
                Use use(kind, bytes, where, MPI_INFO_NULL, size_of() - 1);
                for (int round = 0; round < 2; round++) use.run(round);
            }
}

TEST_CASE("requests outlive the memory that others use in between") {
    for (const int bytes : {8, 6000, 20'000, 200'000}) {
        Use lasting(Kind::allreduce, bytes, Where::shared);
        Use other(Kind::bcast, bytes, Where::middle);
        for (int round = 0; round < 6; round++) {
            Use passing(kinds[round % 7], bytes + round, Where::shared);
            lasting.write(round), other.write(round);
            lasting.start(), other.start();
            passing.run(round);
            other.end(), lasting.end();
            passing.run(round + 1);
        }
    }
}

// Where it is limited: elsewhere there is enough.
TEST_CASE("plans are made when the memory that is shared is used up") {
    std::vector<std::unique_ptr<Memory>> used;
    for (int i = 0; i < 200; i++)
        used.push_back(std::make_unique<Memory>(std::size_t{1} << 16, Where::shared));
    for (int i = 0; i < 200; i++)
        used[static_cast<std::size_t>(i)]->data()[i] = static_cast<Byte>(i);
    for (const int bytes : {8, 100'000}) {
        Use use(Kind::allreduce, bytes, Where::shared), heap(Kind::alltoall, bytes, Where::heap);
        for (int round = 0; round < 10; round++) use.run(round), heap.run(round);
    }
    for (int i = 0; i < 200; i++) CHECK(used[static_cast<std::size_t>(i)]->data()[i] == i);
}

// A freed block is given again to the next who wants as much; the request was never told.
TEST_CASE("memory that is freed and allocated at the same place serves the old request too") {
    constexpr int ints = 5000;
    const auto bytes = static_cast<MPI_Aint>(ints * sizeof(int));
    int* data = nullptr;
    CHECK_MPI(MPI_Alloc_mem(bytes, MPI_INFO_NULL, &data));
    MPI_Request old = MPI_REQUEST_NULL, young = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Bcast_init(data, ints, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &old));
    start_and_wait(old);
    const void* const place = data;
    CHECK_MPI(MPI_Free_mem(data));
    CHECK_MPI(MPI_Alloc_mem(bytes, MPI_INFO_NULL, &data));
    int same = data == place, all_same = 0;
    MPI_Allreduce(&same, &all_same, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    CHECK_MPI(MPI_Bcast_init(data, ints, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &young));
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < ints; i++) data[i] = rank_of() == 0 ? round + i : -1;
        start_and_wait(all_same && round % 2 ? old : young);
        CHECK((data[0] == round && data[ints - 1] == round + ints - 1));
    }
    free_request(old);
    free_request(young);
    CHECK_MPI(MPI_Free_mem(data));
}

// Where it is the library's: hosts before MPI 4 know nothing of it.
TEST_CASE("memory has the alignment that its info asks for") {
    const char* const transport = std::getenv("MPIX_TRANSPORT");
    if (transport && std::strcmp(transport, "host") == 0) return;
    for (const int wanted : {1, 64, 128, 4096}) {
        const Alignment info(wanted);
        std::vector<void*> all(20);
        for (std::size_t i = 0; i < all.size(); i++) {
            CHECK_MPI(MPI_Alloc_mem(static_cast<MPI_Aint>(1 + 300 * i), info, &all[i]));
            CHECK(reinterpret_cast<std::uintptr_t>(all[i]) % static_cast<std::uintptr_t>(wanted) ==
                  0);
            std::memset(all[i], static_cast<int>(i), 1 + 300 * i);
        }
        for (void* const memory : all) CHECK_MPI(MPI_Free_mem(memory));
    }
    const Alignment beyond(1 << 20); // up to the host
    void* memory = nullptr;
    if (MPI_Alloc_mem(100, beyond, &memory) == MPI_SUCCESS) CHECK_MPI(MPI_Free_mem(memory));
}

// It is touched nowhere, not even by malloc with MALLOC_PERTURB_: what is taken at once shows in
// the memory that all processes share.
TEST_CASE("a request for much of the machine's memory takes nothing of it yet") {
    struct sysinfo before {
    }, after{};
    if (rank_of() > 0 || sysinfo(&before) != 0) return;
    mallopt(M_PERTURB, 0);
    const std::uint64_t bytes = std::uint64_t{before.freeram} * before.mem_unit / 3;
    void* memory = nullptr;
    CHECK_MPI(MPI_Alloc_mem(static_cast<MPI_Aint>(bytes), MPI_INFO_NULL, &memory));
    CHECK(sysinfo(&after) == 0);
    CHECK((after.sharedram - std::min(after.sharedram, before.sharedram)) * after.mem_unit <
          bytes / 2);
    CHECK_MPI(MPI_Free_mem(memory));
}

TEST_CASE("large memory that was freed and is had again holds what is written and sent") {
    for (int round = 0; round < 4; round++) {
        const Memory one(std::size_t{3} << 20, Where::shared);
        Use use(kinds[round], 1 << 20, round % 2 ? Where::middle : Where::shared);
        Use small(Kind::allreduce, 5000, Where::shared);
        use.run(round), small.run(round);
        use.run(round + 1), small.run(round + 1);
    }
}

TEST_CASE("mpix_transport=host on all ranks, or on one, changes no result") {
    for (int who = -1; who < size_of(); who++) {
        const Hint hint(who < 0 || who == rank_of());
        for (const int bytes : {1, 6000, 150'000})
            for (const Kind kind : kinds) {
                Use use(kind, bytes, rank_of() % 2 ? Where::heap : Where::shared, hint);
                for (int round = 0; round < 2; round++) use.run(round);
            }
    }
}

TEST_CASE("a source is a thousand starts ahead of sinks that sleep, as far as there is room") {
    for (const Kind kind : {Kind::bcast, Kind::scatter, Kind::gather, Kind::reduce})
        for (const int bytes : {8, 600, 20'000}) {
            Use use(kind, bytes, Where::heap);
            const bool sinks_at_root = kind == Kind::gather || kind == Kind::reduce;
            const bool is_sink = (rank_of() == 0) == sinks_at_root;
            for (int round = 0; round < 1000; round++) {
                if (is_sink && round % 400 == 0) usleep(5000);
                use.run(round);
            }
        }
}

TEST_CASE("a source of short messages ends eight rounds before its sinks begin") {
    Use use(Kind::bcast, 8, Where::heap);
    for (int pass = 0; pass < 20; pass++) {
        if (rank_of() > 0) token(0, rank_of());
        for (int round = 0; round < 8; round++) use.run(round);
        if (rank_of() > 0) continue;
        for (int rank = 1; rank < size_of(); rank++) token(0, rank);
    }
}

TEST_CASE("the host's messages move while this rank waits for a plan, and the reverse") {
    const int me = rank_of();
    if (size_of() == 1) return;
    Use use(Kind::allreduce, 50'000, Where::heap);
    std::vector<Byte> large(1 << 22, static_cast<Byte>(me));
    for (int round = 0; round < 10; round++) {
        const int first = round % 2, second = 1 - first; // the first is in our Wait
        MPI_Request message = MPI_REQUEST_NULL;
        if (me == first)
            MPI_Isend(large.data(), 1 << 22, MPI_BYTE, second, 6, MPI_COMM_WORLD, &message);
        use.write(round);
        if (me == second) {
            MPI_Recv(large.data(), 1 << 22, MPI_BYTE, first, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            CHECK(large.back() == first);
            std::fill(large.begin(), large.end(), static_cast<Byte>(me));
        }
        use.start();
        use.end();
        MPI_Wait(&message, MPI_STATUS_IGNORE);
        // The plan goes on in a rank that is in the host's Recv: the other tells it only at the
        // end.
        use.write(round + 100);
        use.start();
        if (me != first) use.end();
        token(second, first);
        if (me == first) use.end();
    }
}

TEST_CASE("a rank is killed while plans live", "[.killed]") {
    Use use(Kind::allreduce, 20'000, Where::shared), large(Kind::bcast, 200'000, Where::shared);
    for (int round = 0; round < 5; round++) use.run(round), large.run(round);
    use.write(6);
    use.start();
    if (rank_of() == size_of() - 1) std::raise(SIGKILL);
    use.end();
    pause();
}
