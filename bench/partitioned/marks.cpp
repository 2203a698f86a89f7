// SPDX-License-Identifier: BSD-3-Clause
//
// What a call of MPI_Pready takes, of partitions of 8 bytes, by one thread and by eight at once.
#include "bench/common/direction.hpp"
#include "bench/common/pattern.hpp"
#include "bench/partitioned/markers.hpp"
#include "bench/partitioned/parts.hpp"

#include <array>
#include <memory>

namespace mpix::bench {

namespace {

constexpr int partitions = 1024;
constexpr std::size_t bytes = partitions * sizeof(double);

struct Kind {
    const char* name;
    bool ours;
    const char* least; // the value of the info key mpix_min_message_bytes
    const char* most;  // that of mpix_max_messages
};

constexpr std::array<Kind, 4> kinds{{
    {"host partitioned", false, nullptr, nullptr},
    {"mpix default", true, nullptr, nullptr},
    {"mpix min=1", true, "1", nullptr},
    {"mpix one-each", true, "1", "1024"},
}};

// Rank 2n marks, the next waits for what comes.
class Marking {
  public:
    Marking(const Kind& kind, const Functions& by, int threads, int tag, const Scene& scene);

    Verdict verdict() const {
        return ranks_.everywhere(!channel_ || channel_->made()) ? Verdict::right : Verdict::wrong;
    }
    Batch batch(int iterations);

  private:
    bool sends() const { return rank_ < peer_; }
    void receive(int iterations, Batch& batch);
    void send_alone(int iterations, Batch& batch);
    void send_by_threads(int iterations, Batch& batch);
    void begin(Batch& batch);

    const Ranks& ranks_;
    const int rank_ = ranks_.rank(), peer_ = rank_ ^ 1, threads_;
    const Room buffer_ = allocate(Memory::heap, partitions);
    std::unique_ptr<Channel> channel_;
    int serial_ = 0;
};

class Info {
  public:
    Info(const Kind& kind, MPI_Info base) {
        if (base == MPI_INFO_NULL)
            MPI_Info_create(&info_);
        else
            MPI_Info_dup(base, &info_);
        if (kind.least) MPI_Info_set(info_, "mpix_min_message_bytes", kind.least);
        if (kind.most) MPI_Info_set(info_, "mpix_max_messages", kind.most);
    }
    ~Info() { MPI_Info_free(&info_); }
    Info(const Info&) = delete;
    Info& operator=(const Info&) = delete;
    MPI_Info get() const { return info_; }

  private:
    MPI_Info info_ = MPI_INFO_NULL;
};

Marking::Marking(const Kind& kind, const Functions& by, int threads, int tag, const Scene& scene)
    : ranks_(scene.ranks), threads_(threads) {
    if (peer_ >= ranks_.size()) return;
    const Info info(kind, scene.info);
    channel_ = std::make_unique<Channel>(
        by, Form::partitioned, Traffic{buffer_.get(), bytes, partitions, peer_, tag, sends()},
        ranks_.comm(), kind.ours ? info.get() : MPI_INFO_NULL);
}

// The receiver has started when the first partition is marked.
void Marking::begin(Batch& batch) {
    ++serial_;
    if (sends()) write_pattern(buffer_.get(), partitions, first_element(rank_, serial_));
    batch.right &= channel_->start() == MPI_SUCCESS;
    ranks_.barrier();
}

void Marking::receive(int iterations, Batch& batch) {
    for (int iteration = 0; iteration <= iterations; ++iteration) {
        begin(batch);
        batch.right &= channel_->wait() == MPI_SUCCESS;
        batch.right &= holds_pattern(buffer_.get(), partitions, first_element(peer_, serial_), 1);
    }
}

void Marking::send_alone(int iterations, Batch& batch) {
    double spent = 0, passed = 0;
    for (int iteration = 0; iteration <= iterations; ++iteration) {
        begin(batch);
        const double processor = processor_time();
        const auto began = Clock::now();
        batch.right &= channel_->mark_one_by_one() == MPI_SUCCESS;
        if (iteration > 0) {
            passed += nanoseconds(Clock::now() - began) - clock_cost();
            spent += processor_time() - processor - processor_clock_cost();
        }
        batch.right &= channel_->wait() == MPI_SUCCESS;
    }
    batch.whole = spent / iterations;
    batch.after = passed / iterations;
}

void Marking::send_by_threads(int iterations, Batch& batch) {
    Markers markers(threads_, partitions, *channel_);
    double spent = 0, passed = 0;
    for (int iteration = 0; iteration <= iterations; ++iteration) {
        begin(batch);
        const double before = markers.processor_time_spent(), time = markers.round();
        if (iteration > 0) {
            passed += time;
            spent += markers.processor_time_spent() - before;
        }
        batch.right &= channel_->wait() == MPI_SUCCESS;
    }
    batch.right &= markers.code() == MPI_SUCCESS;
    batch.whole = spent / iterations;
    batch.after = passed / iterations;
}

// A rank without another only takes part in the barriers.
Batch Marking::batch(int iterations) {
    Batch batch{0.1, 0.1};
    if (!channel_)
        for (int iteration = 0; iteration <= iterations; ++iteration) ranks_.barrier();
    else if (!sends())
        receive(iterations, batch);
    else
        threads_ == 1 ? send_alone(iterations, batch) : send_by_threads(iterations, batch);
    return batch;
}

void add_calls(Row& row, const Racers& racers, const char* what, Spread Racer::*value) {
    for (const Racer& racer : racers)
        row.add(racer, what, Unit::nanoseconds, true,
                [&](double Spread::*statistic) { return racer.*value.*statistic / partitions; });
}

void race_marks(int threads, const Functions& host, const Scene& scene) {
    const Racers racers = race_kinds(kinds, scene, [&](const Kind& kind, int number) {
        const Functions& by = kind.ours ? linked_functions() : host;
        const bool may = kind.ours || threads == 1 || scene.multiple;
        return by.has_partitions() && may
                   ? std::make_unique<Marking>(kind, by, threads, number, scene)
                   : nullptr;
    });
    Row row{"pready", {{"threads", threads}, {"partitions", partitions}}};
    add_calls(row, racers, "processor", &Racer::whole);
    add_calls(row, racers, "elapsed", &Racer::after);
    scene.tell(row);
}

} // namespace

void race_marks(const Scene& scene) {
    const Functions host = functions_of(scene.host);
    for (const int threads : {1, 8}) race_marks(threads, host, scene);
}

} // namespace mpix::bench
