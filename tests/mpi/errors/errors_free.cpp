// SPDX-License-Identifier: BSD-3-Clause
// MPI_Free_mem of what MPI_Alloc_mem has not returned, or not lately: an error, and nothing is
// freed. Only within the library's memory: elsewhere the host's free() may end the process.
#include "common/errors.hpp"
#include "library/shared_memory.hpp"

#include <memory>

using namespace mpitest;

namespace {

Byte* allocated(std::size_t bytes) {
    void* memory = nullptr;
    CHECK_MPI(MPI_Alloc_mem(static_cast<MPI_Aint>(bytes), MPI_INFO_NULL, &memory));
    std::memset(memory, 0x5a, bytes);
    return static_cast<Byte*>(memory);
}

void check_refused(void* memory) {
    check_error(MPI_Free_mem(memory), {MPI_ERR_BASE}, {"MPI_Free_mem", "base"});
}

bool is_kept(const Byte* memory, std::size_t bytes) {
    return std::all_of(memory, memory + bytes, [](Byte byte) { return byte == 0x5a; });
}

int world_calls = 0, self_calls = 0;
void count_world(MPI_Comm*, int*, ...) { world_calls++; }
void count_self(MPI_Comm*, int*, ...) { self_calls++; }

} // namespace

TEST_CASE("memory is freed once") {
    const ErrorsReturn guard;
    for (const std::size_t bytes : {1u, 100u, 5000u, 3u << 20}) {
        Byte* const memory = allocated(bytes);
        CHECK_MPI(MPI_Free_mem(memory));
        check_refused(memory);
        check_refused(memory);
        Byte *const one = allocated(bytes), *const other = allocated(bytes);
        CHECK(one != other);
        CHECK_MPI(MPI_Free_mem(other));
        check_refused(other);
        CHECK(is_kept(one, bytes));
        CHECK_MPI(MPI_Free_mem(one));
    }
}

TEST_CASE("memory is freed where it begins") {
    const ErrorsReturn guard;
    for (const std::size_t bytes : {100u, 5000u, 3u << 20}) {
        Byte* const memory = allocated(bytes);
        for (const std::size_t within : {std::size_t{1}, std::size_t{64}, bytes / 2, bytes - 1})
            check_refused(memory + within);
        Byte* const next = allocated(bytes);
        CHECK((next + bytes <= memory || memory + bytes <= next));
        CHECK(is_kept(memory, bytes));
        CHECK_MPI(MPI_Free_mem(memory));
        CHECK_MPI(MPI_Free_mem(next));
    }
}

// The first place that is large enough is taken: that which was freed last.
TEST_CASE("slots of a plan where freed memory was are not freed") {
    const ErrorsReturn guard;
    constexpr std::size_t bytes = 1 << 18;
    Byte *const memory = allocated(bytes), *const after = allocated(1);
    CHECK_MPI(MPI_Free_mem(memory));
    std::vector<std::unique_ptr<Use>> uses;
    for (const Kind kind : kinds) uses.push_back(std::make_unique<Use>(kind, 5000, Where::heap));
    int accepted = 0;
    for (Byte* at = memory; at < after; at += 64) accepted += MPI_Free_mem(at) == MPI_SUCCESS;
    CHECK(accepted == 0);
    for (const Kind kind : kinds) uses.push_back(std::make_unique<Use>(kind, 5000, Where::heap));
    for (int round = 0; round < 3; round++) {
        for (auto& use : uses) use->write(round), use->start();
        for (auto& use : uses) use->end();
    }
    CHECK_MPI(MPI_Free_mem(after));
}

TEST_CASE("the handler of MPI_COMM_WORLD is called, once, and may return") {
    MPI_Errhandler on_world, on_self;
    MPI_Comm_create_errhandler(count_world, &on_world);
    MPI_Comm_create_errhandler(count_self, &on_self);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, on_world);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, on_self);
    Byte* const memory = allocated(100);
    check_refused(memory + 64);
    CHECK((world_calls == 1 && self_calls == 0));
    CHECK_MPI(MPI_Free_mem(memory));
    CHECK_MPI(MPI_Free_mem(nullptr));
    CHECK((world_calls == 1 && self_calls == 0));
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&on_world);
    MPI_Errhandler_free(&on_self);
}
