// SPDX-License-Identifier: BSD-3-Clause
// Long operations, whose first rounds are a race of ways and the host: answers are right through it
// and after it, whatever the program does meanwhile.
#include "collectives/compare.hpp"
#include "common/plans.hpp"

#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <numeric>

using namespace mpitest;

namespace {

// Those of settling, the race itself of three ways, and some more.
constexpr int rounds = 3 * 17 + 8 * 48 + 10;
constexpr int count = 40'000;

// Of all ranks, or of those up to one: then the first run ahead, and the race has meetings.
enum class Of { all, lower };

// An integer sum that is long enough.
class LongSum {
  public:
    explicit LongSum(Of of = Of::all, MPI_Comm comm = MPI_COMM_WORLD)
        : comm_(comm), ranks_(of == Of::all ? size_of(comm) : rank_of(comm) + 1) {
        const auto init = of == Of::all ? MPI_Allreduce_init : MPI_Scan_init;
        CHECK_MPI(
            init(in_.data(), out_.data(), count, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request));
    }
    ~LongSum() {
        if (request != MPI_REQUEST_NULL) free_request(request);
    }
    LongSum(const LongSum&) = delete;
    LongSum& operator=(const LongSum&) = delete;

    void prepare(int round) {
        std::iota(in_.begin(), in_.end(), round + rank_of(comm_));
        std::fill(out_.begin(), out_.end(), -1);
    }
    void start(int round) {
        prepare(round);
        CHECK_MPI(MPI_Start(&request));
    }
    void check(int round) const { CHECK(wrong(round, out_) == 0); }
    int wrong(int round, const std::vector<int>& out) const {
        const int others = ranks_ * (ranks_ - 1) / 2;
        int wrong = 0;
        for (int i = 0; i < count; i++)
            wrong += out[static_cast<std::size_t>(i)] != ranks_ * (round + i) + others;
        return wrong;
    }
    void run(int round) {
        start(round);
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        check(round);
    }

    MPI_Request request = MPI_REQUEST_NULL;

  private:
    MPI_Comm comm_;
    int ranks_; // whose sum it is
    std::vector<int> in_ = std::vector<int>(count), out_ = in_;
};

// All ranks have the same way.
void check_way(MPI_Request request) {
    const char* const name = MPIX_Plan_name(request);
    CHECK(name != nullptr);
    int mine[2] = {0, 0}, most[2] = {};
    for (const char* c = name ? name : ""; *c; c++) mine[0] = 31 * mine[0] % 1'000'003 + *c;
    mine[1] = -mine[0];
    CHECK_MPI(MPI_Allreduce(mine, most, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD));
    CHECK(most[0] == -most[1]);
}

// Of the memory that this process shares with others of its node.
std::uintmax_t shared_bytes() {
    std::uintmax_t sum = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
        std::error_code ignored;
        const std::string name = std::filesystem::read_symlink(entry.path(), ignored).string();
        struct stat found {};
        if (name.starts_with("/memfd:mpix") && stat(entry.path().c_str(), &found) == 0)
            sum += static_cast<std::uintmax_t>(found.st_blocks) * 512;
    }
    return sum;
}

// Long messages go through memory that ranks share.
bool are_staged() {
    const char* const cma = std::getenv("MPIX_CMA");
    const char* const transport = std::getenv("MPIX_TRANSPORT");
    return cma && *cma == '0' && !transport;
}

} // namespace

TEST_CASE("every collective is right through a race and after it") {
    for (const Collective& row : collectives) {
        const int elements = row.reduces ? 17'000 : 9'000;
        compare_with_blocking(row, {.count = elements, .root = size_of() - 1, .rounds = rounds});
    }
}

TEST_CASE("what a race has shown to be slower gives its memory back") {
    const int ranks = size_of();
    // Else there is one way, or queues have no room for data.
    if (ranks < 3 || !are_staged()) return;
    constexpr int block = 1 << 16; // ints: long enough to be raced on any machine
    std::vector<int> in(static_cast<std::size_t>(block * ranks)), out(in);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Alltoall_init(in.data(), block, MPI_INT, out.data(), block, MPI_INT,
                                MPI_COMM_WORLD, MPI_INFO_NULL, &request));
    const std::uintmax_t before = shared_bytes();
    int wrong = 0;
    for (int round = 0; round < rounds; round++) {
        for (std::size_t i = 0; i < in.size(); i++) in[i] = rank_of() + round + static_cast<int>(i);
        start_and_wait(request);
        for (std::size_t i = 0; i < out.size(); i++)
            wrong += out[i] != static_cast<int>(i) / block + round + rank_of() * block +
                                   static_cast<int>(i) % block;
    }
    CHECK(wrong == 0);
    CHECK(shared_bytes() < before);
    free_request(request);
}

TEST_CASE("what is made after a race has one way on all ranks") {
    for (int request = 0; request < 3; request++) {
        LongSum sum;
        check_way(sum.request);
        for (int round = 0; round < rounds; round++) sum.run(round);
        check_way(sum.request);
    }
}

TEST_CASE("ranks start two raced operations in different orders") {
    LongSum one(Of::lower), other;
    for (int round = 0; round < rounds; round++) {
        const bool turned = (rank_of() + round) % 2 == 1;
        LongSum& first = turned ? other : one;
        LongSum& second = turned ? one : other;
        first.start(round);
        second.start(round);
        MPI_Request both[] = {one.request, other.request};
        CHECK_MPI(MPI_Waitall(2, both, MPI_STATUSES_IGNORE));
        one.check(round);
        other.check(round);
    }
    check_way(one.request);
    check_way(other.request);
}

TEST_CASE("raced operations run at different speeds") {
    LongSum often(Of::lower), seldom;
    for (int round = 0; round < rounds; round++) {
        if (round % 3 == 0) seldom.start(round);
        often.run(round);
        if (round % 3 != 0) continue;
        CHECK_MPI(MPI_Wait(&seldom.request, MPI_STATUS_IGNORE));
        seldom.check(round);
    }
}

TEST_CASE("a raced operation is freed before it is decided") {
    // Of two ways the comparison comes after 34 + 32, of three after 51 + 48; meetings before.
    for (const int started : {0, 1, 20, 34, 35, 51, 52, 65, 66, 67, 98, 99, 100})
        for (const Of of : {Of::all, Of::lower}) {
            MPI_Comm comm = duplicate();
            {
                LongSum sum(of, comm);
                for (int round = 0; round < started; round++) sum.run(round);
            }
            free_comm(comm);
        }
}

TEST_CASE("a raced operation gets other buffers in every round") {
    const int me = rank_of();
    std::vector<int> in[2], out[2];
    for (int i = 0; i < 2; i++) in[i].resize(count), out[i].resize(count);
    LongSum sum;
    for (int round = 0; round < rounds; round++) {
        const int at = round % 2;
        std::iota(in[at].begin(), in[at].end(), round + me);
        std::fill(out[at].begin(), out[at].end(), -1);
        CHECK_MPI(MPIX_Request_rebind(sum.request, in[at].data(), out[at].data()));
        CHECK_MPI(MPI_Start(&sum.request));
        CHECK_MPI(MPI_Wait(&sum.request, MPI_STATUS_IGNORE));
        CHECK(sum.wrong(round, out[at]) == 0);
    }
}

TEST_CASE("a raced operation is a member of a bundle") {
    LongSum one(Of::lower), other;
    MPI_Request members[] = {one.request, other.request}, bundle = MPI_REQUEST_NULL;
    CHECK_MPI(MPIX_Bundle_init(2, members, MPI_INFO_NULL, &bundle));
    for (int round = 0; round < rounds; round++) {
        one.prepare(round);
        other.prepare(round + 1);
        start_and_wait(bundle);
        one.check(round);
        other.check(round + 1);
    }
    free_request(bundle);
}
