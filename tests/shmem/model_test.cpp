// SPDX-License-Identifier: BSD-3-Clause
//
// The two ends of a queue in two threads, which pause at random, for thousands of rounds. The
// thread sanitizer (scripts/sanitize.sh) checks here what the header of queue.hpp says of memory
// order.
#include "catch2.hpp"
#include "queues.hpp"

#include <chrono>
#include <random>
#include <thread>

using namespace mpix::shmem;
using namespace mpix::shmem::test;

namespace {

class Pauses {
  public:
    explicit Pauses(unsigned seed) : random_(seed) {}

    bool flip() { return random_() % 2; }
    // Sometimes, and sometimes for long.
    void maybe() {
        const auto number = random_() % 512;
        if (number == 0) std::this_thread::sleep_for(std::chrono::microseconds(random_() % 80));
        if (number > 0 && number < 16) std::this_thread::yield();
        if (number >= 16 && number < 80)
            for (auto spin = random_() % 300; spin > 0; --spin)
                std::atomic_signal_fence(std::memory_order_seq_cst); // it may not be left out
    }

  private:
    std::minstd_rand random_;
};

// What one thread does in every round: it sends, receives, or both.
class Process {
  public:
    Process(Wire* out, Wire* in, unsigned seed)
        : out_(out), in_(in), to_(in ? in->shape.bytes : 0), pauses_(seed) {}

    void run(std::uint64_t rounds) {
        for (std::uint64_t round = 0; round < rounds; ++round) run_round(round);
    }

    std::uint64_t wrong_rounds = 0;

  private:
    void run_round(std::uint64_t round) {
        pauses_.maybe();
        bool is_sent = !out_, is_taken = !in_;
        if (out_) {
            fill(out_->source.at(), out_->shape.bytes, round);
            begin(out_->out, out_->source.at(), round);
        }
        if (in_) in_->in.begin();
        for (int vain = 0; !(is_sent && is_taken);) {
            const bool done =
                pauses_.flip() ? !is_sent && (is_sent = send()) : !is_taken && (is_taken = take());
            vain = done ? 0 : vain + 1;
            if (vain > 100) std::this_thread::yield();
            if (done) pauses_.maybe();
        }
        if (out_) fill(out_->source.at(), out_->shape.bytes, ~round);
        if (in_ && (!holds(to_.data(), to_.size(), round) || in_->in.failed())) ++wrong_rounds;
    }

    // Either goes on at once or, as the engine does, once what it waits for is there.
    bool send() {
        if (is_sending_ && !out_->out.awaited().is_there()) return false;
        is_sending_ = !out_->out.proceed();
        return !is_sending_;
    }
    bool take() {
        if (pauses_.flip() && !in_->in.awaited().is_there()) return false;
        return in_->in.copy_to(to_.data());
    }

    Wire* const out_;
    Wire* const in_;
    std::vector<std::byte> to_;
    Pauses pauses_;
    bool is_sending_ = false; // and waits
};

// As many of the short as of the long would take longer.
std::uint64_t rounds_of(std::uint64_t bytes) { return 30 + 60'000 / (400 + bytes); }

std::uint64_t run_both(Process one, Process other, std::uint64_t rounds) {
    std::thread thread([&] { other.run(rounds); });
    one.run(rounds);
    thread.join();
    return one.wrong_rounds + other.wrong_rounds;
}

constexpr std::uint64_t few_sizes[] = {0, 8, 505, 8'192, 40'000};

} // namespace

TEST_CASE("two threads: messages in one direction") {
    unsigned seed = 1;
    for (const std::uint64_t bytes : few_sizes)
        for (const Shape& shape : shapes(bytes)) {
            INFO(shape.text());
            Wire wire(shape);
            seed += 2;
            CHECK(run_both({&wire, nullptr, seed}, {nullptr, &wire, seed + 1}, rounds_of(bytes)) ==
                  0);
            CHECK(wire.is_intact());
        }
}

TEST_CASE("two threads: messages in both directions") {
    unsigned seed = 1'000;
    for (const std::uint64_t bytes : few_sizes)
        for (const Shape& shape : shapes(bytes)) {
            INFO(shape.text());
            Wire there(shape), back(shape);
            seed += 2;
            CHECK(run_both({&there, &back, seed}, {&back, &there, seed + 1}, rounds_of(bytes)) ==
                  0);
        }
}

TEST_CASE("two threads: answered messages without acknowledgement") {
    unsigned seed = 2'000;
    for (const std::uint64_t bytes : few_sizes) {
        const Shape free = answered(bytes);
        std::vector<Shape> answers = shapes(bytes);
        answers.push_back(free);
        answers.push_back(answered(0));
        for (const Shape& answer : answers) {
            INFO(free.text() << ", answered " << answer.text());
            Wire there(free), back(answer);
            seed += 2;
            CHECK(run_both({&there, &back, seed}, {&back, &there, seed + 1}, rounds_of(bytes)) ==
                  0);
        }
    }
}

TEST_CASE("two threads: designs and sizes at random") {
    std::minstd_rand random(7);
    for (unsigned turn = 0; turn < 60; ++turn) {
        const std::uint64_t longest = std::uint64_t{1} << random() % 17;
        const std::uint64_t bytes = random() % (longest + 1), back = random() % 600;
        const std::vector<Shape> there_shapes = shapes(bytes), back_shapes = shapes(back);
        const bool is_answered = random() % 4 == 0;
        const Shape shape =
            is_answered ? answered(bytes) : there_shapes[random() % there_shapes.size()];
        const Shape answer = back_shapes[random() % back_shapes.size()];
        INFO(shape.text() << "; back: " << answer.text());
        Wire there(shape), home(answer);
        const unsigned seed = 3'000 + 2 * turn;
        CHECK(run_both({&there, &home, seed}, {&home, &there, seed + 1}, rounds_of(bytes)) == 0);
        CHECK((there.is_intact() && home.is_intact()));
    }
}
