// SPDX-License-Identifier: BSD-3-Clause
// Requests of every kind that are null or have not been started, in every call that completes: they
// are complete, have the empty status, and are what they were.
#include <functional>
#include <string>

#include "common/completion.hpp"

using namespace mpitest;

namespace {

// Of messages to the rank itself, whose tags are theirs alone.
class Idle {
  public:
    Idle() {
        const MPI_Comm comm = MPI_COMM_WORLD;
        const int me = rank_of();
        add("null"); // stays
        MPI_Send_init(&out_, 1, MPI_INT, me, 1, comm, add("send"));
        MPI_Ssend_init(&out_, 1, MPI_INT, me, 2, comm, add("synchronous send"));
        MPI_Recv_init(&in_, 1, MPI_INT, me, 3, comm, add("receive"));
        MPI_Recv_init(&in_, 1, MPI_INT, MPI_ANY_SOURCE, 4, comm, add("receive from anybody"));
        MPI_Barrier_init(comm, MPI_INFO_NULL, add("barrier"));
        MPI_Allreduce_init(&out_, &in_, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, add("sum"));
        MPI_Psend_init(&out_, 1, 1, MPI_INT, me, 5, comm, MPI_INFO_NULL, add("partitioned send"));
        MPI_Precv_init(&in_, 1, 1, MPI_INT, me, 6, comm, MPI_INFO_NULL, add("its receive"));
        MPI_Psend_init(&out_, 1, 0, MPI_INT, me, 7, comm, MPI_INFO_NULL, add("send of nothing"));
        MPI_Psend_init(&out_, 1, 1, MPI_INT, MPI_PROC_NULL, 8, comm, MPI_INFO_NULL,
                       add("partitioned send to nobody"));
        MPIX_Pbcast_init(&out_, 1, 1, MPI_INT, 0, comm, MPI_INFO_NULL, add("partitioned bcast"));
        MPIX_Send_channel_init(&out_, 1, MPI_INT, me, 9, comm, MPI_INFO_NULL, add("channel"));
        MPIX_Recv_channel_init(&in_, 1, MPI_INT, me, 9, comm, MPI_INFO_NULL,
                               add("channel's receiver"));
        MPI_Barrier_init(comm, MPI_INFO_NULL, &member_);
        MPIX_Bundle_init(1, &member_, MPI_INFO_NULL, add("bundle"));
        for (std::size_t i = 1; i < requests.size(); i++) CHECK(requests[i] != MPI_REQUEST_NULL);
    }
    Idle(const Idle&) = delete;
    Idle& operator=(const Idle&) = delete;
    ~Idle() {
        for (std::size_t i = requests.size(); i-- > 1;)
            names_[i].starts_with("channel") ? MPIX_Unbind_channel(&requests[i])
                                             : MPI_Request_free(&requests[i]);
        MPI_Request_free(&member_);
    }

    int count() const { return static_cast<int>(requests.size()); }
    const std::string& name(std::size_t at) const { return names_[at]; }

    std::vector<MPI_Request> requests;

  private:
    MPI_Request* add(const char* name) {
        names_.emplace_back(name);
        requests.reserve(32);
        return &requests.emplace_back(MPI_REQUEST_NULL);
    }

    int out_ = 0, in_ = 0;
    MPI_Request member_ = MPI_REQUEST_NULL;
    std::vector<std::string> names_;
};

struct Outcome {
    bool is_complete = false;
    std::vector<MPI_Status> statuses; // of all, or one
};

struct Call {
    const char* name;
    std::function<Outcome(std::vector<MPI_Request>&)> complete;
};

// Of one request: the last for Wait, Test and Request_get_status.
const Call calls[] = {
    {"Wait",
     [](auto& requests) {
         MPI_Status status = spoiled_status();
         CHECK_MPI(MPI_Wait(&requests.back(), &status));
         return Outcome{true, {status}};
     }},
    {"Test",
     [](auto& requests) {
         MPI_Status status = spoiled_status();
         int flag = 0;
         CHECK_MPI(MPI_Test(&requests.back(), &flag, &status));
         return Outcome{flag != 0, {status}};
     }},
    {"Request_get_status",
     [](auto& requests) {
         MPI_Status status = spoiled_status();
         int flag = 0;
         CHECK_MPI(MPI_Request_get_status(requests.back(), &flag, &status));
         return Outcome{flag != 0, {status}};
     }},
    {"Waitall",
     [](auto& requests) {
         Outcome outcome{true, std::vector(requests.size(), spoiled_status())};
         CHECK_MPI(MPI_Waitall(static_cast<int>(requests.size()), requests.data(),
                               outcome.statuses.data()));
         return outcome;
     }},
    {"Testall",
     [](auto& requests) {
         Outcome outcome{false, std::vector(requests.size(), spoiled_status())};
         int flag = 0;
         CHECK_MPI(MPI_Testall(static_cast<int>(requests.size()), requests.data(), &flag,
                               outcome.statuses.data()));
         outcome.is_complete = flag != 0;
         return outcome;
     }},
    {"Waitany",
     [](auto& requests) {
         MPI_Status status = spoiled_status();
         int index = 0;
         CHECK_MPI(
             MPI_Waitany(static_cast<int>(requests.size()), requests.data(), &index, &status));
         return Outcome{index == MPI_UNDEFINED, {status}};
     }},
    {"Testany",
     [](auto& requests) {
         MPI_Status status = spoiled_status();
         int index = 0, flag = 0;
         CHECK_MPI(MPI_Testany(static_cast<int>(requests.size()), requests.data(), &index, &flag,
                               &status));
         return Outcome{flag != 0 && index == MPI_UNDEFINED, {status}};
     }},
    {"Waitsome",
     [](auto& requests) {
         std::vector<int> indices(requests.size());
         int count = 0;
         CHECK_MPI(MPI_Waitsome(static_cast<int>(requests.size()), requests.data(), &count,
                                indices.data(), MPI_STATUSES_IGNORE));
         return Outcome{count == MPI_UNDEFINED, {}};
     }},
    {"Testsome",
     [](auto& requests) {
         std::vector<int> indices(requests.size());
         int count = 0;
         CHECK_MPI(MPI_Testsome(static_cast<int>(requests.size()), requests.data(), &count,
                                indices.data(), MPI_STATUSES_IGNORE));
         return Outcome{count == MPI_UNDEFINED, {}};
     }},
};

void check(const Call& call, std::vector<MPI_Request> requests) {
    INFO(call.name);
    const std::vector<MPI_Request> before = requests;
    const Outcome outcome = call.complete(requests);
    CHECK(outcome.is_complete);
    for (const MPI_Status& status : outcome.statuses) CHECK(is_empty(status));
    CHECK(requests == before);
}

} // namespace

TEST_CASE("a request that is null or was not started is complete for every call") {
    const Idle idle;
    for (std::size_t i = 0; i < idle.requests.size(); i++) {
        INFO(idle.name(i));
        for (const Call& call : calls) check(call, {idle.requests[i]});
        for (const Call& call : calls) check(call, {MPI_REQUEST_NULL, idle.requests[i]});
    }
}

TEST_CASE("all of them together are complete for every call") {
    const Idle idle;
    for (const Call& call : calls) check(call, idle.requests);
}

TEST_CASE("among them one that was started is found by every call") {
    Idle idle;
    Ours sum;
    const auto at = idle.requests.size() / 2;
    idle.requests.insert(idle.requests.begin() + static_cast<std::ptrdiff_t>(at), sum.request);
    const int all = static_cast<int>(idle.requests.size());
    std::vector<int> indices(idle.requests.size());
    std::vector<MPI_Status> statuses(idle.requests.size());
    MPI_Request* const requests = idle.requests.data();
    for (int call = 0; call < 6; call++) {
        INFO("call " << call);
        sum.start(call);
        int flag = 0, index = static_cast<int>(at), count = 1;
        indices[0] = index;
        while (flag == 0 && call % 2 == 1) {
            pause_briefly();
            if (call == 1) CHECK_MPI(MPI_Testall(all, requests, &flag, statuses.data()));
            if (call == 3) CHECK_MPI(MPI_Testany(all, requests, &index, &flag, statuses.data()));
            if (call != 5) continue;
            CHECK_MPI(MPI_Testsome(all, requests, &count, indices.data(), statuses.data()));
            flag = count;
        }
        if (call == 0) CHECK_MPI(MPI_Waitall(all, requests, statuses.data()));
        if (call == 2) CHECK_MPI(MPI_Waitany(all, requests, &index, statuses.data()));
        if (call == 4)
            CHECK_MPI(MPI_Waitsome(all, requests, &count, indices.data(), statuses.data()));
        CHECK(index == static_cast<int>(at));
        CHECK(count == 1);
        CHECK(indices[0] == static_cast<int>(at));
        CHECK(sum.right(call));
        for (std::size_t i = 0; call < 2 && i < statuses.size(); i++)
            if (i != at) CHECK(is_empty(statuses[i]));
    }
    idle.requests.erase(idle.requests.begin() + static_cast<std::ptrdiff_t>(at)); // freed by sum
}
