// SPDX-License-Identifier: BSD-3-Clause
//
// A message there and one back between each two ranks, by every way that the host has.
#include "bench/channels/end.hpp"
#include "bench/channels/parts.hpp"
#include "bench/common/direction.hpp"
#include "bench/common/memory.hpp"
#include "bench/common/pattern.hpp"

#include <algorithm>
#include <array>
#include <memory>

namespace mpix::bench {

namespace {

enum class Way { blocking, nonblocking, persistent, channel };

struct Kind {
    const char* name;
    Way way;
    Memory memory;
};

constexpr std::array<Kind, 5> kinds{{
    {"host blocking", Way::blocking, Memory::heap},
    {"host nonblocking", Way::nonblocking, Memory::heap},
    {"host persistent", Way::persistent, Memory::heap},
    {"mpix channel", Way::channel, Memory::heap},
    {"mpix arena", Way::channel, Memory::arena},
}};

// The host's own functions.
struct Messages {
    explicit Messages(const HostLibrary& host)
        : send(host.find<decltype(MPI_Send)>("Send")), recv(host.find<decltype(MPI_Recv)>("Recv")),
          others(functions_of(host)) {}

    decltype(MPI_Send)* send;
    decltype(MPI_Recv)* recv;
    Functions others;
};

// Rank 2n and the next.
class Players {
  public:
    Players(const Kind& kind, const Messages& host, std::size_t bytes, int tag, const Scene& scene);
    ~Players();

    Verdict verdict() const;
    Batch batch(int iterations);

  private:
    bool is_alone() const { return peer_ >= scene_.ranks.size(); }
    bool leads() const { return rank_ < peer_; }
    double once(bool& right);
    int turn();
    int turn_of_blocking();
    int turn_of_requests();
    int start(bool sends);
    int wait(bool sends);

    const Scene& scene_;
    const Messages& host_;
    const Way way_;
    const int rank_ = scene_.ranks.rank(), peer_ = rank_ ^ 1, tag_;
    const int bytes_, elements_;
    const Room out_, in_;
    std::unique_ptr<ChannelEnds> ends_;
    std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL}; // send, receive
    int serial_ = 0;
};

Players::Players(const Kind& kind, const Messages& host, std::size_t bytes, int tag,
                 const Scene& scene)
    : scene_(scene), host_(host), way_(kind.way), tag_(tag), bytes_(static_cast<int>(bytes)),
      elements_(static_cast<int>(bytes / sizeof(double))),
      out_(allocate(kind.memory, bytes / sizeof(double))),
      in_(allocate(kind.memory, bytes / sizeof(double))) {
    if (is_alone() || !out_ || !in_) return;
    const MPI_Comm comm = scene.ranks.comm();
    if (way_ == Way::channel)
        ends_ = std::make_unique<ChannelEnds>(Exchanged{out_.get(), in_.get(), bytes_, peer_, tag},
                                              1, comm, scene.info);
    if (way_ != Way::persistent) return;
    host.others.send_init(out_.get(), bytes_, MPI_BYTE, peer_, tag, comm, &requests_[0]);
    host.others.recv_init(in_.get(), bytes_, MPI_BYTE, peer_, tag, comm, &requests_[1]);
}

Players::~Players() {
    for (MPI_Request& request : requests_)
        if (request != MPI_REQUEST_NULL) host_.others.free(&request);
}

Verdict Players::verdict() const {
    if (!scene_.ranks.everywhere(out_ && in_)) return Verdict::missing;
    return scene_.ranks.everywhere(!ends_ || ends_->made()) ? Verdict::right : Verdict::wrong;
}

int Players::start(bool sends) {
    const MPI_Comm comm = scene_.ranks.comm();
    MPI_Request* const request = &requests_[sends ? 0 : 1];
    if (way_ == Way::channel) return MPI_Start(sends ? ends_->send() : ends_->receive());
    if (way_ == Way::persistent) return host_.others.start(request);
    return sends ? host_.others.isend(out_.get(), bytes_, MPI_BYTE, peer_, tag_, comm, request)
                 : host_.others.irecv(in_.get(), bytes_, MPI_BYTE, peer_, tag_, comm, request);
}

int Players::wait(bool sends) {
    if (way_ == Way::channel)
        return MPI_Wait(sends ? ends_->send() : ends_->receive(), MPI_STATUS_IGNORE);
    return host_.others.wait(&requests_[sends ? 0 : 1], MPI_STATUS_IGNORE);
}

// Who answers sends when all has come. The receive is there before.
int Players::turn_of_requests() {
    int code = MPI_SUCCESS;
    if (!leads()) code |= wait(false);
    if (!leads()) code |= start(false); // for the next
    code |= start(true);
    code |= wait(true);
    if (leads()) code |= wait(false);
    if (leads()) code |= start(false);
    return code;
}

int Players::turn_of_blocking() {
    const MPI_Comm comm = scene_.ranks.comm();
    const auto send = [&] { return host_.send(out_.get(), bytes_, MPI_BYTE, peer_, tag_, comm); };
    const auto receive = [&] {
        return host_.recv(in_.get(), bytes_, MPI_BYTE, peer_, tag_, comm, MPI_STATUS_IGNORE);
    };
    return leads() ? send() | receive() : receive() | send();
}

int Players::turn() { return way_ == Way::blocking ? turn_of_blocking() : turn_of_requests(); }

double Players::once(bool& right) {
    write_pattern(out_.get(), elements_, first_element(rank_, ++serial_));
    const auto began = Clock::now();
    right &= turn() == MPI_SUCCESS;
    return nanoseconds(Clock::now() - began);
}

Batch Players::batch(int iterations) {
    Batch batch{0.1};
    if (!is_alone() && way_ != Way::blocking) start(false);
    scene_.ranks.barrier();
    if (is_alone()) return batch;
    once(batch.right); // brings the ranks into step
    double sum = 0;
    for (int iteration = 0; iteration < iterations; ++iteration) sum += once(batch.right);
    batch.right &= holds_pattern(in_.get(), elements_, first_element(peer_, serial_), 1);
    if (leads()) batch.whole = std::max(0.1, (sum / iterations - clock_cost()) / 2);
    if (way_ == Way::blocking) return batch;
    // The receive that is there for the next is met.
    start(true);
    wait(true);
    wait(false);
    return batch;
}

double best(const Racers& racers, double Spread::*statistic) {
    double least = 0;
    for (std::size_t i = 0; i < 3; ++i)
        if (const double time = racers[i].whole.*statistic;
            racers[i].verdict == Verdict::right && (least == 0 || time < least))
            least = time;
    return least;
}

Row row_of(std::size_t bytes, const Racers& racers) {
    Row row{"pingpong", {{"bytes", static_cast<std::int64_t>(bytes)}}};
    for (const Racer& racer : racers) row.add_time(racer);
    for (std::size_t ours = 3; ours < kinds.size(); ++ours)
        row.add(racers[ours], "vs best", Unit::ratio, best(racers, &Spread::minimum) > 0,
                [&](double Spread::*statistic) {
                    return best(racers, statistic) / (racers[ours].whole.*statistic);
                });
    return row;
}

void race_one(std::size_t bytes, const Messages& host, const Scene& scene) {
    const Racers racers = race_kinds(kinds, scene, [&](const Kind& kind, int number) {
        return std::make_unique<Players>(kind, host, bytes, number, scene);
    });
    scene.tell(row_of(bytes, racers));
}

} // namespace

void race_pingpong(const Scene& scene) {
    const Messages host(scene.host);
    std::vector<std::size_t> sizes{8, 64, 512, 4 << 10, 32 << 10, 256 << 10, 1 << 20};
    if (scene.quick) sizes = {8, 4 << 10};
    if (!scene.sizes.empty()) sizes = scene.sizes;
    for (const std::size_t bytes : sizes) race_one(bytes, host, scene);
}

} // namespace mpix::bench
