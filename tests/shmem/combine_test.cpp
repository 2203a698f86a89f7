// SPDX-License-Identifier: BSD-3-Clause
//
// Messages that are combined with data of the receiver as they come, on either side of the
// operator.
#include "catch2.hpp"
#include "queues.hpp"

using namespace mpix;
using namespace mpix::shmem;
using namespace mpix::shmem::test;

namespace {

struct Arithmetic {
    const char* name;
    kernel::Combine function;
    std::size_t element;
};

template<class T>
void subtract(const void* left, const void* right, void* to, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
        T a, b;
        std::memcpy(&a, static_cast<const T*>(left) + i, sizeof a);
        std::memcpy(&b, static_cast<const T*>(right) + i, sizeof b);
        a = static_cast<T>(a - b);
        std::memcpy(static_cast<T*>(to) + i, &a, sizeof a);
    }
}

const Arithmetic arithmetics[] = {
    {"difference of bytes", subtract<std::uint8_t>, 1},
    {"difference of words", subtract<std::uint64_t>, 8},
    {"sum of ints", kernel::find_combine(kernel::Element::i32, kernel::Operator::sum), 4},
    {"minimum of doubles", kernel::find_combine(kernel::Element::f64, kernel::Operator::minimum),
     8},
};

// The message of a round, made of zeros of both signs where doubles are compared: of two equal ones
// the left is taken.
void fill_operand(std::byte* to, const Shape& shape, const Arithmetic& arithmetic,
                  std::uint64_t round) {
    fill(to, shape.bytes, round);
    if (std::strncmp(arithmetic.name, "minimum", 7) != 0) return;
    for (std::uint64_t at = 0; at < shape.bytes; at += 8) {
        const double zero = std::to_integer<int>(to[at]) % 2 ? 0.0 : -0.0;
        std::memcpy(to + at, &zero, 8);
    }
}

std::string run_combined(const Shape& shape, const Arithmetic& arithmetic, bool received_first,
                         bool in_place) {
    Wire wire(shape);
    const std::size_t bytes = shape.bytes;
    std::vector<std::byte> sent(bytes), before(bytes), expected(bytes);
    for (std::uint64_t round = 0; round < 6; ++round) {
        Guarded own(bytes), apart(bytes);
        std::byte* const to = in_place ? own.at() : apart.at();
        fill_operand(wire.source.at(), shape, arithmetic, 2 * round);
        fill_operand(own.at(), shape, arithmetic, 2 * round + 1);
        sent.assign(wire.source.at(), wire.source.at() + bytes);
        before.assign(own.at(), own.at() + bytes);
        const std::byte* const left = received_first ? sent.data() : own.at();
        const std::byte* const right = received_first ? own.at() : sent.data();
        arithmetic.function(left, right, expected.data(), bytes / arithmetic.element);
        begin(wire.out, wire.source.at(), round);
        wire.in.begin();
        const auto combine = [&] {
            return wire.in.combine(arithmetic.function, arithmetic.element, own.at(), to,
                                   received_first);
        };
        if (combine()) return "it combines what has not come";
        bool is_sent = false, is_taken = false;
        for (int turn = 0; !(is_sent && is_taken); ++turn) {
            if (turn > 100'000) return "it does not end";
            is_sent = is_sent || wire.out.proceed();
            is_taken = is_taken || combine();
        }
        if (!std::equal(expected.begin(), expected.end(), to)) return "another result";
        if (!own.is_intact() || !apart.is_intact() || !wire.is_intact())
            return "a margin is touched";
        if (!in_place && !std::equal(before.begin(), before.end(), own.at()))
            return "its operand has changed";
    }
    return wire.in.failed() ? "reading is refused" : "";
}

} // namespace

TEST_CASE("what is received is combined as it comes, in both orders, in place and apart") {
    for (const Arithmetic& arithmetic : arithmetics)
        for (const std::uint64_t bytes : sizes) {
            if (bytes % arithmetic.element != 0) continue;
            for (const Shape& shape : shapes(bytes))
                for (const bool received_first : {true, false})
                    for (const bool in_place : {true, false}) {
                        INFO(arithmetic.name << ", " << shape.text()
                                             << (in_place ? ", in place" : "")
                                             << (received_first ? ", received first" : ""));
                        CHECK(run_combined(shape, arithmetic, received_first, in_place) == "");
                    }
        }
}
