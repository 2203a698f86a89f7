// SPDX-License-Identifier: BSD-3-Clause
//
// Ping-pong over the host, of a short message, and of long ones as a whole and in parts by turns.
// Where parts are so short that a host does not ask the receiver first, and the whole is not, the
// parts are quicker: by how much, and how long they may be, is what plans need to know. The leader
// says before each few trips what comes.
#include "comm/eager_limit.hpp"
#include "comm/network.hpp"
#include "comm/network_cards.hpp"

#include "host/failure.hpp"
#include "host/host.hpp"
#include "progress/waiting.hpp"

#include <boost/container/static_vector.hpp>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <thread>

namespace mpix::comm {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int tag = 0; // no plan is there yet
constexpr int most_parts = 4;
static_assert(2 * most_parts * part_lengths.back() <= static_cast<int>(sizeof(NetworkMessage)));
// Short ones, the taking of them and seven comparisons: 20 ms together.
static_assert(most_looks + 1 <= 7);
constexpr auto time_of_each = std::chrono::microseconds(2200);
constexpr int trips_at_once = 4, most_rounds = 16, fewest_rounds = 2;
constexpr double quickest = 1.0 / 50000; // of a byte: no network goes at 50 GB/s
constexpr double slowest = 200;          // what takes longer is the scheduler, and not the network

// What the leader says. No trips: it has enough.
struct Announcement {
    int trips = 0, parts = 0, part = 0;
};

double us_since(Clock::time_point begin) {
    return std::chrono::duration<double, std::micro>(Clock::now() - begin).count();
}

class Pair {
  public:
    Pair(MPI_Comm comm, int other, NetworkMessage& room)
        : comm_(comm), other_(other), out_(room.data()), in_(room.data() + room.size() / 2) {}

    void tell(const Announcement& what) {
        std::memcpy(out_, &what, sizeof what);
        send(sizeof what, 0);
        wait();
    }

    Announcement hear() {
        Announcement what;
        receive(sizeof what, 0);
        wait();
        std::memcpy(&what, in_, sizeof what);
        return what;
    }

    void lead_trip(const Announcement& of) {
        each(of, &Pair::receive);
        each(of, &Pair::send);
        wait();
    }

    // What it takes to take them, when all have come.
    double lead_taking(const Announcement& of, double come_within_us) {
        each(of, &Pair::receive);
        each(of, &Pair::send);
        const Clock::time_point begin = Clock::now();
        while (us_since(begin) < come_within_us) std::this_thread::yield(); // to the other, maybe
        const Clock::time_point all_there = Clock::now();
        wait();
        return us_since(all_there);
    }

    void answer_trip(const Announcement& of) {
        each(of, &Pair::receive);
        wait();
        each(of, &Pair::send);
        wait();
    }

    // What the posting of the last message took.
    double posting() const { return posting_; }

  private:
    void each(const Announcement& of, void (Pair::*post)(int bytes, int offset)) {
        for (int i = 0; i < of.parts; ++i) (this->*post)(of.part, i * of.part);
    }
    void send(int bytes, int offset) {
        requests_.push_back(MPI_REQUEST_NULL);
        const Clock::time_point begin = Clock::now();
        host::check(
            HOST(Isend)(out_ + offset, bytes, MPI_BYTE, other_, tag, comm_, &requests_.back()));
        posting_ = us_since(begin);
    }
    void receive(int bytes, int offset) {
        requests_.push_back(MPI_REQUEST_NULL);
        host::check(
            HOST(Irecv)(in_ + offset, bytes, MPI_BYTE, other_, tag, comm_, &requests_.back()));
    }
    void wait() {
        for (MPI_Request& request : requests_) host::check(progress::wait_for(request));
        requests_.clear();
    }

    MPI_Comm comm_;
    int other_;
    std::byte *out_, *in_;
    double posting_ = 0;
    boost::container::static_vector<MPI_Request, 2 * most_parts> requests_;
};

class Times {
  public:
    void add(double us) { all_.push_back(us); }
    bool has_room() const { return all_.size() < all_.capacity(); }
    double least() const { return *std::min_element(all_.begin(), all_.end()); }
    // What others disturbed is beyond it.
    double usual() {
        const auto middle = all_.begin() + static_cast<std::ptrdiff_t>(all_.size() / 2);
        std::nth_element(all_.begin(), middle, all_.end());
        return *middle;
    }

  private:
    boost::container::static_vector<double, most_rounds * trips_at_once> all_;
};

// There and back, and what the posting took.
void make_trips(Pair& pair, const Announcement& of, Times& trips, Times& postings) {
    pair.tell(of);
    for (int i = 0; i < of.trips; ++i) {
        const Clock::time_point begin = Clock::now();
        pair.lead_trip(of);
        if (i == 0) continue; // the other may have come late to its receives
        trips.add(us_since(begin));
        postings.add(pair.posting());
    }
}

// Calls what makes trips again and again.
template<class MakeTrips>
void for_some_time(MakeTrips make) {
    const Clock::time_point end = Clock::now() + time_of_each;
    for (int round = 0; round < most_rounds; ++round) {
        if (round >= fewest_rounds && Clock::now() > end) break;
        make();
    }
}

// Of one more message, where several have come.
double measure_taking(Pair& pair, const NetworkCosts& costs) {
    const auto least = [&](int messages, Times& times) {
        const Announcement of{trips_at_once, messages, 8};
        pair.tell(of);
        const double trip = 2 * (costs.latency + messages * costs.overhead);
        for (int i = 0; i < of.trips; ++i) times.add(pair.lead_taking(of, 2 * trip));
        return times.least();
    };
    Times of_one, of_several;
    double one = 0, several = 0;
    for_some_time([&] {
        one = least(1, of_one);
        several = least(most_parts, of_several);
    });
    return std::clamp((several - one) / (most_parts - 1), 0.0, costs.latency);
}

WholeAndParts compare(Pair& pair, int parts, int part) {
    Times whole, in_parts, postings;
    for_some_time([&] {
        Times ignored;
        make_trips(pair, {trips_at_once, 1, parts * part}, whole, ignored);
        make_trips(pair, {trips_at_once, parts, part}, in_parts, ignored);
    });
    return {whole.usual() / 2, in_parts.usual() / 2};
}

// Where no parts gain clearly, a host that is known to ask waits for the answer all the same.
void find_step(Pair& pair, NetworkCosts& costs) {
    const EagerParts found =
        find_eager_parts(costs.latency, [&](int length) { return compare(pair, 2, length); });
    costs.rendezvous = std::min(costs.rendezvous, 2 * costs.latency);
    double bytes = 2 * part_lengths.back(), all = found.last.whole - costs.latency;
    if (found.bytes > 0) {
        const WholeAndParts four = compare(pair, most_parts, found.bytes);
        costs.eager = found.bytes + 1;
        costs.rendezvous = std::max(found.two.gain() + costs.overhead,
                                    four.gain() + (most_parts - 1) * costs.overhead);
        bytes = most_parts * found.bytes;
        all = four.parts - costs.latency - (most_parts - 1) * costs.overhead;
    }
    costs.per_byte = std::max(all / bytes, quickest);
}

} // namespace

NetworkCosts lead_network(MPI_Comm comm, int other, NetworkMessage& room) {
    Pair pair(comm, other, room);
    Times trips, postings;
    // The first makes their connection.
    for_some_time([&] { make_trips(pair, {trips_at_once, 1, 8}, trips, postings); });
    const double latency = trips.least() / 2;
    NetworkCosts costs = usual_network(fast_cards());
    if (latency <= slowest) {
        costs.latency = latency;
        costs.overhead = std::min(postings.least(), latency);
        costs.taking = measure_taking(pair, costs);
        find_step(pair, costs);
    }
    pair.tell({});
    return costs;
}

void skip_network(MPI_Comm comm, int other, NetworkMessage& room) {
    Pair(comm, other, room).tell({});
}

void answer_network(MPI_Comm comm, int other, NetworkMessage& room) {
    Pair pair(comm, other, room);
    for (Announcement of = pair.hear(); of.trips > 0; of = pair.hear())
        for (int i = 0; i < of.trips; ++i) pair.answer_trip(of);
}

} // namespace mpix::comm
