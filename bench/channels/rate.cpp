// SPDX-License-Identifier: BSD-3-Clause
//
// Windows of messages of 8 bytes from one rank to another, each answered by one message.
#include "bench/channels/end.hpp"
#include "bench/channels/parts.hpp"
#include "bench/common/direction.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <numeric>

namespace mpix::bench {

namespace {

constexpr int window = 64;

enum class Way { array, one_by_one, slack };
struct Kind {
    const char* name;
    Way way;
};
constexpr std::array<Kind, 3> kinds{{{"host persistent", Way::array},
                                     {"host one-by-one", Way::one_by_one},
                                     {"mpix slack", Way::slack}}};

class Stream {
  public:
    Stream(const Kind& kind, const Functions& host, int tag, const Scene& scene);
    ~Stream();

    Verdict verdict() const;
    Batch batch(int iterations);

  private:
    bool is_alone() const { return peer_ >= scene_.ranks.size(); }
    bool sends() const { return rank_ < peer_; }
    int transfer();
    int transfer_by_host();
    int answer();

    const Scene& scene_;
    const Functions& host_;
    const Way way_;
    const int rank_ = scene_.ranks.rank(), peer_ = rank_ ^ 1;
    std::array<double, window> out_{}, in_{};
    double token_[2] = {};
    std::unique_ptr<ChannelEnds> ends_, answers_;
    std::vector<MPI_Request> requests_; // of the host: those of the window, an answer out, one in
};

Stream::Stream(const Kind& kind, const Functions& host, int tag, const Scene& scene)
    : scene_(scene), host_(host), way_(kind.way) {
    if (is_alone()) return;
    const MPI_Comm comm = scene.ranks.comm();
    constexpr int bytes = sizeof(double);
    if (way_ == Way::slack) {
        const Exchanged messages{out_.data(), in_.data(), bytes, peer_, tag};
        const Exchanged answer{&token_[0], &token_[1], bytes, peer_, tag};
        ends_ = std::make_unique<ChannelEnds>(messages, window, comm, scene.info);
        answers_ = std::make_unique<ChannelEnds>(answer, 1, comm, scene.info);
        return;
    }
    requests_.assign(window + 1, MPI_REQUEST_NULL);
    for (std::size_t i = 0; i < window; ++i)
        sends() ? host.send_init(&out_[i], bytes, MPI_BYTE, peer_, tag, comm, &requests_[i])
                : host.recv_init(&in_[i], bytes, MPI_BYTE, peer_, tag, comm, &requests_[i]);
    sends() ? host.recv_init(&token_[1], bytes, MPI_BYTE, peer_, tag, comm, &requests_[window])
            : host.send_init(&token_[0], bytes, MPI_BYTE, peer_, tag, comm, &requests_[window]);
}

Stream::~Stream() {
    for (MPI_Request& request : requests_)
        if (request != MPI_REQUEST_NULL) host_.free(&request);
}

Verdict Stream::verdict() const {
    const bool made = !ends_ || (ends_->made() && answers_->made());
    return scene_.ranks.everywhere(made) ? Verdict::right : Verdict::wrong;
}

int Stream::transfer_by_host() {
    int code = MPI_SUCCESS;
    for (std::size_t i = 0; i < window; ++i) code |= host_.start(&requests_[i]);
    if (way_ == Way::array)
        return code | host_.waitall(window, requests_.data(), MPI_STATUSES_IGNORE);
    for (std::size_t i = 0; i < window; ++i) code |= host_.wait(&requests_[i], MPI_STATUS_IGNORE);
    return code;
}

int Stream::transfer() {
    if (!ends_) return transfer_by_host();
    MPI_Request* const request = sends() ? ends_->send() : ends_->receive();
    int code = MPI_SUCCESS;
    for (int i = 0; i < window; ++i) code |= MPI_Start(request);
    for (int i = 0; i < window; ++i) code |= MPI_Wait(request, MPI_STATUS_IGNORE);
    return code;
}

int Stream::answer() {
    if (!ends_) {
        const int code = host_.start(&requests_[window]);
        return code | host_.wait(&requests_[window], MPI_STATUS_IGNORE);
    }
    MPI_Request* const request = sends() ? answers_->receive() : answers_->send();
    return MPI_Start(request) | MPI_Wait(request, MPI_STATUS_IGNORE);
}

Batch Stream::batch(int iterations) {
    scene_.ranks.barrier();
    Batch batch{0.1};
    if (is_alone()) return batch;
    batch.right &= transfer() == MPI_SUCCESS && answer() == MPI_SUCCESS;
    double sum = 0;
    for (int iteration = 0; iteration < iterations; ++iteration) {
        if (sends()) std::iota(out_.begin(), out_.end(), iteration);
        const auto began = Clock::now();
        batch.right &= transfer() == MPI_SUCCESS && answer() == MPI_SUCCESS;
        sum += nanoseconds(Clock::now() - began);
        if (!sends())
            batch.right &= in_.front() == iteration && in_.back() == iteration + window - 1;
    }
    if (sends()) batch.whole = std::max(0.1, (sum / iterations - clock_cost()) / window);
    return batch;
}

} // namespace

void race_rates(const Scene& scene) {
    const Functions host = functions_of(scene.host);
    const Racers racers = race_kinds(kinds, scene, [&](const Kind& kind, int number) {
        return std::make_unique<Stream>(kind, host, number, scene);
    });
    Row row{"rate", {{"bytes", 8}, {"window", window}}};
    for (const Racer& racer : racers)
        row.add_time(racer, "message", &Racer::whole, Unit::nanoseconds);
    for (std::size_t i = 0; i < 2; ++i)
        row.add_ratio(racers[i], racers[2], i == 0 ? "vs" : "vs 1b1");
    scene.tell(row);
}

} // namespace mpix::bench
