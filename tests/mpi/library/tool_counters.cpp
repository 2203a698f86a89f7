// SPDX-License-Identifier: BSD-3-Clause
// Performance variables against arithmetic: what is counted while a handle is started, and what
// sessions and handles do to each other.
#include "library/tool_interface.hpp"

#include <mutex>
#include <thread>

using namespace mpitest;

namespace {

constexpr int counter = MPI_T_PVAR_CLASS_COUNTER;
constexpr int block = 1024; // bytes

// A broadcast of a block from rank 0.
class Broadcast {
  public:
    Broadcast() : data_(block) {
        CHECK_MPI(call_by_name("MPI_Bcast_init", static_cast<void*>(data_.data()), block, MPI_BYTE,
                               0, MPI_COMM_WORLD, MPI_INFO_NULL, &request_));
    }
    ~Broadcast() { CHECK_MPI(MPI_Request_free(&request_)); }
    Broadcast(const Broadcast&) = delete;
    Broadcast& operator=(const Broadcast&) = delete;
    void run(int times) {
        for (int i = 0; i < times; ++i) {
            CHECK_MPI(MPI_Start(&request_));
            CHECK_MPI(MPI_Wait(&request_, MPI_STATUS_IGNORE));
        }
    }

  private:
    std::vector<char> data_;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

unsigned long long sum_over_ranks(unsigned long long own) {
    unsigned long long all = 0;
    MPI_Allreduce(&own, &all, 1, MPI_UNSIGNED_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

// A variable of the host that a handle can be had of; -1 if it has none.
int variable_of_host() {
    int variables = 0;
    MPI_T_pvar_get_num(&variables);
    for (int index = 0; index < variables; ++index) {
        char name[256];
        int length = sizeof name, bind = -1;
        MPI_T_pvar_get_info(index, name, &length, nullptr, nullptr, nullptr, nullptr, nullptr,
                            nullptr, &bind, nullptr, nullptr, nullptr);
        if (bind == MPI_T_BIND_NO_OBJECT && std::string_view(name).substr(0, 5) != "mpix_")
            return index;
    }
    return -1;
}

} // namespace

TEST_CASE("rounds are counted, and what they send") {
    const Session session;
    Counter inits(session, "mpix_bcast_inits", counter),
        starts(session, "mpix_bcast_starts", counter);
    Counter bytes(session, "mpix_bcast_bytes_sent", MPI_T_PVAR_CLASS_AGGREGATE);
    Counter time(session, "mpix_bcast_time", MPI_T_PVAR_CLASS_TIMER);
    Counter all(session, "mpix_starts", counter), others(session, "mpix_reduce_starts", counter);
    for (Counter* one : {&inits, &starts, &bytes, &time, &all, &others}) one->start();
    const double begun = MPI_Wtime();
    {
        Broadcast one, other;
        one.run(7);
        other.run(2);
    }
    const double passed = MPI_Wtime() - begun;
    CHECK(inits.read() == 2);
    CHECK(starts.read() == 9);
    CHECK(all.read() == 9);
    CHECK(others.read() == 0);
    CHECK(time.read<double>() > 0);
    CHECK(time.read<double>() < passed);
    // Each rank but the root gets the block once.
    CHECK(sum_over_ranks(bytes.read()) ==
          9ull * block * static_cast<unsigned long long>(size_of() - 1));
}

TEST_CASE("a handle counts from its start to its stop") {
    Broadcast bcast;
    const Session session;
    Counter starts(session, "mpix_bcast_starts", counter);
    bcast.run(3);
    CHECK(starts.read() == 0);
    starts.start();
    bcast.run(4);
    CHECK(starts.read() == 4);
    starts.start();
    bcast.run(1);
    CHECK(starts.read() == 5);
    starts.stop();
    starts.stop();
    bcast.run(6);
    CHECK(starts.read() == 5);
    starts.start();
    bcast.run(2);
    CHECK(starts.read() == 7);
}

TEST_CASE("handles are reset and written without others noticing") {
    Broadcast bcast;
    const Session session;
    Counter one(session, "mpix_bcast_starts", counter),
        other(session, "mpix_bcast_starts", counter);
    one.start();
    other.start();
    bcast.run(3);
    CHECK(MPI_T_pvar_reset(session, one) == MPI_SUCCESS);
    CHECK(one.read() == 0);
    bcast.run(2);
    unsigned long long value = 0;
    CHECK(MPI_T_pvar_readreset(session, one, &value) == MPI_SUCCESS);
    CHECK(value == 2);
    CHECK(one.read() == 0);
    value = 100;
    CHECK(MPI_T_pvar_write(session, one, &value) == MPI_SUCCESS);
    bcast.run(1);
    CHECK(one.read() == 101);
    one.stop();
    CHECK(MPI_T_pvar_readreset(session, one, &value) == MPI_SUCCESS);
    CHECK(value == 101);
    CHECK(one.read() == 0);
    CHECK(other.read() == 6);
    double seconds = 2.5;
    Counter time(session, "mpix_bcast_time", MPI_T_PVAR_CLASS_TIMER);
    CHECK(MPI_T_pvar_write(session, time, &seconds) == MPI_SUCCESS);
    CHECK(time.read<double>() == 2.5);
}

TEST_CASE("all handles of a session are started, stopped and reset, the host's too") {
    Broadcast bcast;
    const Session session, another;
    Counter one(session, "mpix_bcast_starts", counter), two(session, "mpix_starts", counter);
    Counter level(session, "mpix_requests", MPI_T_PVAR_CLASS_LEVEL);
    Counter aside(another, "mpix_starts", counter);
    auto* const seen = static_cast<int*>(dlsym(RTLD_DEFAULT, "host_seen_all_handles"));
    auto* const seen_one = static_cast<int*>(dlsym(RTLD_DEFAULT, "host_seen_handles"));
    REQUIRE(seen);
    REQUIRE(seen_one);
    const int before = *seen, before_one = *seen_one;
    const int theirs = variable_of_host();
    MPI_T_pvar_handle host_handle{};
    int count = 0;
    if (theirs >= 0)
        CHECK(MPI_T_pvar_handle_alloc(session, theirs, nullptr, &host_handle, &count) ==
              MPI_SUCCESS);
    CHECK(MPI_T_pvar_start(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    bcast.run(5);
    CHECK(one.read() == 5);
    CHECK(two.read() == 5);
    CHECK(aside.read() == 0);
    CHECK(MPI_T_pvar_stop(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    bcast.run(5);
    CHECK(one.read() == 5);
    CHECK(MPI_T_pvar_reset(session, MPI_T_PVAR_ALL_HANDLES) == MPI_SUCCESS);
    CHECK(one.read() == 0);
    CHECK(two.read() == 0);
    CHECK(level.read() >= 1);
    // Hosts that do not know the value are told one by one.
    const bool is_told_at_once = HOST_TAKES_ALL_HANDLES;
    CHECK(*seen - before == (is_told_at_once ? 3 : 0));
    CHECK(*seen_one - before_one == (!is_told_at_once && theirs >= 0 ? 3 : 0));
}

TEST_CASE("handles belong to a session and end with it") {
    CHECK(tools_begun() == MPI_SUCCESS);
    Broadcast bcast;
    const Session keeping;
    Counter kept(keeping, "mpix_bcast_starts", counter);
    kept.start();
    MPI_T_pvar_session going{};
    CHECK(MPI_T_pvar_session_create(&going) == MPI_SUCCESS);
    int index = -1, count = 0;
    MPI_T_pvar_handle handle{};
    CHECK(MPI_T_pvar_get_index("mpix_bcast_starts", counter, &index) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_handle_alloc(going, index, nullptr, &handle, &count) == MPI_SUCCESS);
    CHECK(MPI_T_pvar_start(keeping, handle) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_pvar_start(going, handle) == MPI_SUCCESS);
    bcast.run(1);
    unsigned long long value = 0;
    CHECK(MPI_T_pvar_read(keeping, handle, &value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_pvar_read(going, handle, &value) == MPI_SUCCESS);
    CHECK(value == 1);
    CHECK(MPI_T_pvar_session_free(&going) == MPI_SUCCESS);
    CHECK(going == MPI_T_PVAR_SESSION_NULL);
    CHECK(MPI_T_pvar_read(keeping, handle, &value) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_pvar_handle_free(keeping, &handle) == MPI_T_ERR_INVALID_HANDLE);
    CHECK(MPI_T_pvar_handle_alloc(MPI_T_PVAR_SESSION_NULL, index, nullptr, &handle, &count) ==
          MPI_T_ERR_INVALID_SESSION);
    bcast.run(1);
    CHECK(kept.read() == 2);
}

TEST_CASE("levels are there without a start and cannot be changed") {
    const Session session;
    Counter requests(session, "mpix_requests", MPI_T_PVAR_CLASS_LEVEL);
    const unsigned long long before = requests.read();
    {
        Broadcast one, two;
        CHECK(requests.read() == before + 2);
    }
    CHECK(requests.read() == before);
    unsigned long long value = 1;
    CHECK(MPI_T_pvar_start(session, requests) == MPI_T_ERR_PVAR_NO_STARTSTOP);
    CHECK(MPI_T_pvar_stop(session, requests) == MPI_T_ERR_PVAR_NO_STARTSTOP);
    CHECK(MPI_T_pvar_reset(session, requests) == MPI_T_ERR_PVAR_NO_WRITE);
    CHECK(MPI_T_pvar_write(session, requests, &value) == MPI_T_ERR_PVAR_NO_WRITE);
    CHECK(MPI_T_pvar_readreset(session, requests, &value) == MPI_T_ERR_PVAR_NO_WRITE);
    Counter memory(session, "mpix_shared_memory", MPI_T_PVAR_CLASS_LEVEL);
    void* shared = nullptr;
    CHECK_MPI(MPI_Alloc_mem(1 << 20, MPI_INFO_NULL, &shared));
    CHECK(memory.read() >= 1u << 20);
    CHECK_MPI(MPI_Free_mem(shared));
    Counter pending(session, "mpix_pending", MPI_T_PVAR_CLASS_LEVEL);
    CHECK(pending.read() == 0);
}

TEST_CASE("plans of plain collectives are counted as their communicator says") {
    const Session session;
    Counter kept(session, "mpix_kept_plans", MPI_T_PVAR_CLASS_LEVEL);
    MPI_Comm comm = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &comm));
    CHECK_MPI(call_by_name("MPIX_Auto_set", comm, 1));
    const unsigned long long before = kept.read();
    for (int i = 0; i < 10; ++i) CHECK_MPI(MPI_Barrier(comm));
    int flag = 0, plans = -1;
    CHECK_MPI(call_by_name("MPIX_Auto_get", comm, &flag, &plans));
    CHECK(plans == (size_of() > 1 ? 1 : 0));
    CHECK(kept.read() == before + static_cast<unsigned long long>(plans));
    CHECK_MPI(MPI_Comm_free(&comm));
    CHECK(kept.read() == before);
}

TEST_CASE("a pair is counted from its first start, before it has met") {
    const Session session;
    Counter sends(session, "mpix_psend_starts", counter),
        recvs(session, "mpix_precv_starts", counter);
    Counter bytes(session, "mpix_psend_bytes_sent", MPI_T_PVAR_CLASS_AGGREGATE);
    for (Counter* one : {&sends, &recvs, &bytes}) one->start();
    const int next = (rank_of() + 1) % size_of(), before = (rank_of() + size_of() - 1) % size_of();
    std::vector<char> out(2 * block), in(2 * block);
    MPI_Request requests[2];
    CHECK_MPI(call_by_name("MPI_Psend_init", static_cast<const void*>(out.data()), 2,
                           MPI_Count{block}, MPI_BYTE, next, 5, MPI_COMM_WORLD, MPI_INFO_NULL,
                           &requests[0]));
    CHECK_MPI(call_by_name("MPI_Precv_init", static_cast<void*>(in.data()), 2, MPI_Count{block},
                           MPI_BYTE, before, 5, MPI_COMM_WORLD, MPI_INFO_NULL, &requests[1]));
    for (int i = 0; i < 7; ++i) {
        CHECK_MPI(MPI_Startall(2, requests));
        for (const int partition : {0, 1})
            CHECK_MPI(call_by_name("MPI_Pready", partition, requests[0]));
        CHECK_MPI(MPI_Waitall(2, requests, MPI_STATUSES_IGNORE));
    }
    CHECK(sends.read() == 7);
    CHECK(recvs.read() == 7);
    CHECK(bytes.read() == 7u * 2 * block);
    for (MPI_Request& request : requests) CHECK_MPI(MPI_Request_free(&request));
}

TEST_CASE("another thread may look while plans run") {
    Broadcast bcast;
    const Session session;
    Counter starts(session, "mpix_bcast_starts", counter);
    starts.start();
    bool is_done = false, goes_back = false;
    std::mutex mutex;
    std::thread looking([&, seen = 0ull]() mutable {
        for (;;) {
            const std::lock_guard lock(mutex);
            if (is_done) return;
            unsigned long long value = 0;
            MPI_T_pvar_read(session, starts, &value);
            goes_back |= value < seen;
            seen = value;
        }
    });
    bcast.run(200);
    {
        const std::lock_guard lock(mutex);
        is_done = true;
    }
    looking.join();
    CHECK(!goes_back);
    CHECK(starts.read() == 200);
}
