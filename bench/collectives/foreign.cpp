// SPDX-License-Identifier: BSD-3-Clause
#include "bench/collectives/foreign.hpp"

#include "bench/common/functions.hpp"

#include <algorithm>
#include <memory>
#include <utility>

namespace mpix::bench {

namespace {

constexpr int plan_counts[] = {0, 1000};
constexpr int message_counts[] = {1, 16, 256};
constexpr double batch_time = 1e6; // nanoseconds

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

// Messages of 8 bytes that a rank exchanges with itself.
struct Buffers {
    explicit Buffers(int messages) : sent(static_cast<std::size_t>(messages)), received(sent) {}

    std::vector<double> sent, received;
    double serial = 0;
};

// By the functions of one side. The first half of the requests receives.
class Traffic {
  public:
    Traffic(const Functions& by, Buffers& buffers, const Ranks& ranks)
        : by_(by), buffers_(buffers), ranks_(ranks), count_(static_cast<int>(buffers.sent.size())),
          requests_(2 * buffers.sent.size(), MPI_REQUEST_NULL) {}
    virtual ~Traffic() = default;
    Traffic(const Traffic&) = delete;
    Traffic& operator=(const Traffic&) = delete;

    // Nanoseconds a round, on this rank.
    double batch(int rounds);
    bool right() const { return right_; }

  protected:
    virtual int exchange() = 0; // MPI_SUCCESS if nothing has failed

    // one(buffer, tag, request) of each receive, then of each send.
    template<class Receive, class Send>
    int each(Receive receive, Send send) {
        int failed = 0;
        for (int at = 0; at < count_; ++at)
            failed |= receive(buffers_.received.data() + at, 1, MPI_DOUBLE, ranks_.rank(), at,
                              ranks_.comm(), requests_.data() + at);
        for (int at = 0; at < count_; ++at)
            failed |= send(buffers_.sent.data() + at, 1, MPI_DOUBLE, ranks_.rank(), at,
                           ranks_.comm(), requests_.data() + count_ + at);
        return failed;
    }
    int wait_for_all() { return by_.waitall(2 * count_, requests_.data(), MPI_STATUSES_IGNORE); }

    const Functions& by_;
    Buffers& buffers_;
    const Ranks& ranks_;
    const int count_;
    std::vector<MPI_Request> requests_;

  private:
    double round();

    bool right_ = true;
};

double Traffic::round() {
    for (double& element : buffers_.sent) element = ++buffers_.serial;
    const auto began = Clock::now();
    const int failed = exchange();
    const double passed = nanoseconds(Clock::now() - began);
    right_ = right_ && failed == MPI_SUCCESS && buffers_.sent == buffers_.received;
    return passed - clock_cost();
}

double Traffic::batch(int rounds) {
    round();
    double sum = 0;
    for (int done = 0; done < rounds; ++done) sum += round();
    return sum / rounds;
}

class Nonblocking final : public Traffic {
  public:
    using Traffic::Traffic;

  private:
    int exchange() override { return each(by_.irecv, by_.isend) | wait_for_all(); }
};

class Persistent : public Traffic {
  public:
    Persistent(const Functions& by, Buffers& buffers, const Ranks& ranks)
        : Traffic(by, buffers, ranks) {
        each(by_.recv_init, by_.send_init);
    }
    ~Persistent() override {
        for (MPI_Request& request : requests_) by_.free(&request);
    }

  private:
    int exchange() override { return by_.startall(2 * count_, requests_.data()) | wait_for_all(); }
};

class OneByOne final : public Persistent {
  public:
    using Persistent::Persistent;

  private:
    int exchange() override {
        int failed = 0;
        for (MPI_Request& request : requests_) failed |= by_.start(&request);
        for (MPI_Request& request : requests_) failed |= by_.wait(&request, MPI_STATUS_IGNORE);
        return failed;
    }
};

using Make = std::unique_ptr<Traffic> (*)(const Functions& by, Buffers& buffers,
                                          const Ranks& ranks);
template<class Way>
std::unique_ptr<Traffic> make(const Functions& by, Buffers& buffers, const Ranks& ranks) {
    return std::make_unique<Way>(by, buffers, ranks);
}

constexpr std::pair<const char*, Make> ways[] = {{"Isend, Waitall", make<Nonblocking>},
                                                 {"Startall, Waitall", make<Persistent>},
                                                 {"Start, Wait", make<OneByOne>}};

Foreign race(const std::pair<const char*, Make>& way, int messages, int plans, int rounds,
             const Functions& host, const Ranks& ranks) {
    Buffers buffers(messages);
    const auto own = way.second(host, buffers, ranks);
    const auto other = way.second(linked_functions(), buffers, ranks);
    own->batch(10);
    const double each = ranks.maximum(own->batch(10));
    const int length = std::clamp(static_cast<int>(batch_time / each), 1, 4000);
    std::vector<double> theirs, ours;
    for (int round = 0; round < rounds; ++round) {
        ranks.barrier();
        if (round % 2) theirs.push_back(own->batch(length));
        ours.push_back(other->batch(length));
        if (round % 2 == 0) theirs.push_back(own->batch(length));
    }
    return {way.first,
            messages,
            plans,
            ranks.everywhere(own->right() && other->right()),
            spread(std::move(theirs), ranks),
            spread(std::move(ours), ranks)};
}

} // namespace

void measure_foreign(int rounds, const HostLibrary& host, const Ranks& ranks,
                     const std::function<void(const Foreign&)>& report) {
    const Functions own = functions_of(host);
    for (const int count : plan_counts) {
        const Plans plans(count, ranks);
        const bool made = ranks.everywhere(plans.made());
        for (const auto& way : ways)
            for (const int messages : message_counts) {
                Foreign row = race(way, messages, count, rounds, own, ranks);
                row.right = row.right && made;
                report(row);
            }
    }
}

} // namespace mpix::bench
