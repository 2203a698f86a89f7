// SPDX-License-Identifier: BSD-3-Clause
// Plain collectives on plans as programs use them: settings, communicators and buffers that come
// and go, errors, bits, calls within calls.
#include "common/errors.hpp"
#include "common/plans.hpp"

#include <algorithm>

using namespace mpitest;

namespace {

struct Setting {
    int flag = -1, plans = -1;
};

Setting setting_of(MPI_Comm comm) {
    Setting setting;
    CHECK_MPI(MPIX_Auto_get(comm, &setting.flag, &setting.plans));
    return setting;
}

MPI_Comm planned_duplicate() {
    const MPI_Comm comm = duplicate();
    CHECK_MPI(MPIX_Auto_set(comm, 1));
    return comm;
}

// A sum of the ranks' numbers, and of so many more integers.
void check_sum(MPI_Comm comm, int count, int round = 0) {
    std::vector<int> in(static_cast<std::size_t>(count), rank_of(comm) + round), out(in.size(), -1);
    CHECK_MPI(MPI_Allreduce(in.data(), out.data(), count, MPI_INT, MPI_SUM, comm));
    const int ranks = size_of(comm), expected = ranks * (ranks - 1) / 2 + ranks * round;
    CHECK(std::count(out.begin(), out.end(), expected) == count);
}

bool several() { return size_of() > 1; }

} // namespace

TEST_CASE("a communicator and its duplicates are set, and no others") {
    MPI_Comm comm = duplicate(), part = MPI_COMM_NULL;
    CHECK(setting_of(comm).flag == 0);
    CHECK_MPI(MPIX_Auto_set(comm, 1));
    MPI_Comm copy = duplicate(comm);
    CHECK_MPI(MPI_Comm_split(comm, 0, 0, &part));
    CHECK(setting_of(comm).flag == several());
    CHECK(setting_of(copy).flag == several());
    CHECK(setting_of(part).flag == 0);
    CHECK(setting_of(MPI_COMM_SELF).flag == 0);
    for (int round = 0; round < 4; round++)
        for (const MPI_Comm each : {comm, copy, part}) check_sum(each, 3, round);
    CHECK(setting_of(comm).plans == several());
    CHECK(setting_of(copy).plans == several());
    CHECK(setting_of(part).plans == 0);
    CHECK_MPI(MPIX_Auto_set(comm, 0));
    CHECK(setting_of(comm).flag == 0);
    CHECK(setting_of(copy).flag == several());
    check_sum(comm, 3);
    CHECK_MPI(MPIX_Auto_get(comm, nullptr, nullptr));
    for (MPI_Comm* each : {&part, &copy, &comm}) free_comm(*each);
    const ErrorsReturn errors_return;
    CHECK(class_of(MPIX_Auto_set(MPI_COMM_NULL, 1)) == MPI_ERR_COMM);
    CHECK(class_of(MPIX_Auto_get(MPI_COMM_NULL, nullptr, nullptr)) == MPI_ERR_COMM);
}

TEST_CASE("an info sets a communicator") {
    MPI_Comm comm = duplicate(), copy = MPI_COMM_NULL;
    {
        const Info yes("mpix_auto", "1"), no("mpix_auto", "0"),
            some("mpix_auto", "bcast,allreduce"), wrong("mpix_auto", "perhaps");
        CHECK_MPI(MPI_Comm_set_info(comm, yes));
        CHECK(setting_of(comm).flag == several());
        CHECK_MPI(MPI_Comm_set_info(comm, wrong));
        CHECK(setting_of(comm).flag == several());
        CHECK_MPI(MPI_Comm_dup_with_info(comm, no, &copy));
        CHECK(setting_of(copy).flag == 0);
        CHECK_MPI(MPI_Comm_set_info(copy, some));
    }
    for (int round = 0; round < 3; round++) {
        check_sum(copy, 2, round);
        CHECK_MPI(MPI_Barrier(copy));
    }
    CHECK(setting_of(copy).plans == several());
    free_comm(copy);
    free_comm(comm);
}

TEST_CASE("communicators that get each other's handles have plans of their own") {
    for (int round = 0; round < 30; round++) {
        MPI_Comm comm = round % 3 == 2 ? duplicate() : planned_duplicate();
        for (int call = 0; call < 3; call++) check_sum(comm, 1 + round % 5, call);
        CHECK(setting_of(comm).plans == (several() && round % 3 != 2));
        free_comm(comm);
    }
}

TEST_CASE("buffers move, and may be any memory") {
    MPI_Comm comm = planned_duplicate();
    const int ranks = size_of(), me = rank_of(), count = 30'000;
    const auto bytes = static_cast<MPI_Aint>(count * sizeof(int));
    std::vector<int> heap(static_cast<std::size_t>(count) + 3);
    int* own = nullptr;
    CHECK_MPI(MPI_Alloc_mem(bytes, MPI_INFO_NULL, &own));
    for (int round = 0; round < 12; round++) {
        const int root = round % 2 == 0 ? 0 : ranks - 1;
        int stack[4] = {me == root ? round : -1, -1, -1, -1};
        CHECK_MPI(MPI_Bcast(stack, 1, MPI_INT, root, comm));
        CHECK(stack[0] == round);
        int* const data = round % 3 == me % 3 ? own : heap.data() + round % 3;
        for (int i = 0; i < count; i++) data[i] = me == root ? value_at(root, round, i) : -1;
        CHECK_MPI(MPI_Bcast(data, count, MPI_INT, root, comm));
        int wrong = 0;
        for (int i = 0; i < count; i++) wrong += data[i] != value_at(root, round, i);
        CHECK(wrong == 0);
    }
    CHECK_MPI(MPI_Free_mem(own));
    free_comm(comm);
}

TEST_CASE("a floating-point sum has the same bits from the first call on") {
    MPI_Comm comm = planned_duplicate();
    for (const int count : {1, 7, 300, 20'000}) {
        const auto n = static_cast<std::size_t>(count);
        std::vector<double> in(n), first(n), again(n);
        for (std::size_t i = 0; i < n; i++) in[i] = 1.0 / (1 + rank_of() * 7 + static_cast<int>(i));
        CHECK_MPI(MPI_Allreduce(in.data(), first.data(), count, MPI_DOUBLE, MPI_SUM, comm));
        for (int round = 0; round < 4; round++) {
            std::fill(again.begin(), again.end(), 0.0);
            CHECK_MPI(MPI_Allreduce(in.data(), again.data(), count, MPI_DOUBLE, MPI_SUM, comm));
            CHECK(std::memcmp(first.data(), again.data(), n * sizeof(double)) == 0);
        }
    }
    CHECK(setting_of(comm).plans == 4 * several());
    free_comm(comm);
}

// What makes persistent reductions the same on any placement and host makes plain ones so.
TEST_CASE("a plain sum has the bits of the persistent one") {
    if (!several()) return; // it is the host's
    MPI_Comm comm = planned_duplicate();
    for (const int count : {1, 7, 300, 20'000}) {
        const auto n = static_cast<std::size_t>(count);
        std::vector<double> in(n), plain(n), persistent(n);
        for (std::size_t i = 0; i < n; i++)
            in[i] = 1.0 / (3 + rank_of() * 5 + static_cast<int>(i % 97));
        MPI_Request request = MPI_REQUEST_NULL;
        CHECK_MPI(MPI_Allreduce_init(in.data(), persistent.data(), count, MPI_DOUBLE, MPI_SUM, comm,
                                     MPI_INFO_NULL, &request));
        start_and_wait(request);
        free_request(request);
        CHECK_MPI(MPI_Allreduce(in.data(), plain.data(), count, MPI_DOUBLE, MPI_SUM, comm));
        CHECK(std::memcmp(plain.data(), persistent.data(), n * sizeof(double)) == 0);
    }
    free_comm(comm);
}

// MPICH itself wants one, of one rank too.
TEST_CASE("the first rank of an exscan needs no place for a result") {
    MPI_Comm comm = planned_duplicate();
    const int me = rank_of(comm);
    for (int round = 0; round < 4; round++) {
        const double in[2] = {1.0 + me, 2.0 * round};
        double out[2] = {-1, -1};
        CHECK_MPI(
            MPI_Exscan(in, me == 0 && several() ? nullptr : out, 2, MPI_DOUBLE, MPI_SUM, comm));
        CHECK(out[0] == (me == 0 ? -1 : me * (me + 1) / 2));
        CHECK(out[1] == (me == 0 ? -1 : 2.0 * round * me));
    }
    CHECK(setting_of(comm).plans == several());
    free_comm(comm);
}

// A host gives the handle of a freed type to the next one.
TEST_CASE("types that have each other's handles are taken for what they are") {
    MPI_Comm comm = planned_duplicate();
    for (int round = 0; round < 12; round++) {
        const Type type =
            round % 3 == 2 ? indexed({1, 1}, {1, 0}) : vector_of(2, 1, round % 3 == 0 ? 1 : 2);
        MPI_Datatype handle = type;
        CHECK_MPI(MPI_Type_commit(&handle));
        std::vector<int> data(3, -1), expected = data;
        const std::vector<std::size_t> places = round % 3 == 2   ? std::vector<std::size_t>{1, 0}
                                                : round % 3 == 0 ? std::vector<std::size_t>{0, 1}
                                                                 : std::vector<std::size_t>{0, 2};
        for (std::size_t i = 0; i < 2; i++) expected[places[i]] = value_at(0, round, i);
        if (rank_of() == 0) {
            int plain[2] = {value_at(0, round, 0), value_at(0, round, 1)};
            CHECK_MPI(MPI_Bcast(plain, 2, MPI_INT, 0, comm));
        } else {
            CHECK_MPI(MPI_Bcast(data.data(), 1, type, 0, comm));
            CHECK(data == expected);
        }
    }
    free_comm(comm);
}

TEST_CASE("many different calls keep no more plans than they may") {
    MPI_Comm comm = planned_duplicate();
    for (int round = 0; round < 3; round++)
        for (int count = 1; count <= 150; count++) check_sum(comm, count, round);
    CHECK(setting_of(comm).plans <= 64);
    CHECK((setting_of(comm).plans > 0) == several());
    free_comm(comm);
}

namespace {

int sum_of_copies(MPI_Comm comm, int, void*, void*, void* out, int* flag) {
    int one = 1, all = 0;
    MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, comm);
    *static_cast<void**>(out) = nullptr;
    *flag = all == size_of(comm);
    return MPI_SUCCESS;
}

} // namespace

TEST_CASE("a copy callback may sum, and plans run beside what is active") {
    MPI_Comm comm = planned_duplicate();
    int key = MPI_KEYVAL_INVALID, found = 0;
    void* value = nullptr;
    CHECK_MPI(MPI_Comm_create_keyval(sum_of_copies, MPI_COMM_NULL_DELETE_FN, &key, nullptr));
    CHECK_MPI(MPI_Comm_set_attr(comm, key, nullptr));
    Sum persistent(comm);
    for (int round = 0; round < 5; round++) {
        int one = 1, all = 0;
        MPI_Request nonblocking = MPI_REQUEST_NULL;
        persistent.start(round);
        CHECK_MPI(MPI_Iallreduce(&one, &all, 1, MPI_INT, MPI_SUM, comm, &nonblocking));
        MPI_Comm copy = duplicate(comm);
        CHECK_MPI(MPI_Comm_get_attr(copy, key, &value, &found));
        CHECK(found);
        check_sum(copy, 2, round);
        check_sum(comm, 1, round);
        CHECK_MPI(MPI_Wait(&nonblocking, MPI_STATUS_IGNORE));
        CHECK(all == size_of());
        persistent.wait();
        free_comm(copy);
    }
    CHECK_MPI(MPI_Comm_free_keyval(&key));
    free_request(persistent.request);
    free_comm(comm);
}

TEST_CASE("between two groups nothing runs on plans") {
    if (!several()) return;
    MPI_Comm half = MPI_COMM_NULL, inter = MPI_COMM_NULL;
    const int me = rank_of(), color = me % 2;
    CHECK_MPI(MPI_Comm_split(MPI_COMM_WORLD, color, me, &half));
    CHECK_MPI(MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - color, 5, &inter));
    CHECK_MPI(MPIX_Auto_set(inter, 1));
    int remote = 0;
    CHECK_MPI(MPI_Comm_remote_size(inter, &remote));
    for (int round = 0; round < 3; round++) {
        int one = 1, all = 0;
        CHECK_MPI(MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, inter));
        CHECK(all == remote);
    }
    CHECK(setting_of(inter).flag == 0);
    CHECK(setting_of(inter).plans == 0);
    free_comm(inter);
    free_comm(half);
}
