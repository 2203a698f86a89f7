// SPDX-License-Identifier: BSD-3-Clause
// Channels where memory is missing or the host refuses a call, on one rank: a call that fails may
// be made again, and what was begun goes on.
#include "common/faults.hpp"

#include <chrono>
#include <thread>

using namespace mpitest;

namespace {

void run_and_unbind(const Ends& ends, int rounds) {
    for (int round = 0; round < rounds; round++) {
        for (const auto& end : ends) {
            end->prepare();
            insist([&] { return MPI_Start(&end->out); });
        }
        std::vector<MPI_Request*> requests;
        for (const auto& end : ends) requests.push_back(&end->out);
        complete(requests);
        for (const auto& end : ends) end->check_data();
    }
    for (const auto& end : ends) end->check_all();
    for (const auto& end : ends) insist([&] { return MPIX_Unbind_channel(&end->out); });
}

struct Arguments {
    explicit Arguments(const Ends& ends) {
        for (const auto& end : ends) {
            in.push_back(end->in);
            out.push_back(MPI_REQUEST_NULL);
            infos.push_back(end->info.info);
            slots.push_back(end->slack().slots);
        }
    }
    int count() const { return static_cast<int>(in.size()); }
    void hand_to(const Ends& ends) {
        for (std::size_t i = 0; i < ends.size(); i++) ends[i]->out = out[i];
    }
    std::vector<MPI_Request> in, out;
    std::vector<MPI_Info> infos;
    std::vector<int> slots;
};

// Two rings, one of them with gaps.
Ends two_rings(const Type& gaps, int slots) {
    Ends ends = ring(Mode::send, {5}, {5}, {slots, 5}, {slots, 5});
    for (auto& end : ring(Mode::ssend, {4, gaps}, {4, gaps})) ends.push_back(std::move(end));
    return ends;
}

// Begins the binds, and waits for them.
void bind_later(Arguments& all, const Ends& ends) {
    insist([&] {
        return MPIX_Ibind_slack_channels(all.in.data(), all.out.data(), all.count(),
                                         all.slots.data(), all.infos.data());
    });
    for (MPI_Request& request : all.in)
        insist([&] { return MPI_Wait(&request, MPI_STATUS_IGNORE); });
    all.hand_to(ends);
}

// Until all are complete.
void ask_for(const std::vector<MPI_Request*>& requests) {
    for (MPI_Request* request : requests)
        for (int flag = 0; !flag; pause_briefly())
            CHECK_MPI(MPI_Test(request, &flag, MPI_STATUS_IGNORE));
}

} // namespace

// The first here, and nothing waits before: what a process has to know for it, it finds once. With
// fewer cores than ranks.
TEST_CASE("a long wait needs no memory") {
    const ErrorsReturn guard;
    const Ends ends = ring(Mode::send, {5}, {5});
    Arguments all(ends);
    CHECK_MPI(MPIX_Ibind_slack_channels(all.in.data(), all.out.data(), all.count(),
                                        all.slots.data(), all.infos.data()));
    std::vector<MPI_Request*> promises;
    for (MPI_Request& request : all.in) promises.push_back(&request);
    ask_for(promises);
    all.hand_to(ends);
    for (int round = 0; round < 2; round++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank_of() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
        for (const auto& end : ends) end->start();
        Faults::set(Fault::allocation, 0, 1 << 30);
        for (const auto& end : ends)
            CHECK(attempt([&] { return MPI_Wait(&end->out, MPI_STATUS_IGNORE); }) == MPI_SUCCESS);
        CHECK(Faults::made == 0);
        Faults::set(Fault::allocation, -1, 0);
        for (const auto& end : ends) end->check_data();
    }
}

TEST_CASE("channels that are bound") {
    const Type gaps = vector_of(3, 1, 2);
    sweep_all([&] {
        const Ends ends = two_rings(gaps, 1);
        Arguments all(ends);
        insist([&] {
            return MPIX_Bind_slack_channels(all.in.data(), all.out.data(), all.count(),
                                            all.slots.data(), all.infos.data());
        });
        all.hand_to(ends);
        run_and_unbind(ends, 3);
    });
}

TEST_CASE("channels that are bound while the program goes on") {
    const Type gaps = vector_of(3, 1, 2);
    sweep_all([&] {
        const Ends ends = two_rings(gaps, 1);
        Arguments all(ends);
        bind_later(all, ends);
        run_and_unbind(ends, 3);
    });
}

// A round that the host refuses takes a slot: here it refuses none.
TEST_CASE("channels with slack") {
    const Type gaps = vector_of(3, 1, 2);
    CHECK(sweep(Fault::allocation, size_of() - 1, 1, [&] {
              const Ends ends = two_rings(gaps, 2);
              Arguments all(ends);
              bind_later(all, ends);
              run_and_unbind(ends, 3);
          }) >= 0);
}

TEST_CASE("channels made at once, in one order and in the other") {
    for (const bool sender_first : {true, false})
        sweep_all([&] {
            const Neighbours near;
            const auto comm = MPI_COMM_WORLD;
            std::vector<int> from(300, near.me), to(300, -1);
            MPI_Request requests[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
            for (const bool sends : {sender_first, !sender_first}) {
                MPI_Request* made = &requests[sends];
                insist(
                    [&] {
                        return sends
                                   ? MPIX_Send_channel_init(from.data(), 300, MPI_INT, near.next, 7,
                                                            comm, MPI_INFO_NULL, made)
                                   : MPIX_Recv_channel_init(to.data(), 300, MPI_INT, near.previous,
                                                            7, comm, MPI_INFO_NULL, made);
                    },
                    made);
                if (near.me == 0) MPI_Barrier(comm); // the others' letters may come early
            }
            if (near.me != 0)
                for (int i = 0; i < 2; i++) MPI_Barrier(comm);
            for (int round = 0; round < 3; round++) {
                from[299] = round;
                for (MPI_Request& request : requests) insist([&] { return MPI_Start(&request); });
                complete({&requests[0], &requests[1]});
                CHECK(to[0] == near.previous);
                CHECK(to[299] == round);
            }
            for (MPI_Request& request : requests)
                insist([&] { return MPIX_Unbind_channel(&request); });
        });
}
