// SPDX-License-Identifier: BSD-3-Clause
// The two ends of a partitioned send and receive, each with a buffer of its own. A partition is
// written right before it is marked; what must have come follows from arithmetic, gaps and margins
// too.
#pragma once

#include <algorithm>
#include <chrono>
#include <memory>
#include <numeric>

#include "common/call.hpp"
#include "common/chance.hpp"
#include "common/completion.hpp"

namespace mpitest {

// How an end divides its buffer: `count` elements in each partition.
struct Cut {
    int parts = 1;
    int count = 1;
    MPI_Datatype type = MPI_INT;

    int ints() const { // of a partition
        int size = 0;
        MPI_Type_size(type, &size);
        return count * size / static_cast<int>(sizeof(int));
    }
    std::size_t step() const { // from partition to partition
        return static_cast<std::size_t>(count) * extent_of(type).step;
    }
};

// Whom an end is for. What is sent by operations of the same `salt` is the same in each round.
struct Envelope {
    int peer = 0;
    int tag = 0;
    MPI_Comm comm = MPI_COMM_WORLD;
    int salt = 0;
    MPI_Info info = MPI_INFO_NULL;
};

// What one end has, besides its request.
class PairEnd {
  public:
    PairEnd(const Cut& cut, const Envelope& envelope, bool sends)
        : buffer(cut.step() * static_cast<std::size_t>(cut.parts) + extent_of(cut.type).slack),
          cut_(cut), envelope_(envelope), sends_(sends), wanted_(buffer) {}
    PairEnd(const PairEnd&) = delete;
    PairEnd& operator=(const PairEnd&) = delete;
    ~PairEnd() {
        if (request != MPI_REQUEST_NULL) free_request(request);
    }

    int parts() const { return cut_.parts; }
    std::vector<int> numbers() const {
        std::vector<int> all(static_cast<std::size_t>(cut_.parts));
        std::iota(all.begin(), all.end(), 0);
        return all;
    }
    void* at(int part, Buffer& in) const {
        return in.as<char>() + static_cast<std::size_t>(part) * cut_.step();
    }

    // Between rounds: everything is overwritten, margins and gaps too.
    void prepare(int round) {
        round_ = round;
        buffer.fill_ints(envelope_.salt + 5000, round);
        wanted_ = buffer;
        for (int part = 0; part < parts() && (sends_ || envelope_.peer != MPI_PROC_NULL); part++)
            write(part, wanted_);
    }
    void start(int round) {
        prepare(round);
        CHECK_MPI(MPI_Start(&request));
    }
    // After completion: what is there, and what must not have been touched.
    void check() { CHECK(difference(wanted_, buffer) == ""); }
    void finish() {
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        check();
    }
    void finish(MPI_Status& status) {
        CHECK_MPI(MPI_Wait(&request, &status));
        check();
    }

    MPI_Request request = MPI_REQUEST_NULL;
    Buffer buffer;

  protected:
    // What the ints of a partition are in this round.
    std::vector<int> data(int part) const {
        const auto ints = static_cast<std::size_t>(cut_.ints());
        std::vector<int> all(ints);
        for (std::size_t i = 0; i < ints; i++)
            all[i] = value_at(envelope_.salt, round_, static_cast<std::size_t>(part) * ints + i);
        return all;
    }
    // By the host's packing.
    void write(int part, Buffer& into) const {
        const std::vector<int> from = data(part);
        const int bytes = static_cast<int>(from.size() * sizeof(int));
        int position = 0;
        if (bytes == 0) return;
        CHECK_MPI(MPI_Unpack(from.data(), bytes, &position, at(part, into), cut_.count, cut_.type,
                             MPI_COMM_SELF));
    }
    std::vector<int> read(int part) {
        std::vector<int> into(static_cast<std::size_t>(cut_.ints()));
        int position = 0;
        if (into.empty()) return into;
        CHECK_MPI(MPI_Pack(at(part, buffer), cut_.count, cut_.type, into.data(),
                           static_cast<int>(into.size() * sizeof(int)), &position, MPI_COMM_SELF));
        return into;
    }

    const Cut cut_;
    const Envelope envelope_;
    const bool sends_;
    Buffer wanted_; // the buffer as it must be in the end
    int round_ = 0;
};

class SendEnd : public PairEnd {
  public:
    // The init may get another handle of the same datatype, which goes before.
    SendEnd(const Cut& cut, const Envelope& to, MPI_Datatype copy = MPI_DATATYPE_NULL)
        : PairEnd(cut, to, true) {
        CHECK_MPI(MPI_Psend_init(buffer.data(), cut.parts, cut.count,
                                 copy == MPI_DATATYPE_NULL ? cut.type : copy, to.peer, to.tag,
                                 to.comm, to.info, &request));
    }

    void write(int part) { PairEnd::write(part, buffer); }
    void mark(int part) {
        write(part);
        CHECK_MPI(MPI_Pready(part, request));
    }
    void mark_range(int low, int high) {
        for (int part = low; part <= high; part++) write(part);
        CHECK_MPI(MPI_Pready_range(low, high, request));
    }
    void mark_list(std::vector<int> list) {
        for (const int part : list) write(part);
        CHECK_MPI(MPI_Pready_list(static_cast<int>(list.size()), list.data(), request));
    }
    // In random order, by any calls; not `held`.
    void mark_all(std::uint32_t seed, int held = -1);
};

inline void SendEnd::mark_all(std::uint32_t seed, int held) {
    Random random(seed);
    std::vector<std::pair<int, int>> runs; // low, high
    for (int low = 0, high = 0; low < parts(); low = high + 1) {
        high = std::min(low + draw(random, 0, 3), parts() - 1);
        if (low <= held && held <= high) high = low == held ? low : held - 1;
        if (low != held) runs.emplace_back(low, high);
    }
    std::shuffle(runs.begin(), runs.end(), random);
    for (const auto& [low, high] : runs) {
        std::vector<int> list(static_cast<std::size_t>(high - low + 1));
        std::iota(list.begin(), list.end(), low);
        std::shuffle(list.begin(), list.end(), random);
        const int way = draw(random, 0, 2);
        if (way == 0) mark_range(low, high);
        if (way == 1) mark_list(list);
        if (way == 2)
            for (const int part : list) mark(part);
    }
}

class RecvEnd : public PairEnd {
  public:
    RecvEnd(const Cut& cut, const Envelope& from, MPI_Datatype copy = MPI_DATATYPE_NULL)
        : PairEnd(cut, from, false) {
        CHECK_MPI(MPI_Precv_init(buffer.data(), cut.parts, cut.count,
                                 copy == MPI_DATATYPE_NULL ? cut.type : copy, from.peer, from.tag,
                                 from.comm, from.info, &request));
    }

    bool has(int part) const {
        int flag = -1;
        CHECK_MPI(MPI_Parrived(request, part, &flag));
        CHECK((flag == 0 || flag == 1));
        return flag == 1;
    }
    bool is_right(int part) { return read(part) == data(part); }
    // Asks for these in random order until they are there, and looks at each as it comes; false if
    // they do not come.
    bool await(std::vector<int> list, std::uint32_t seed);
    bool await_all(std::uint32_t seed) { return await(numbers(), seed); }
};

inline bool RecvEnd::await(std::vector<int> list, std::uint32_t seed) {
    Random random(seed);
    const auto begin = std::chrono::steady_clock::now();
    int wrong = 0;
    while (!list.empty()) {
        const std::size_t at = random() % list.size();
        if (has(list[at])) {
            wrong += !is_right(list[at]);
            list.erase(list.begin() + static_cast<std::ptrdiff_t>(at));
        }
        pause_briefly();
        if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(20)) break;
    }
    CHECK(wrong == 0);
    CHECK(list.empty());
    return list.empty();
}

using Sends = std::vector<std::unique_ptr<SendEnd>>;
using Recvs = std::vector<std::unique_ptr<RecvEnd>>;

// One round of the ends of this rank. Every other round all receives start first.
inline void run_round(const Sends& sends, const Recvs& recvs, int round) {
    INFO("round " << round);
    Random random(mix(static_cast<std::uint32_t>(round), static_cast<std::uint32_t>(rank_of())));
    const auto seed = [&] { return static_cast<std::uint32_t>(random()); };
    const bool is_ready = draw(random, 0, 1) == 0;
    for (const auto& end : recvs)
        if (is_ready) end->start(round);
    for (const auto& end : sends) end->start(round);
    for (const auto& end : recvs)
        if (!is_ready) end->start(round);
    std::vector<std::size_t> order(sends.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t i : order) sends[i]->mark_all(seed());
    for (const auto& end : recvs)
        if (round % 3 != 2) end->await_all(seed());
    for (const auto& end : recvs) end->finish();
    for (const auto& end : sends) end->finish();
}

inline void run_rounds(const Sends& sends, const Recvs& recvs, int rounds = 3) {
    for (int round = 0; round < rounds; round++) run_round(sends, recvs, round);
}

// A receive from the rank before and a send to the rank after.
struct RingPair {
    RingPair(const Cut& received, const Cut& sent, MPI_Info info = MPI_INFO_NULL, int tag = 7)
        : recv(received, {ring.previous, tag, MPI_COMM_WORLD, ring.previous, info}),
          send(sent, {ring.next, tag, MPI_COMM_WORLD, ring.me, info}) {}

    void start(int round) {
        recv.start(round);
        send.start(round);
    }
    void finish() {
        recv.finish();
        send.finish();
    }
    void run(int round) {
        start(round);
        send.mark_all(static_cast<std::uint32_t>(round));
        finish();
    }

    const Ring ring;
    RecvEnd recv;
    SendEnd send;
};

} // namespace mpitest
