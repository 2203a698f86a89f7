// SPDX-License-Identifier: BSD-3-Clause
//
// Flattened datatypes: what is regular stays one piece, and every byte stays in its order. The
// oracle is the list of all bytes.
#include "catch2.hpp"
#include "datatype/piece.hpp"
#include <random>

using namespace mpix::datatype;

namespace {

using Places = std::vector<std::int64_t>;

void list(const Piece& piece, std::int64_t at, Places& bytes) {
    for (std::int64_t i = 0; piece.bytes > 0 && i < piece.count; ++i) {
        const std::int64_t begin = at + piece.offset + i * piece.stride;
        if (!piece.body)
            for (std::int64_t b = 0; b < piece.bytes; ++b) bytes.push_back(begin + b);
        else if (const auto& places = piece.body->places; !places.empty())
            for (const std::int64_t place : places)
                for (std::int64_t b = 0; b < piece.bytes / static_cast<std::int64_t>(places.size());
                     ++b)
                    bytes.push_back(begin + place + b);
        else
            for (const Piece& inner : piece.body->pieces) list(inner, begin, bytes);
    }
}

Places list(const Piece& piece) {
    Places bytes;
    list(piece, 0, bytes);
    return bytes;
}

bool is_run(const Piece& piece, std::int64_t offset, std::int64_t bytes) {
    return piece.is_run() && piece.offset == offset && piece.bytes == bytes;
}

// A piece and the bytes it should be.
struct Known {
    Piece piece = run_of(1);
    Places bytes{0};
};

Known repeated(const Known& inner, std::int64_t count, std::int64_t stride) {
    Known made{repeat(inner.piece, count, stride), {}};
    for (std::int64_t i = 0; i < count; ++i)
        for (const std::int64_t byte : inner.bytes) made.bytes.push_back(byte + i * stride);
    return made;
}

class Grower {
  public:
    explicit Grower(unsigned seed) : engine_(seed) {}

    Known grow(int levels) {
        if (levels == 0) return repeated({}, between(1, 4), 1);
        const Known inner = grow(levels - 1);
        if (inner.bytes.size() > 500) return inner;
        if (between(0, 1) == 0) return repeated(inner, between(0, 5), 2 * between(-6, 20));
        return sequence(inner, grow(static_cast<int>(between(0, levels - 1))));
    }

  private:
    std::int64_t between(int low, int high) {
        return low + static_cast<std::int64_t>(engine_() % static_cast<unsigned>(high - low + 1));
    }

    Known sequence(const Known& one, const Known& other) {
        Sequence all;
        Places bytes;
        const std::int64_t number = between(0, 14), step = between(1, 6);
        for (std::int64_t i = 0, at = 0; i < number; ++i) {
            const Known& next = between(0, 5) == 0 ? other : one;
            at += between(0, 2) == 0 ? between(-20, 20) : step;
            all.add(next.piece, at);
            for (const std::int64_t byte : next.bytes) bytes.push_back(at + byte);
        }
        return {all.piece(), bytes};
    }

    std::mt19937 engine_;
};

} // namespace

TEST_CASE("what has no gaps is one run") {
    CHECK(is_run(repeat(run_of(8), 10, 8), 0, 80));
    CHECK(is_run(repeat(repeat(run_of(8), 10, 8), 5, 80), 0, 400));
    Sequence touching;
    for (int i = 0; i < 50; ++i) touching.add(run_of(4 + i % 3), 3 + 4 * i + i / 3 * 3 + i % 3 / 2);
    CHECK(is_run(touching.piece(), 3, 249));
    Sequence of_structures;
    Sequence structure;
    structure.add(run_of(4), 0);
    structure.add(run_of(8), 4);
    of_structures.add(structure.piece(), 0);
    of_structures.add(run_of(4), 12);
    CHECK(is_run(of_structures.piece(), 0, 16));
    CHECK(repeat(run_of(8), 0, 8).bytes == 0);
}

TEST_CASE("what is regular is one piece") {
    const Piece strided = repeat(run_of(8), 1000, 64);
    CHECK(!strided.body);
    CHECK(strided.count == 1000);
    const Piece plane = repeat(strided, 20, 64'000);
    CHECK(!plane.body);
    CHECK(plane.count == 20'000);
    const Piece nest = repeat(repeat(repeat(run_of(24), 4, 80), 5, 1000), 6, 9000);
    CHECK(nest.count == 6);
    CHECK(nest.body->pieces.size() == 1);
    CHECK(nest.body->pieces[0].body->pieces.size() == 1);
    Sequence listed;
    for (int i = 0; i < 100'000; ++i) listed.add(run_of(8), 40 * i);
    CHECK(!listed.piece().body);
    CHECK(listed.piece().count == 100'000);
    Sequence vectors;
    for (int i = 0; i < 100'000; ++i) vectors.add(strided, 100 * i);
    CHECK(vectors.piece().count == 100'000);
    CHECK(vectors.piece().body->pieces.size() == 1);
}

TEST_CASE("an array of structures is a repetition of its members") {
    Sequence members;
    members.add(run_of(1), 0);
    members.add(run_of(8), 8);
    members.add(run_of(4), 16);
    const Piece structure = members.piece();
    CHECK(structure.body->pieces.size() == 2);
    Sequence listed;
    for (int i = 0; i < 100'000; ++i) listed.add(structure, 24 * i);
    const Piece array = listed.piece();
    CHECK(array.count == 100'000);
    CHECK(array.body->pieces.size() == 2);
    CHECK(list(array) == list(repeat(structure, 100'000, 24)));
}

TEST_CASE("irregular runs of one length are their places") {
    Sequence listed;
    Places bytes;
    for (std::int64_t i = 0; i < 1000; ++i) {
        const std::int64_t at = 16 * i + i * i % 7;
        listed.add(run_of(8), at);
        for (std::int64_t b = 0; b < 8; ++b) bytes.push_back(at + b);
    }
    const Piece piece = listed.piece();
    CHECK(list(piece) == bytes);
    CHECK(piece.body->places.size() == 1000);
}

TEST_CASE("65536 pieces are taken, and the next is refused at once") {
    Sequence irregular;
    const auto add = [&](std::int64_t i) { irregular.add(run_of(4 + i % 2), 16 * i + i * i % 7); };
    for (std::int64_t i = 0; i < 65'536; ++i) add(i);
    CHECK(irregular.piece().body->pieces.size() == 65'536);
    CHECK_THROWS_AS(add(65'536), NotFlat);
}

TEST_CASE("random pieces keep their bytes and their order") {
    for (unsigned seed = 0; seed < 3000; ++seed) {
        const Known known = Grower(seed).grow(1 + static_cast<int>(seed % 5));
        INFO("seed " << seed);
        CHECK(known.piece.size() == static_cast<std::int64_t>(known.bytes.size()));
        CHECK((list(known.piece) == known.bytes));
    }
}
