// SPDX-License-Identifier: BSD-3-Clause
//
// A value for each rank, kept as a rule or as a list: what is read is what was written.
#include "catch2.hpp"
#include "plan/blocks.hpp"

#include <random>

using namespace mpix::plan;

TEST_CASE("a progression of equal steps keeps a rule, and any other a list") {
    Sizes sizes{3, 5, 7, 9};
    CHECK(sizes.is_regular());
    CHECK(sizes.stride() == 2);
    CHECK(sizes == Sizes::regular(3, 2, 4));
    sizes.push_back(12);
    CHECK_FALSE(sizes.is_regular());
    CHECK(std::vector<Bytes>(sizes.begin(), sizes.end()) == std::vector<Bytes>{3, 5, 7, 9, 12});
    CHECK(sizes.part(1, 3) == Sizes{5, 7, 9});
}

TEST_CASE("whatever is appended to a progression and set in it is read from it") {
    std::mt19937 random(7);
    for (int round = 0; round < 500; ++round) {
        Sizes sizes;
        std::vector<Bytes> list;
        const Bytes values = 1 + random() % 3;
        for (std::size_t length = random() % 9; list.size() < length;) {
            list.push_back(static_cast<Bytes>(random()) % values);
            sizes.push_back(list.back());
        }
        for (int change = 0; !list.empty() && change < 3; ++change) {
            const std::size_t at = random() % list.size();
            list[at] = static_cast<Bytes>(random()) % values;
            sizes.set(at, list[at]);
        }
        list.push_back(1);
        sizes.push_back(1);
        CAPTURE(list);
        CHECK(std::vector<Bytes>(sizes.begin(), sizes.end()) == list);
        CHECK(sizes == Sizes(list));
        CHECK(sizes.back() == 1);
    }
}

TEST_CASE("blocks of different buffers follow no rule") {
    const Blocks blocks{{Buffer::send, 0, 8}, {Buffer::recv, 8, 8}};
    CHECK_FALSE(blocks.is_regular());
    CHECK(blocks[1] == Place{Buffer::recv, 8, 8});
}

TEST_CASE("sums, offsets and slices of a rule are those of its list") {
    for (const bool is_alike : {true, false}) {
        Sizes sizes = Sizes::regular(16, 0, 6);
        if (!is_alike) sizes.set(3, 24);
        const Bytes extra = is_alike ? 0 : 8;
        CHECK(are_alike(sizes) == is_alike);
        CHECK(sum_of(sizes) == 96 + extra);
        CHECK(largest_of(sizes) == 16 + extra);
        const Sizes begins = offsets(sizes, 4, 6);
        CHECK(begins.size() == 7);
        CHECK(begins[2] == 32);
        CHECK(begins.back() == 96 + extra);
        const Blocks cut = slices({Buffer::recv, 100, 96 + extra}, sizes);
        CHECK(cut[3] == Place{Buffer::recv, 148, 16 + extra});
        CHECK(cut.back().offset + cut.back().bytes == 196 + extra);
        CHECK(runs(cut) == Blocks{{Buffer::recv, 100, 96 + extra}});
    }
}

TEST_CASE("a million blocks that are alike take no memory of their own") {
    const Blocks blocks = Blocks::regular({Buffer::recv, 0, 8}, 16, 1 << 20);
    CHECK(blocks.is_regular());
    CHECK(blocks.back() == Place{Buffer::recv, 16 * ((1 << 20) - 1), 8});
    CHECK(blocks.part(5, 1000).is_regular());
    CHECK(sizes(blocks).is_regular());
    CHECK_FALSE(are_gapless(blocks));
}
