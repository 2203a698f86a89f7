// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/foreign.hpp"

#include <algorithm>

namespace mpix::bench {

namespace {

constexpr int plan_counts[] = {0, 1000};
constexpr int message_counts[] = {1, 16, 256};
constexpr double batch_time = 1e6; // nanoseconds

struct Functions {
    decltype(MPI_Irecv)* irecv;
    decltype(MPI_Isend)* isend;
    decltype(MPI_Waitall)* waitall;
};

Functions functions_of(const HostLibrary& host) {
    return {host.find<decltype(MPI_Irecv)>("Irecv"), host.find<decltype(MPI_Isend)>("Isend"),
            host.find<decltype(MPI_Waitall)>("Waitall")};
}

constexpr Functions linked{&MPI_Irecv, &MPI_Isend, &MPI_Waitall};

// Plans that nobody starts.
class Plans {
  public:
    Plans(int count, const Ranks& ranks) {
        for (int plan = 0; plan < count; ++plan) {
            MPI_Request& request = requests_.emplace_back(MPI_REQUEST_NULL);
            MPI_Bcast_init(&element_, 1, MPI_DOUBLE, 0, ranks.comm(), MPI_INFO_NULL, &request);
        }
    }
    ~Plans() {
        for (MPI_Request& request : requests_)
            if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
    }
    bool made() const { return std::ranges::count(requests_, MPI_REQUEST_NULL) == 0; }
    Plans(const Plans&) = delete;
    Plans& operator=(const Plans&) = delete;

  private:
    double element_ = 0;
    std::vector<MPI_Request> requests_;
};

// A number of messages of 8 bytes that a rank exchanges with itself.
class Traffic {
  public:
    Traffic(int messages, const Ranks& ranks)
        : ranks_(ranks), count_(messages), sent_(static_cast<std::size_t>(messages)),
          received_(sent_.size()), requests_(2 * sent_.size()) {}

    // Nanoseconds a round, on this rank.
    double batch(const Functions& by, int rounds);
    bool right() const { return right_; }

  private:
    double round(const Functions& by);

    const Ranks& ranks_;
    int count_;
    std::vector<double> sent_, received_;
    std::vector<MPI_Request> requests_;
    double serial_ = 0;
    bool right_ = true;
};

double Traffic::round(const Functions& by) {
    for (double& element : sent_) element = ++serial_;
    int failed = 0, self = ranks_.rank();
    const auto began = Clock::now();
    for (int at = 0; at < count_; ++at)
        failed |= by.irecv(received_.data() + at, 1, MPI_DOUBLE, self, at, ranks_.comm(),
                           requests_.data() + at);
    for (int at = 0; at < count_; ++at)
        failed |= by.isend(sent_.data() + at, 1, MPI_DOUBLE, self, at, ranks_.comm(),
                           requests_.data() + count_ + at);
    failed |= by.waitall(2 * count_, requests_.data(), MPI_STATUSES_IGNORE);
    const double passed = nanoseconds(Clock::now() - began);
    right_ = right_ && failed == MPI_SUCCESS && sent_ == received_;
    return passed - clock_cost();
}

double Traffic::batch(const Functions& by, int rounds) {
    round(by);
    double sum = 0;
    for (int done = 0; done < rounds; ++done) sum += round(by);
    return sum / rounds;
}

Foreign race(int messages, int plans, int rounds, const HostLibrary& host, const Ranks& ranks) {
    const Functions own = functions_of(host);
    Traffic traffic(messages, ranks);
    traffic.batch(own, 10);
    const double each = ranks.maximum(traffic.batch(own, 10));
    const int length = std::clamp(static_cast<int>(batch_time / each), 1, 4000);
    std::vector<double> theirs, ours;
    for (int round = 0; round < rounds; ++round) {
        ranks.barrier();
        if (round % 2) theirs.push_back(traffic.batch(own, length));
        ours.push_back(traffic.batch(linked, length));
        if (round % 2 == 0) theirs.push_back(traffic.batch(own, length));
    }
    return {messages, plans, ranks.everywhere(traffic.right()), spread(std::move(theirs), ranks),
            spread(std::move(ours), ranks)};
}

} // namespace

void measure_foreign(int rounds, const HostLibrary& host, const Ranks& ranks,
                     const std::function<void(const Foreign&)>& report) {
    for (const int count : plan_counts) {
        const Plans plans(count, ranks);
        const bool made = ranks.everywhere(plans.made());
        for (const int messages : message_counts) {
            Foreign row = race(messages, count, rounds, host, ranks);
            row.right = row.right && made;
            report(row);
        }
    }
}

} // namespace mpix::bench
