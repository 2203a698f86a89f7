// SPDX-License-Identifier: BSD-3-Clause
// Counts and displacements beyond INT_MAX in the _c forms. Skipped, with a word, where memory is
// short.
#include <sys/mman.h>
#include <unistd.h>

#include <cstdio>

#include "common/check.hpp"

using namespace mpitest;

namespace {

constexpr MPI_Count beyond = (MPI_Count{1} << 31) + 9;

// Address space that costs memory only where it is touched.
class Pages {
  public:
    explicit Pages(MPI_Count bytes) : bytes_(static_cast<std::size_t>(bytes)) {
        data_ = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    }
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;
    ~Pages() { munmap(data_, bytes_); }
    unsigned char& operator[](MPI_Count i) { return static_cast<unsigned char*>(data_)[i]; }
    void* data() { return data_; }

  private:
    std::size_t bytes_;
    void* data_;
};

bool memory_for(MPI_Count bytes_each) {
    const MPI_Count page = sysconf(_SC_PAGESIZE), free_pages = sysconf(_SC_AVPHYS_PAGES);
    int enough = page * free_pages > bytes_each * size_of() + (MPI_Count{2} << 30) ? 1 : 0;
    MPI_Bcast(&enough, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (enough == 0 && rank_of() == 0) std::printf("skipped: too little memory\n");
    return enough != 0;
}

unsigned char letter(MPI_Count i, int round) {
    return static_cast<unsigned char>(i * 7 / 1009 + i + round * 31);
}

// Both ends, the place where an int would have wrapped, and a thin sample between.
template<class Visit>
void at_samples(MPI_Count count, Visit visit) {
    for (MPI_Count i = 0; i < 64; i++) visit(i), visit(count - 1 - i);
    for (MPI_Count i = (MPI_Count{1} << 31) - 32; i < count && i < (MPI_Count{1} << 31) + 9; i++)
        visit(i);
    for (MPI_Count i = 100; i < count; i += 1'000'003) visit(i);
}

} // namespace

TEST_CASE("a broadcast of more than two billion characters arrives") {
    if (!memory_for(beyond)) return;
    Pages data(beyond);
    MPI_Request request = MPI_REQUEST_NULL;
    const int root = size_of() - 1;
    CHECK_MPI(MPI_Bcast_init_c(data.data(), beyond, MPI_CHAR, root, MPI_COMM_WORLD, MPI_INFO_NULL,
                               &request));
    at_samples(beyond, [&](MPI_Count i) { data[i] = rank_of() == root ? letter(i, 1) : 0; });
    start_and_wait(request);
    MPI_Count wrong = 0;
    at_samples(beyond, [&](MPI_Count i) { wrong += data[i] != letter(i, 1); });
    CHECK(wrong == 0);
    free_request(request);
}

TEST_CASE("a sum in place of more than two billion bytes is right") {
    if (!memory_for(2 * beyond)) return;
    Pages data(beyond);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allreduce_init_c(MPI_IN_PLACE, data.data(), beyond, MPI_BYTE, MPI_BXOR,
                                   MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    at_samples(beyond, [&](MPI_Count i) { data[i] = letter(i, rank_of()); });
    start_and_wait(request);
    MPI_Count wrong = 0;
    at_samples(beyond, [&](MPI_Count i) {
        unsigned char expected = 0;
        for (int r = 0; r < size_of(); r++)
            expected = static_cast<unsigned char>(expected ^ letter(i, r));
        wrong += data[i] != expected;
    });
    CHECK(wrong == 0);
    free_request(request);
}

TEST_CASE("displacements beyond two billion are honoured") {
    const int ranks = size_of(), me = rank_of();
    const auto n = static_cast<std::size_t>(ranks);
    Pages all(beyond * ranks + 64);
    std::vector<MPI_Count> counts(n, 16);
    std::vector<MPI_Aint> displs(n);
    for (std::size_t r = 0; r < n; r++)
        displs[r] = static_cast<MPI_Aint>(r) * static_cast<MPI_Aint>(beyond);
    unsigned char mine[16];
    MPI_Request gather = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allgatherv_init_c(mine, 16, MPI_BYTE, all.data(), counts.data(), displs.data(),
                                    MPI_BYTE, MPI_COMM_WORLD, MPI_INFO_NULL, &gather));
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 16; i++) mine[i] = static_cast<unsigned char>(round * 50 + me * 16 + i);
        start_and_wait(gather);
        for (int r = 0; r < ranks; r++)
            for (int i = 0; i < 16; i++)
                CHECK(static_cast<int>(all[displs[static_cast<std::size_t>(r)] + i]) ==
                      round * 50 + r * 16 + i);
    }
    free_request(gather);
}
