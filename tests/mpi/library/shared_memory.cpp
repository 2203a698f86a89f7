// SPDX-License-Identifier: BSD-3-Clause
// Collectives on memory of MPI_Alloc_mem and on other memory, in any mixture: all must be as if
// there were no shared memory.
#include <malloc.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <cinttypes>
#include <csignal>
#include <cstdio>
#include <fstream>
#include <memory>

#include "library/shared_memory.hpp"

using namespace mpitest;

namespace {

// On either side of every size at which messages take another way.
constexpr int sizes[] = {1,    8,    504,    505,    512,     513,     4096,    4097,
                         8192, 8193, 16'384, 16'385, 100'000, 131'071, 131'072, 1 << 20};

Info aligned(int bytes) { return {"mpi_minimum_memory_alignment", std::to_string(bytes).c_str()}; }

// Whether MPI_Alloc_mem is served by the library.
bool is_transport_node() {
    const char* const transport = std::getenv("MPIX_TRANSPORT");
    return !transport || std::strcmp(transport, "host") != 0;
}

// Whether some rank may have too little memory for that, as in no_memory.sh. Collective.
bool is_limited() {
    rlimit files{}, addresses{};
    getrlimit(RLIMIT_FSIZE, &files);
    getrlimit(RLIMIT_AS, &addresses);
    int limited = std::getenv("MPIX_TEST_FILE_LIMIT") || files.rlim_cur != RLIM_INFINITY ||
                  addresses.rlim_cur != RLIM_INFINITY;
    MPI_Allreduce(MPI_IN_PLACE, &limited, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return limited;
}

// A freed block is given again to the next who wants as much; the request was never told. Returns
// whether that was so on all ranks.
bool serve_old_request() {
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
    return all_same;
}

// Of the machine, in bytes; 0 if it does not tell.
std::uint64_t available_memory() {
    std::ifstream meminfo("/proc/meminfo");
    std::uint64_t kilobytes = 0;
    for (std::string line; std::getline(meminfo, line);)
        if (std::sscanf(line.c_str(), "MemAvailable: %" SCNu64, &kilobytes) == 1) break;
    return kilobytes * 1024;
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

TEST_CASE("memory that is freed and allocated at the same place serves the old request too") {
    int times = 0; // what is freed besides may be taken first
    for (int i = 0; i < 5; i++) times += serve_old_request();
    const bool is_given_again = is_transport_node() && !is_limited();
    if (is_given_again) CHECK(times > 0);
}

// Where it is the library's: hosts before MPI 4 know nothing of it.
TEST_CASE("memory has the alignment that its info asks for") {
    if (!is_transport_node()) return;
    for (const int wanted : {1, 64, 128, 4096}) {
        const Info info = aligned(wanted);
        std::vector<void*> all(20);
        for (std::size_t i = 0; i < all.size(); i++) {
            CHECK_MPI(MPI_Alloc_mem(static_cast<MPI_Aint>(1 + 300 * i), info, &all[i]));
            CHECK(reinterpret_cast<std::uintptr_t>(all[i]) % static_cast<std::uintptr_t>(wanted) ==
                  0);
            std::memset(all[i], static_cast<int>(i), 1 + 300 * i);
        }
        for (void* const memory : all) CHECK_MPI(MPI_Free_mem(memory));
    }
    const Info beyond = aligned(1 << 20); // up to the host
    void* memory = nullptr;
    if (MPI_Alloc_mem(100, beyond, &memory) == MPI_SUCCESS) CHECK_MPI(MPI_Free_mem(memory));
}

// It is touched nowhere, not even by malloc with MALLOC_PERTURB_: what is taken at once shows in
// the memory that all processes share.
TEST_CASE("a request for most of the machine's memory takes nothing of it yet") {
    const std::uint64_t bytes = available_memory() / 3 * 2;
    struct sysinfo before {
    }, after{};
    if (rank_of() > 0 || bytes == 0 || sysinfo(&before) != 0) return;
    mallopt(M_PERTURB, 0);
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
        const Info hint("mpix_transport", who < 0 || who == rank_of() ? "host" : nullptr);
        for (const int bytes : {1, 6000, 150'000})
            for (const Kind kind : kinds) {
                Use use(kind, bytes, rank_of() % 2 ? Where::heap : Where::shared, hint);
                for (int round = 0; round < 2; round++) use.run(round);
            }
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
