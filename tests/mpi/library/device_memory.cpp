// SPDX-License-Identifier: BSD-3-Clause
// Buffers in the memory of a device, as a driver says that only pretends: collectives on them are
// the host's, on all ranks although one alone may have such a buffer; what no host has is an error.
// MPIX_TEST_DRIVER is the driver's file. It is loaded only here, as runtimes of GPUs do it.
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <numeric>

#include "common/call.hpp"
#include "common/errors.hpp"

using namespace mpitest;

namespace {

class Driver {
  public:
    void has(const void* memory, std::size_t bytes, bool is_managed = false) const {
        reinterpret_cast<void (*)(const void*, std::size_t, int)>(dlsym(library_, "driver_has"))(
            memory, bytes, is_managed);
    }
    void has_none() const { has(nullptr, 0); }
    int last_error() const {
        return reinterpret_cast<int (*)()>(dlsym(library_, "driver_last_error"))();
    }
    bool is_there() const { return library_ != nullptr; }

  private:
    void* library_ = dlopen(std::getenv("MPIX_TEST_DRIVER"), RTLD_NOW | RTLD_LOCAL);
};

const Driver& driver() {
    static const Driver one;
    return one;
}

constexpr int count = 3000;
using Ints = std::vector<int>;

// A sum over the ranks, out of place.
struct Sum {
    Ints in = Ints(count), out = Ints(count, -1);
    MPI_Request request = MPI_REQUEST_NULL;

    void init() {
        CHECK_MPI(MPI_Allreduce_init(in.data(), out.data(), count, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                                     MPI_INFO_NULL, &request));
    }
    void run(Ints& from, Ints& to) {
        for (int round = 0; round < 3; ++round) {
            for (int i = 0; i < count; ++i) from[static_cast<std::size_t>(i)] = rank_of() + i;
            to.assign(count, -1);
            start_and_wait(request);
            const int ranks = size_of(), of_ranks = ranks * (ranks - 1) / 2;
            bool is_right = true;
            for (int i = 0; i < count; ++i)
                is_right = is_right && to[static_cast<std::size_t>(i)] == of_ranks + ranks * i;
            CHECK(is_right);
        }
    }
    void run() { run(in, out); }
    bool is_hosts() const { return std::strcmp(MPIX_Plan_name(request), "delegate") == 0; }
    ~Sum() { free_request(request); }
};

std::size_t bytes_of(const Ints& ints) { return ints.size() * sizeof(int); }

bool is_delegated_anyway() {
    const char* const plan = std::getenv("MPIX_PLAN");
    return plan && std::strcmp(plan, "delegate") == 0;
}

void check_refused(int code, const char* call) {
    check_error(code, {MPI_ERR_BUFFER}, {call, "device"});
}

} // namespace

// The first: without a driver.
TEST_CASE("before a driver is loaded all memory is the CPU's") {
    Sum sum;
    sum.init();
    CHECK(sum.is_hosts() == is_delegated_anyway());
    sum.run();
    CHECK(driver().is_there());
}

TEST_CASE("a sum is the host's on all ranks if one buffer of one rank is a device's") {
    for (int rank = 0; rank < size_of(); ++rank)
        for (const bool is_receive : {false, true}) {
            Sum sum;
            const Ints& on_device = is_receive ? sum.out : sum.in;
            if (rank_of() == rank) driver().has(on_device.data(), bytes_of(on_device));
            sum.init();
            CHECK(sum.is_hosts());
            sum.run();
            driver().has_none();
        }
}

TEST_CASE("memory beside a device's is the CPU's, and so is managed memory") {
    Sum sum, managed;
    Ints other(count);
    driver().has(other.data(), bytes_of(other));
    sum.init();
    driver().has(managed.in.data(), bytes_of(managed.in), true);
    managed.init();
    CHECK(sum.is_hosts() == is_delegated_anyway());
    CHECK(managed.is_hosts() == is_delegated_anyway());
    sum.run();
    managed.run();
    driver().has_none();
    CHECK(driver().last_error() == 0);
}

TEST_CASE("an absolute address, a gap before the data, and one block of many are found") {
    const int ranks = size_of();
    Ints in(static_cast<std::size_t>(ranks) * 2, rank_of()), out(in.size(), -1);
    MPI_Datatype shifted = MPI_DATATYPE_NULL;
    MPI_Aint at = 0;
    MPI_Get_address(out.data(), &at);
    const int two = 2;
    MPI_Type_create_hindexed(1, &two, &at, MPI_INT, &shifted);
    MPI_Datatype spaced = MPI_DATATYPE_NULL; // one after the other again
    MPI_Type_create_resized(shifted, 0, 2 * sizeof(int), &spaced);
    MPI_Type_commit(&spaced);
    MPI_Request request = MPI_REQUEST_NULL;
    const auto check = [&](auto init) {
        out.assign(out.size(), -1);
        CHECK_MPI(init());
        CHECK(std::strcmp(MPIX_Plan_name(request), "delegate") == 0);
        start_and_wait(request);
        for (std::size_t i = 0; i < out.size(); ++i) CHECK(out[i] == static_cast<int>(i) / 2);
        free_request(request);
        driver().has_none();
    };
    driver().has(out.data(), bytes_of(out));
    check([&] {
        return MPI_Allgather_init(in.data(), 2, MPI_INT, MPI_BOTTOM, 1, spaced, MPI_COMM_WORLD,
                                  MPI_INFO_NULL, &request);
    });
    std::vector<int> counts(static_cast<std::size_t>(ranks), 2), starts(counts.size());
    for (std::size_t i = 0; i < starts.size(); ++i) starts[i] = static_cast<int>(2 * i);
    driver().has(&out[out.size() - 2], 2 * sizeof(int)); // the last block
    check([&] {
        return MPI_Allgatherv_init(in.data(), 2, MPI_INT, out.data(), counts.data(), starts.data(),
                                   MPI_INT, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    });
    MPI_Type_free(&shifted);
    MPI_Type_free(&spaced);
}

TEST_CASE("no data of a device are no buffer, nor is what a rank has not to give") {
    Ints none(1), data(4, rank_of());
    driver().has(none.data(), bytes_of(none));
    MPI_Request request = MPI_REQUEST_NULL;
    // Where it is not the root the receive buffer means nothing.
    CHECK_MPI(MPI_Gather_init(data.data(), 0, MPI_INT, none.data(), 0, MPI_INT, 0, MPI_COMM_WORLD,
                              MPI_INFO_NULL, &request));
    const bool is_hosts = std::strcmp(MPIX_Plan_name(request), "delegate") == 0;
    CHECK(is_hosts == is_delegated_anyway());
    start_and_wait(request);
    free_request(request);
    driver().has_none();
}

TEST_CASE("a neighbourhood and an operation between groups are the host's too") {
    const int ranks = size_of();
    MPI_Comm ring = MPI_COMM_NULL;
    const int dims[] = {ranks}, periods[] = {1};
    MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &ring);
    int in = 10 + rank_of();
    std::array<int, 2> out{-1, -1};
    driver().has(&in, rank_of() == 0 ? sizeof in : 0);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Neighbor_allgather_init(&in, 1, MPI_INT, out.data(), 1, MPI_INT, ring,
                                          MPI_INFO_NULL, &request));
    CHECK(std::strcmp(MPIX_Plan_name(request), "delegate") == 0);
    start_and_wait(request);
    CHECK(out[0] == 10 + (rank_of() + ranks - 1) % ranks);
    CHECK(out[1] == 10 + (rank_of() + 1) % ranks);
    free_request(request);
    MPI_Comm_free(&ring);
    driver().has_none();
    if (ranks < 2) return;
    MPI_Comm half = MPI_COMM_NULL, between = MPI_COMM_NULL;
    const bool is_first = rank_of() < ranks / 2;
    MPI_Comm_split(MPI_COMM_WORLD, is_first, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, is_first ? ranks / 2 : 0, 3, &between);
    int sum = -1;
    driver().has(&sum, rank_of() == 0 ? sizeof sum : 0);
    CHECK_MPI(MPI_Allreduce_init(&in, &sum, 1, MPI_INT, MPI_SUM, between, MPI_INFO_NULL, &request));
    CHECK(std::strcmp(MPIX_Plan_name(request), "delegate") == 0);
    start_and_wait(request);
    int expected = 0;
    for (int r = is_first ? ranks / 2 : 0; r < (is_first ? ranks : ranks / 2); ++r)
        expected += 10 + r;
    CHECK(sum == expected);
    free_request(request);
    MPI_Comm_free(&between);
    MPI_Comm_free(&half);
    driver().has_none();
}

TEST_CASE("rebinding to a device is the host's where the plan is, and an error elsewhere") {
    Sum ours, hosts;
    Ints on_device(count), moved(count);
    ours.init();
    driver().has(hosts.in.data(), bytes_of(hosts.in));
    hosts.init();
    driver().has(on_device.data(), bytes_of(on_device));
    CHECK(hosts.is_hosts());
    {
        const ErrorsReturn guard;
        const int code = MPIX_Request_rebind(ours.request, on_device.data(), moved.data());
        if (!is_delegated_anyway()) check_refused(code, "MPIX_Request_rebind");
    }
    CHECK_MPI(MPIX_Request_rebind(hosts.request, on_device.data(), moved.data()));
    if (!is_delegated_anyway()) ours.run(); // as it was bound
    hosts.run(on_device, moved);
    CHECK_MPI(MPIX_Request_rebind(hosts.request, moved.data(), hosts.out.data()));
    hosts.run(moved, hosts.out);
    driver().has_none();
}

TEST_CASE("partitioned operations refuse it, a collective on every rank alike") {
    const ErrorsReturn guard;
    const int ranks = size_of(), me = rank_of();
    Ints in(static_cast<std::size_t>(ranks) * 4), out(in.size());
    MPI_Request request = MPI_REQUEST_NULL;
    driver().has(out.data(), me == ranks - 1 ? bytes_of(out) : 0);
    check_refused(MPIX_Pallreduce_init(in.data(), out.data(), 2, 2, MPI_INT, MPI_SUM,
                                       MPI_COMM_WORLD, MPI_INFO_NULL, &request),
                  "MPIX_Pallreduce_init");
    check_refused(
        MPIX_Pbcast_init(out.data(), 2, 2, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
        "MPIX_Pbcast_init");
    driver().has(in.data(), bytes_of(in));
    check_refused(
        MPI_Psend_init(in.data(), 2, 2, MPI_INT, me, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
        "MPI_Psend_init");
    check_refused(
        MPI_Precv_init(in.data(), 2, 2, MPI_INT, me, 3, MPI_COMM_WORLD, MPI_INFO_NULL, &request),
        "MPI_Precv_init");
    CHECK(request == MPI_REQUEST_NULL);
    driver().has_none();
    CHECK_MPI(MPIX_Pallreduce_init(in.data(), out.data(), 2, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                                   MPI_INFO_NULL, &request)); // they still agree
    free_request(request);
}

TEST_CASE("persistent messages are the host's, also in bundles; channels refuse it") {
    const int ranks = size_of(), me = rank_of(), next = (me + 1) % ranks;
    const int previous = (me + ranks - 1) % ranks;
    Ints in(count), out(count);
    driver().has(in.data(), me % 2 == 0 ? bytes_of(in) : 0);
    std::array<MPI_Request, 2> ends{};
    CHECK_MPI(MPI_Send_init(in.data(), count, MPI_INT, next, 4, MPI_COMM_WORLD, &ends[0]));
    CHECK_MPI(MPI_Recv_init(out.data(), count, MPI_INT, previous, 4, MPI_COMM_WORLD, &ends[1]));
    MPI_Request bundle = MPI_REQUEST_NULL, channel = MPI_REQUEST_NULL;
    CHECK_MPI(MPIX_Bundle_init(2, ends.data(), MPI_INFO_NULL, &bundle));
    for (int round = 0; round < 3; ++round) {
        std::iota(in.begin(), in.end(), 1000 * me + round);
        start_and_wait(bundle);
        CHECK((out[0] == 1000 * previous + round && out[count - 1] == out[0] + count - 1));
    }
    free_request(bundle);
    driver().has(in.data(), bytes_of(in));
    {
        const ErrorsReturn guard;
        check_refused(MPIX_Bind_channel(ends[0], &channel, MPI_INFO_NULL), "MPIX_Bind_channel");
        check_refused(MPIX_Send_channel_init(in.data(), count, MPI_INT, next, 5, MPI_COMM_WORLD,
                                             MPI_INFO_NULL, &channel),
                      "MPIX_Send_channel_init");
    }
    CHECK(channel == MPI_REQUEST_NULL);
    for (MPI_Request& end : ends) free_request(end);
    driver().has_none();
}

// Its plan was made for the CPU's.
TEST_CASE("a plain sum on a plan takes buffers of a device, again and again") {
    MPI_Comm comm = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_MPI(MPIX_Auto_set(comm, 1));
    const int ranks = size_of();
    const auto run = [&](std::vector<double>& in, std::vector<double>& out) {
        for (int round = 0; round < 4; ++round) {
            std::fill(in.begin(), in.end(), rank_of() + 10.0 * round);
            std::fill(out.begin(), out.end(), -1.0);
            CHECK_MPI(MPI_Allreduce(in.data(), out.data(), count, MPI_DOUBLE, MPI_SUM, comm));
            const double expected = ranks * (ranks - 1) / 2 + 10.0 * round * ranks;
            CHECK(std::count(out.begin(), out.end(), expected) == count);
        }
    };
    std::vector<double> in(count), out(count);
    run(in, out);
    for (const bool is_receive : {false, true}) {
        std::vector<double> send(count), receive(count);
        const std::vector<double>& on_device = is_receive ? receive : send;
        if (rank_of() == 0) driver().has(on_device.data(), on_device.size() * sizeof(double));
        run(send, receive);
        driver().has_none();
        run(in, out);
    }
    CHECK_MPI(MPI_Comm_free(&comm));
}
