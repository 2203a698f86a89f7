// SPDX-License-Identifier: BSD-3-Clause
// Partitioned sends and receives that are freed before their first start have never been: of those
// that stay the k-th send of an envelope meets the k-th receive, wherever the other side stands by
// then.
#include "partitioned/pairs.hpp"

#include <functional>
#include <set>
#include <thread>

using namespace mpitest;

namespace {

constexpr int tag = 12;

int salt_of(int sender, int number) { return sender * 100 + number; }

std::unique_ptr<SendEnd> send_to(int peer, int number, const Cut& cut = {2, 3}) {
    return std::make_unique<SendEnd>(
        cut, Envelope{peer, tag, MPI_COMM_WORLD, salt_of(rank_of(), number)});
}
std::unique_ptr<RecvEnd> recv_from(int peer, int number, const Cut& cut = {3, 2}) {
    return std::make_unique<RecvEnd>(cut,
                                     Envelope{peer, tag, MPI_COMM_WORLD, salt_of(peer, number)});
}

void make_progress() {
    int flag = 0;
    for (int turn = 0; turn < 50; turn++)
        CHECK_MPI(MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE));
}

// Some ends of a ring, made in the order of a text: s and r stay, S and R are freed at once, and Q
// and P are a receive and a send that are freed when all are there.
void make_and_use(const std::string& order, bool is_slow) {
    INFO(order << (is_slow ? ", slowly" : ""));
    const Ring ring;
    Sends sends, late_sends;
    Recvs recvs, late_recvs;
    for (const char kind : order) {
        const int next_send = static_cast<int>(sends.size());
        const int next_recv = static_cast<int>(recvs.size());
        if (kind == 's') sends.push_back(send_to(ring.next, next_send));
        if (kind == 'r') recvs.push_back(recv_from(ring.previous, next_recv));
        if (kind == 'P') late_sends.push_back(send_to(ring.next, 90));
        if (kind == 'Q') late_recvs.push_back(recv_from(ring.previous, 90));
        if (kind == 'S') send_to(ring.next, 91);
        if (kind == 'R') recv_from(ring.previous, 91);
        if (is_slow) make_progress();
    }
    late_sends.clear();
    if (is_slow) make_progress();
    late_recvs.clear();
    run_rounds(sends, recvs, 2);
}

// What one rank does with the ends of one envelope on one side: `stay` of them are used, the others
// are freed some time before anything that was made after them is started.
struct Script {
    std::vector<bool> stays;

    Script(int seed, int sender, bool sends, int stay) {
        Random random(mix(static_cast<std::uint32_t>(seed),
                          static_cast<std::uint32_t>(2 * sender + (sends ? 1 : 0))));
        for (int i = 0; i < stay; i++) {
            stays.insert(stays.end(), static_cast<std::size_t>(draw(random, 0, 2)), false);
            stays.push_back(true);
        }
        if (draw(random, 0, 1)) stays.push_back(false);
    }
};

template<class End>
class Side {
  public:
    using Make = std::function<std::unique_ptr<End>(int number)>;
    Side(Script script, Make make) : script_(std::move(script)), make_(std::move(make)) {}

    // One step by chance; false if nothing is left to do.
    bool step(Random& random) {
        std::vector<std::function<void()>> choices;
        if (ends_.size() < script_.stays.size()) choices.emplace_back([this] { make_next(); });
        bool may_start = true;
        for (std::size_t i = 0; i < ends_.size(); i++) {
            if (script_.stays[i]) {
                if (may_start && !started_.count(i)) choices.emplace_back([this, i] { start(i); });
            } else if (ends_[i]) {
                may_start = false;
                choices.emplace_back([this, i] { ends_[i].reset(); });
            }
        }
        if (choices.empty()) return false;
        choices[random() % choices.size()]();
        return true;
    }
    std::vector<std::unique_ptr<End>> take() {
        std::vector<std::unique_ptr<End>> used;
        for (auto& end : ends_)
            if (end) used.push_back(std::move(end));
        return used;
    }

  private:
    void make_next() {
        const bool stays = script_.stays[ends_.size()];
        ends_.push_back(make_(stays ? used_++ : 95));
    }
    void start(std::size_t i) {
        started_.insert(i);
        ends_[i]->start(0);
        if constexpr (std::is_same_v<End, SendEnd>) ends_[i]->mark_all(static_cast<unsigned>(i));
    }

    const Script script_;
    const Make make_;
    int used_ = 0;
    std::vector<std::unique_ptr<End>> ends_;
    std::set<std::size_t> started_;
};

void run_script(int seed, int stay, int factor) {
    INFO("seed " << seed << ", factor " << factor);
    const Ring ring;
    Side<SendEnd> send(Script(seed, ring.me, true, stay), [&](int number) {
        return send_to(ring.next, number, {2, 3 * factor});
    });
    Side<RecvEnd> recv(Script(seed, ring.previous, false, stay), [&](int number) {
        return recv_from(ring.previous, number, {3, 2 * factor});
    });
    Random random(mix(static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(77 + ring.me)));
    bool sends = true, receives = true;
    while (sends || receives) {
        if (random() % 2) sends = send.step(random);
        if (random() % 2) receives = recv.step(random);
        if (random() % 3 == 0) make_progress();
    }
    const Sends all_sends = send.take();
    const Recvs all_recvs = recv.take();
    for (const auto& end : all_recvs) end->finish();
    for (const auto& end : all_sends) end->finish();
    run_rounds(all_sends, all_recvs, 2);
}

} // namespace

TEST_CASE("a send that was freed before its first start, and then a pair") {
    for (const bool is_slow : {false, true})
        for (const char* order : {"Ssr", "rSs", "Psr", "rPs", "PPrss r", "sPrPsr", "PrsSr s"})
            make_and_use(order, is_slow);
}

TEST_CASE("a receive that was freed before its first start, and then a pair") {
    for (const bool is_slow : {false, true})
        for (const char* order : {"Rsr", "sRr", "Qsr", "sQr", "QQsrsr", "rQsQrs", "QsrRs r"})
            make_and_use(order, is_slow);
}

TEST_CASE("both, in many orders") {
    for (const bool is_slow : {false, true})
        for (const char* order : {"SRsr", "RSrs", "PQsr", "QPrs", "PsQr", "QrPs", "PrQsPr Qs",
                                  "QsRPrSs r", "PPQsrQQs r"})
            make_and_use(order, is_slow);
}

TEST_CASE("one side is started before anything of the other is withdrawn") {
    const Ring ring;
    for (const bool is_send : {true, false}) {
        INFO(is_send);
        auto spare_send = is_send ? send_to(ring.next, 80) : nullptr;
        auto spare_recv = is_send ? nullptr : recv_from(ring.previous, 80);
        Sends sends;
        Recvs recvs;
        if (is_send) {
            recvs.push_back(recv_from(ring.previous, 0));
            recvs[0]->start(0);
        } else {
            sends.push_back(send_to(ring.next, 0));
            sends[0]->start(0);
            sends[0]->mark_all(1);
        }
        make_progress();
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD));
        make_progress();
        spare_send.reset();
        spare_recv.reset();
        make_progress();
        if (is_send) {
            sends.push_back(send_to(ring.next, 0));
            sends[0]->start(0);
            sends[0]->mark_all(1);
        } else {
            recvs.push_back(recv_from(ring.previous, 0));
            recvs[0]->start(0);
        }
        for (auto& end : recvs) end->finish();
        for (auto& end : sends) end->finish();
        run_rounds(sends, recvs, 2);
    }
}

TEST_CASE("random orders of inits, frees and starts") {
    for (int seed = 0; seed < 60; seed++) run_script(seed, 1 + seed % 6, 1);
    for (int seed = 60; seed < 66; seed++) run_script(seed, 3, 10'000);
}

TEST_CASE("many are made, none is used, and then one pair is") {
    const Ring ring;
    for (int i = 0; i < 300; i++) {
        auto send = send_to(ring.next, 1);
        auto recv = recv_from(ring.previous, 1);
        if (i % 2) send.reset();
    }
    Sends sends;
    Recvs recvs;
    sends.push_back(send_to(ring.next, 2));
    recvs.push_back(recv_from(ring.previous, 2));
    run_rounds(sends, recvs, 3);
}

// What meets what is up to the time then, but nothing is lost, and nothing waits.
TEST_CASE("ends that are freed when later ones have been started") {
    const Ring ring;
    constexpr int pairs = 6;
    for (int seed = 0; seed < 30; seed++) {
        INFO("seed " << seed);
        Random random(mix(static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(ring.me)));
        std::vector<int> out(2 * pairs), in(2 * pairs, -1);
        std::vector<MPI_Request> used, spare;
        const auto make = [&](bool sends, int number, bool is_used) {
            MPI_Request request = MPI_REQUEST_NULL;
            if (sends) out[static_cast<std::size_t>(number)] = 1000 * ring.me + number;
            CHECK_MPI(sends
                          ? MPI_Psend_init(&out[static_cast<std::size_t>(number)], 1, 1, MPI_INT,
                                           ring.next, tag, MPI_COMM_WORLD, MPI_INFO_NULL, &request)
                          : MPI_Precv_init(&in[static_cast<std::size_t>(number)], 1, 1, MPI_INT,
                                           ring.previous, tag, MPI_COMM_WORLD, MPI_INFO_NULL,
                                           &request));
            if (!is_used) return spare.push_back(request);
            CHECK_MPI(MPI_Start(&request));
            if (sends) CHECK_MPI(MPI_Pready(0, request));
            used.push_back(request);
        };
        for (int i = 0; i < pairs; i++)
            for (const bool sends : {true, false}) {
                if (draw(random, 0, 2) == 0) make(sends, pairs + i, false);
                make(sends, i, true);
                if (draw(random, 0, 1)) make_progress();
                if (draw(random, 0, 2) == 0 && !spare.empty()) {
                    free_request(spare.back());
                    spare.pop_back();
                }
            }
        for (MPI_Request& request : spare) {
            free_request(request);
            make_progress();
        }
        CHECK_MPI(MPI_Waitall(static_cast<int>(used.size()), used.data(), MPI_STATUSES_IGNORE));
        std::multiset<int> wanted, got(in.begin(), in.begin() + pairs);
        for (int i = 0; i < pairs; i++) wanted.insert(1000 * ring.previous + i);
        CHECK((got == wanted));
        CHECK_MPI(MPI_Barrier(MPI_COMM_WORLD)); // none meets one of the next
        for (MPI_Request& request : used) free_request(request);
    }
}
