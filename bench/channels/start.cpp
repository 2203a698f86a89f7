// SPDX-License-Identifier: BSD-3-Clause
//
// What the call of MPI_Start costs a sender whose receiver has started.
#include "bench/channels/end.hpp"
#include "bench/channels/parts.hpp"
#include "bench/common/direction.hpp"

#include <algorithm>
#include <memory>

namespace mpix::bench {

namespace {

constexpr int most = 64;

struct Kind {
    const char* name;
    int slackness; // 0: the host's persistent send
};
constexpr Kind kinds[] = {{"host persistent", 0}, {"mpix channel", 1}, {"mpix slack", most}};

class Starter {
  public:
    Starter(const Kind& kind, const Functions& host, int tag, const Scene& scene);
    ~Starter();

    Verdict verdict() const;
    Batch batch(int iterations);

  private:
    bool is_alone() const { return peer_ >= scene_.ranks.size(); }
    bool sends() const { return rank_ < peer_; }
    MPI_Request* request() {
        return !ends_ ? &request_ : sends() ? ends_->send() : ends_->receive();
    }
    int start() { return ends_ ? MPI_Start(request()) : host_.start(request()); }
    int wait() {
        return ends_ ? MPI_Wait(request(), MPI_STATUS_IGNORE)
                     : host_.wait(request(), MPI_STATUS_IGNORE);
    }

    const Scene& scene_;
    const Functions& host_;
    const int in_a_row_;
    const int rank_ = scene_.ranks.rank(), peer_ = rank_ ^ 1;
    double out_[most] = {}, in_[most] = {};
    std::unique_ptr<ChannelEnds> ends_;
    MPI_Request request_ = MPI_REQUEST_NULL;
};

Starter::Starter(const Kind& kind, const Functions& host, int tag, const Scene& scene)
    : scene_(scene), host_(host), in_a_row_(std::max(kind.slackness, 1)) {
    if (is_alone()) return;
    const MPI_Comm comm = scene.ranks.comm();
    constexpr int bytes = sizeof(double);
    if (kind.slackness > 0)
        ends_ = std::make_unique<ChannelEnds>(Exchanged{out_, in_, bytes, peer_, tag},
                                              kind.slackness, comm, scene.info);
    else
        sends() ? host.send_init(out_, bytes, MPI_BYTE, peer_, tag, comm, &request_)
                : host.recv_init(in_, bytes, MPI_BYTE, peer_, tag, comm, &request_);
}

Starter::~Starter() {
    if (request_ != MPI_REQUEST_NULL) host_.free(&request_);
}

Verdict Starter::verdict() const {
    return scene_.ranks.everywhere(!ends_ || ends_->made()) ? Verdict::right : Verdict::wrong;
}

// The other rank is in the barrier while this one is timed.
Batch Starter::batch(int iterations) {
    Batch batch{0.1};
    double sum = 0;
    for (int iteration = 0; iteration <= iterations; ++iteration) {
        if (!is_alone() && !sends())
            for (int i = 0; i < in_a_row_; ++i) batch.right &= start() == MPI_SUCCESS;
        scene_.ranks.barrier();
        if (is_alone()) continue;
        if (sends()) {
            const auto began = Clock::now();
            for (int i = 0; i < in_a_row_; ++i) batch.right &= start() == MPI_SUCCESS;
            const double time = nanoseconds(Clock::now() - began);
            if (iteration > 0) sum += time;
        }
        for (int i = 0; i < in_a_row_; ++i) batch.right &= wait() == MPI_SUCCESS;
    }
    if (!is_alone() && sends())
        batch.whole = std::max(0.1, (sum / iterations - clock_cost()) / in_a_row_);
    return batch;
}

} // namespace

void race_starts(const Scene& scene) {
    const Functions host = functions_of(scene.host);
    const Racers racers = race_kinds(kinds, scene, [&](const Kind& kind, int number) {
        return std::make_unique<Starter>(kind, host, number, scene);
    });
    Row row{"start", {{"bytes", 8}}};
    for (const Racer& racer : racers)
        row.add_time(racer, "MPI_Start", &Racer::whole, Unit::nanoseconds);
    scene.tell(row);
}

} // namespace mpix::bench
