// SPDX-License-Identifier: BSD-3-Clause
//
// Threads that mark partitions of one request at once, by every call, at the thread level that
// MPIX_TEST_THREADS names. Below MPI_THREAD_MULTIPLE one thread calls everything else; above, each
// thread also asks for partitions and uses them. No thread tells that it has returned from its last
// mark: the next round begins when Wait returns. Exit code 1 where a value is wrong. (No test
// framework: it is not made for threads.)
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include "mpix/mpix.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

using Word = std::uint64_t;

int rank = 0, ranks = 1, level = MPI_THREAD_SINGLE;
std::atomic<int> wrong{0};

std::size_t index(int of) { return static_cast<std::size_t>(of); }

// What a rank sends in a round, so that a sum over ranks is arithmetic too.
Word word(int from, int round, std::size_t at) {
    return Word{0x9e3779b97f4a7c15} * static_cast<Word>(from + 1) +
           Word{0xbf58476d1ce4e5b9} * static_cast<Word>(round) + Word{0x94d049bb133111eb} * at;
}

struct Shape {
    const char* name;
    int partitions; // that each segment is sent in
    int words;      // of each
    int received;   // partitions that each segment is received in
    bool is_alone;  // a message for each partition
};

enum class Kind { ring, allreduce, alltoall };
constexpr std::array kind_names{"ring", "allreduce", "alltoall"};

// An operation with its buffers. In the ring two requests make it up.
class Operation {
  public:
    Operation(Kind kind, const Shape& shape);
    Operation(const Operation&) = delete;
    Operation& operator=(const Operation&) = delete;
    ~Operation() {
        for (int i = 0; i < count_; ++i) MPI_Request_free(&requests_[index(i)]);
    }

    std::string text() const {
        return std::string(kind_names[static_cast<std::size_t>(kind_)]) + " of " + shape_.name;
    }
    int segments() const { return kind_ == Kind::alltoall ? ranks : 1; }
    int parts() const { return shape_.partitions; } // of a segment
    int sent() const { return segments() * shape_.partitions; }
    int received() const { return segments() * shape_.received; } // partitions
    MPI_Request marked() const { return requests_[0]; }
    MPI_Request asked() const { return requests_[index(count_ - 1)]; }

    void start() { MPI_Startall(count_, requests_.data()); }
    void wait() { MPI_Waitall(count_, requests_.data(), MPI_STATUSES_IGNORE); }

    void write(int partition, int round) {
        const std::size_t words = index(shape_.words), first = index(partition) * words;
        for (std::size_t i = first; i < first + words; ++i) out_[i] = word(rank, round, i);
    }
    bool is_right(int partition, int round) const {
        const std::size_t words = segment_ / index(shape_.received);
        const std::size_t first = index(partition) * words;
        for (std::size_t i = first; i < first + words; ++i)
            if (in_[i] != expected(round, i)) return false;
        return true;
    }
    void check(int partition, int round) const {
        if (is_right(partition, round) || wrong++ > 0) return;
        std::fprintf(stderr, "rank %d: wrong: partition %d, round %d, %s\n", rank, partition, round,
                     text().c_str());
    }

  private:
    Word expected(int round, std::size_t at) const {
        if (kind_ == Kind::ring) return word((rank + ranks - 1) % ranks, round, at);
        if (kind_ == Kind::alltoall)
            return word(static_cast<int>(at / segment_), round,
                        index(rank) * segment_ + at % segment_);
        Word sum = 0;
        for (int r = 0; r < ranks; ++r) sum += word(r, round, at);
        return sum;
    }

    const Kind kind_;
    const Shape shape_;
    const std::size_t segment_; // words
    std::vector<Word> out_, in_;
    std::array<MPI_Request, 2> requests_{MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int count_ = 1;
};

// A reduction is received in the partitions in which it is sent.
Shape shape_for(Kind kind, Shape shape) {
    if (kind == Kind::allreduce) shape.received = shape.partitions;
    return shape;
}

Operation::Operation(Kind kind, const Shape& shape)
    : kind_(kind), shape_(shape_for(kind, shape)), segment_(index(shape.partitions * shape.words)),
      out_(segment_ * index(segments())), in_(out_.size()) {
    const int parts = shape.partitions, received = shape.received;
    const int count = shape.words, received_count = count * parts / received;
    const MPI_Comm comm = MPI_COMM_WORLD;
    MPI_Info info = MPI_INFO_NULL;
    if (shape.is_alone) {
        MPI_Info_create(&info);
        MPI_Info_set(info, "mpix_min_message_bytes", "1");
        MPI_Info_set(info, "mpix_max_messages", "1024");
    }
    switch (kind) {
    case Kind::ring:
        count_ = 2;
        MPI_Psend_init(out_.data(), parts, count, MPI_UINT64_T, (rank + 1) % ranks, 1, comm, info,
                       &requests_[0]);
        MPI_Precv_init(in_.data(), received, received_count, MPI_UINT64_T,
                       (rank + ranks - 1) % ranks, 1, comm, info, &requests_[1]);
        break;
    case Kind::allreduce:
        MPIX_Pallreduce_init(out_.data(), in_.data(), parts, count, MPI_UINT64_T, MPI_SUM, comm,
                             info, &requests_[0]);
        break;
    case Kind::alltoall:
        MPIX_Palltoall_init(out_.data(), parts, count, MPI_UINT64_T, in_.data(), received,
                            received_count, MPI_UINT64_T, comm, info, &requests_[0]);
        break;
    }
    if (info != MPI_INFO_NULL) MPI_Info_free(&info);
}

// Threads that each do a round's work when it begins.
class Team {
  public:
    using Work = std::function<void(int thread, int round)>;

    Team(int size, const Work& work) : size_(size) {
        for (int thread = 0; thread < size; ++thread)
            threads_.emplace_back([this, work, thread] { run(work, thread); });
    }
    Team(const Team&) = delete;
    Team& operator=(const Team&) = delete;
    ~Team() {
        ends_ = true;
        begin();
    }

    int size() const { return size_; }
    void begin() {
        ++begun_;
        begun_.notify_all();
    }
    // Until the work of all rounds that began is done.
    void await() const {
        for (int done = done_; done != begun_ * size_; done = done_) done_.wait(done);
    }

  private:
    void run(const Work& work, int thread) {
        for (int round = 1;; ++round) {
            for (int begun = begun_; begun < round; begun = begun_) begun_.wait(begun);
            if (ends_) return;
            work(thread, round);
            ++done_;
            done_.notify_all();
        }
    }

    const int size_;
    std::atomic<int> begun_{0}, done_{0};
    std::atomic<bool> ends_{false};
    std::vector<std::jthread> threads_;
};

// How a thread marks its share: partitions that are far apart or neighbours, with a call for each
// or one for all; or a partition of every segment.
enum class Way { apart, near, list, range, of_every_segment };
constexpr std::array ways{Way::apart, Way::near, Way::list, Way::range, Way::of_every_segment};

struct Share {
    int thread, threads;

    // Of so many partitions.
    std::vector<int> of(int all, bool is_near) const {
        std::vector<int> mine;
        for (int p = 0; p < all; ++p)
            if ((is_near ? p * threads / all : p % threads) == thread) mine.push_back(p);
        return mine;
    }
};

// Lets the others run, so that the last mark comes when they wait for it.
void dawdle() { std::this_thread::sleep_for(std::chrono::microseconds(200)); }

void mark_every_segment(Operation& operation, const Share& share, int round) {
    MPI_Request request = operation.marked();
    for (const int part : share.of(operation.parts(), false)) {
        for (int segment = 0; segment < operation.segments(); ++segment)
            operation.write(segment * operation.parts() + part, round);
        MPIX_Pready_extended(part, MPIX_ALL_DESTS, &request);
    }
}

void mark(Operation& operation, Way way, const Share& share, int round) {
    if (way == Way::of_every_segment) return mark_every_segment(operation, share, round);
    const bool is_near = way == Way::near || way == Way::range;
    std::vector<int> mine = share.of(operation.sent(), is_near);
    const bool is_last = share.thread == round % share.threads && round % 4 == 3;
    for (const int partition : mine) {
        operation.write(partition, round);
        if (is_last && partition == mine.back()) dawdle();
        if (way == Way::apart || way == Way::near) MPI_Pready(partition, operation.marked());
    }
    if (way == Way::list)
        MPI_Pready_list(static_cast<int>(mine.size()), mine.data(), operation.marked());
    if (way == Way::range) MPI_Pready_range(mine.front(), mine.back(), operation.marked());
}

// Until all of these are there; each is used as it comes.
void ask(const Operation& operation, std::vector<int> left, int round) {
    while (!left.empty())
        std::erase_if(left, [&](int partition) {
            int flag = 0;
            MPI_Parrived(operation.asked(), partition, &flag);
            if (flag) operation.check(partition, round);
            return flag != 0;
        });
}

// How many threads of a team may ask: at MPI_THREAD_SERIALIZED one, while nobody else does.
int askers(int threads) {
    if (level == MPI_THREAD_MULTIPLE) return threads;
    return level == MPI_THREAD_SERIALIZED ? 1 : 0;
}

// By turns who asks in a round: the main thread, nobody, the threads that mark.
enum class Asking { main, nobody, threads };
Asking asking_in(int round) { return static_cast<Asking>(round % (askers(1) > 0 ? 3 : 2)); }

void run(Kind kind, const Shape& shape, Way way, int threads, int rounds) {
    Operation operation(kind, shape);
    Team team(threads, [&, way, threads](int thread, int round) {
        mark(operation, way, {thread, threads}, round);
        if (asking_in(round) == Asking::threads && thread < askers(threads))
            ask(operation, Share{thread, askers(threads)}.of(operation.received(), false), round);
    });
    const std::vector<int> all = Share{0, 1}.of(operation.received(), true);
    for (int round = 1; round <= rounds; ++round) {
        operation.start();
        team.begin();
        if (asking_in(round) == Asking::main) ask(operation, all, round);
        if (asking_in(round) == Asking::threads) team.await();
        operation.wait();
        for (const int partition : all) operation.check(partition, round);
    }
}

constexpr Shape shapes[] = {
    {"1024 joined partitions of 8 B", 1024, 1, 512, false},
    {"64 partitions of 8 B", 64, 1, 64, true},
    {"32 partitions of 20 KiB", 32, 2'560, 16, false},
    {"16 partitions of 128 KiB", 16, 16'384, 16, false},
};

// All ranks and threads share few cores: of many ranks each does less.
void run_all(int rounds) {
    std::vector<int> teams{2, 4, 8, 16};
    if (ranks > 2) teams = {3, 16};
    if (ranks > 3) teams = {5};
    for (const Kind kind : {Kind::ring, Kind::allreduce, Kind::alltoall})
        for (const Shape& shape : shapes)
            for (const int threads : teams)
                for (const Way way : ways)
                    run(kind, shape, way, threads, shape.words > 1 ? 3 : rounds);
}

int level_of(const std::string& name) {
    if (name == "multiple") return MPI_THREAD_MULTIPLE;
    if (name == "serialized") return MPI_THREAD_SERIALIZED;
    return name == "funneled" ? MPI_THREAD_FUNNELED : MPI_THREAD_SINGLE;
}

} // namespace

int main(int argc, char** argv) {
    const char* const limit = std::getenv("MPIX_TEST_LIMIT");
    alarm(limit ? static_cast<unsigned>(std::atoi(limit)) : 60);
    const char* const name = std::getenv("MPIX_TEST_THREADS");
    const int asked = level_of(name ? name : "single");
    MPI_Init_thread(&argc, &argv, asked, &level);
    if (level < asked) ++wrong;
    level = asked; // a host may give more
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    run_all(argc > 1 ? std::atoi(argv[1]) : ranks > 2 ? 3 : 6);
    int all = 0, mine = wrong;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return all != 0;
}
