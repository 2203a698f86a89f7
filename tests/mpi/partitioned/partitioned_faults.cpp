// SPDX-License-Identifier: BSD-3-Clause
// Partitioned operations where memory is missing or the host refuses a call, on one rank: a call
// that fails may be made again, the ends meet nevertheless and in their order, and a round that
// could not be sent is an error and may be repeated.
#include "common/faults.hpp"

#include <algorithm>

using namespace mpitest;

namespace {

constexpr int ints = 40; // of a partition

struct Half {
    Half(bool does_send, int of_parts, int of_salt)
        : sends(does_send), parts(of_parts), salt(of_salt),
          data(static_cast<std::size_t>(of_parts * ints)) {}

    void make(int peer, MPI_Info info) {
        const auto init = [&] {
            return sends ? MPI_Psend_init(data.data(), parts, ints, MPI_INT, peer, 3,
                                          MPI_COMM_WORLD, info, &request)
                         : MPI_Precv_init(data.data(), parts, ints, MPI_INT, peer, 3,
                                          MPI_COMM_WORLD, info, &request);
        };
        insist(init, &request);
    }
    void fill(int round) {
        for (std::size_t i = 0; i < data.size(); i++)
            data[i] = sends ? value_at(salt, round, i) : -1;
    }
    void start() {
        insist([&] { return MPI_Start(&request); });
        for (int part = 0; sends && part < parts; part++)
            insist([&] { return MPI_Pready(part, request); });
    }
    // Starts it once more where it has failed: another may be waiting for it.
    bool is_done() {
        int flag = 0;
        const int code = attempt([&] { return MPI_Test(&request, &flag, MPI_STATUS_IGNORE); });
        if (code == MPI_SUCCESS) return flag != 0;
        check_class(code);
        start();
        return false;
    }
    void check(int round) const {
        int wrong = 0;
        for (std::size_t i = 0; !sends && i < data.size(); i++)
            wrong += data[i] != value_at(salt, round, i);
        CHECK(wrong == 0);
    }
    void free() {
        insist([&] { return MPI_Request_free(&request); });
    }

    const bool sends;
    const int parts, salt;
    std::vector<int> data;
    MPI_Request request = MPI_REQUEST_NULL;
};

void complete_all(std::vector<Half*> halves) {
    while (!halves.empty()) {
        std::erase_if(halves, [](Half* half) { return half->is_done(); });
        pause_briefly();
    }
}

// Pairs of one envelope to the next rank, and one more of each side that is never started.
void exchange(int parts, MPI_Info info, bool with_withdrawn) {
    const Neighbours near;
    std::vector<Half> all;
    for (const int number : {0, 1, 2}) {
        all.emplace_back(true, parts, 10 * near.me + number);
        all.emplace_back(false, parts, 10 * near.previous + number);
    }
    Half lost_send(true, parts, 0), lost_recv(false, parts, 0);
    const auto make = [&](Half& half) { half.make(half.sends ? near.next : near.previous, info); };
    for (Half& half : all) {
        if (&half == &all[2] && with_withdrawn) make(lost_send), make(lost_recv);
        make(half);
    }
    for (int round = 0; round < 2; round++) {
        for (Half& half : all) half.fill(round);
        for (const int i : {1, 0}) all[i].start();
        if (with_withdrawn && round == 0) lost_recv.free(), lost_send.free();
        for (const int i : {5, 4, 3, 2}) all[i].start(); // others stand in front of the last
        complete_all({&all[0], &all[1], &all[2], &all[3], &all[4], &all[5]});
        for (const Half& half : all) half.check(round);
    }
    for (Half& half : all) half.free();
}

// Round a ring: who marks a partition waits for the one from the left before he marks the next,
// though all are in one message.
void chain(MPI_Info info) {
    const Neighbours near;
    constexpr int parts = 3;
    Half out(true, parts, near.me), in(false, parts, near.previous);
    out.make(near.next, info);
    in.make(near.previous, info);
    for (int round = 0; round < 2; round++) {
        for (Half* half : {&out, &in}) {
            half->fill(round);
            insist([&] { return MPI_Start(&half->request); });
        }
        for (int part = 0; part < parts; part++) {
            insist([&] { return MPI_Pready(part, out.request); });
            for (int flag = 0; !flag; pause_briefly())
                insist([&] { return MPI_Parrived(in.request, part, &flag); });
        }
        complete_all({&out, &in});
        in.check(round);
    }
    out.free(), in.free();
}

// What the host refuses is sent again as a whole, which the receiver of one message cannot tell
// from the first time. Within a node it is never asked.
int messages_a_round() {
    return std::getenv("MPIX_TRANSPORT") || std::getenv("MPIX_NODE_SIZE") ? 1 : 3;
}

} // namespace

TEST_CASE("partitioned pairs") {
    const Info apart("mpix_min_message_bytes", "1");
    sweep_all([&] { exchange(messages_a_round(), apart, true); });
}

// A fragment that the host refuses is lost.
TEST_CASE("partitioned pairs in fragments") {
    const Info over_host("mpix_transport", "host");
    sweep_all([&] {
        if (Faults::kind == Fault::allocation) chain(over_host);
        if (Faults::kind == Fault::allocation || messages_a_round() > 1) chain(MPI_INFO_NULL);
    });
}

TEST_CASE("partitioned pairs over the host") {
    const Info over_host("mpix_transport", "host");
    sweep_all([&] { exchange(1, over_host, false); });
}

// Without refused messages in its rounds: the others would miss them.
TEST_CASE("partitioned collectives") {
    constexpr int parts = 3;
    const int ranks = size_of();
    std::vector<int> in(parts * ints), out(parts * ints), other(parts * ints);
    sweep_all([&] {
        MPI_Request request = make_together([&](MPI_Request* made) {
            return MPIX_Pallreduce_init(in.data(), out.data(), parts, ints, MPI_INT, MPI_SUM,
                                        MPI_COMM_WORLD, MPI_INFO_NULL, made);
        });
        for (const int round : {0, 1, 2}) {
            std::vector<int>& to = round == 2 ? other : out;
            if (round == 2)
                insist([&] { return MPIX_Request_rebind(request, in.data(), to.data()); });
            std::fill(in.begin(), in.end(), rank_of() + round);
            std::fill(to.begin(), to.end(), -1);
            const auto run = [&](const auto& call) {
                if (Faults::kind == Fault::host_call)
                    CHECK_MPI(call());
                else
                    insist(call);
            };
            run([&] { return MPI_Start(&request); });
            for (int part = 0; part < parts; part++) run([&] { return MPI_Pready(part, request); });
            run([&] { return MPI_Wait(&request, MPI_STATUS_IGNORE); });
            const int sum = ranks * (ranks - 1) / 2 + ranks * round;
            CHECK(std::count(to.begin(), to.end(), sum) == parts * ints);
        }
        insist([&] { return MPI_Request_free(&request); });
    });
}
