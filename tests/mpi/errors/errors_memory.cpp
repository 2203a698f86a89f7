// SPDX-License-Identifier: BSD-3-Clause
// No memory in an init: the allocation that fails is each of them in turn, alone or with all that
// follow. The ranks fail alike, because a rank that fails by itself leaves the others waiting.
#include "common/errors.hpp"

#include <cstdlib>
#include <functional>
#include <limits>
#include <new>

using namespace mpitest;

namespace {

// Of the next allocations, those from number `first` to number `last` fail.
struct Failure {
    long next = 0;
    long first = std::numeric_limits<long>::max();
    long last = std::numeric_limits<long>::max();
};
Failure failure;

bool fails() {
    const long number = failure.next++;
    return number >= failure.first && number <= failure.last;
}

using Init = std::function<int(MPI_Request*)>;

// How many allocations had to fail before the init succeeded.
int sweep(const Init& init, bool alone, const char* text) {
    for (int number = 0;; number++) {
        MPI_Request request = MPI_REQUEST_NULL;
        failure = {0, number, alone ? number : std::numeric_limits<long>::max()};
        const int code = init(&request);
        const bool has_failed = failure.next > number;
        failure = {};
        if (code == MPI_SUCCESS) {
            CHECK((alone || !has_failed));
            start_and_wait(request);
            free_request(request);
            if (!has_failed) return number;
            continue; // an allocation that the init can do without
        }
        CHECK(class_of(code) == MPI_ERR_NO_MEM);
        if (alone) CHECK(contains(error_text(code), text));
        CHECK(request == MPI_REQUEST_NULL);
        if (number > 500) return -1;
    }
}

bool has_abi_texts() {
#ifdef MPI_H_ABI
    return mpich_version() > 0;
#else
    return false;
#endif
}

// A datatype with gaps that counts its end.
int types_freed = 0;

Type counted_type() {
    int key = MPI_KEYVAL_INVALID;
    const auto count = [](MPI_Datatype, int, void*, void*) -> int {
        types_freed++;
        return MPI_SUCCESS;
    };
    MPI_Type_create_keyval(MPI_TYPE_NULL_COPY_FN, count, &key, nullptr);
    Type type = vector_of(3, 1, 2);
    MPI_Type_set_attr(type, key, nullptr);
    MPI_Type_free_keyval(&key);
    return type;
}

} // namespace

void* operator new(std::size_t bytes) {
    void* memory = fails() ? nullptr : std::malloc(bytes > 0 ? bytes : 1);
    if (memory == nullptr) throw std::bad_alloc();
    return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

TEST_CASE("an init without memory is an error, and the next one works") {
    const ErrorsReturn guard;
    const Type gaps = vector_of(3, 1, 2);
    std::vector<int> in(1000, 1), out(1000);
    const std::vector<Init> inits{
        [&](MPI_Request* request) {
            return MPI_Allreduce_init(in.data(), out.data(), 100, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                                      MPI_INFO_NULL, request);
        },
        [&](MPI_Request* request) {
            return MPI_Alltoall_init(in.data(), 2, gaps, out.data(), 2, gaps, MPI_COMM_WORLD,
                                     MPI_INFO_NULL, request);
        },
        [&](MPI_Request* request) {
            return MPI_Allgather_init(in.data(), 1, MPI_INT, out.data(), 1, MPI_INT, MPI_COMM_WORLD,
                                      MPI_INFO_NULL, request);
        },
    };
    for (const Init& init : inits)
        for (const bool alone : {true, false}) CHECK(sweep(init, alone, "out of memory") > 5);
}

TEST_CASE("a persistent receive without memory is an error, and the next one works") {
    const ErrorsReturn guard;
    types_freed = 0;
    {
        const Type gaps = counted_type();
        const Init init = [&](MPI_Request* request) {
            return MPI_Recv_init(nullptr, 0, gaps, MPI_PROC_NULL, 0, MPI_COMM_WORLD, request);
        };
        // The text is the host's, and that of another class in the library of MPICH 5 for the ABI.
        const char* const text = has_abi_texts() ? "" : "memory";
        for (const bool alone : {true, false}) CHECK(sweep(init, alone, text) > 1);
    }
    CHECK(types_freed == 1); // no init that failed still uses it
}
