// SPDX-License-Identifier: BSD-3-Clause
#include "catch2.hpp"
#include "comm/eager_limit.hpp"

#include <map>

namespace mpix::comm {
namespace {

// Asks the receiver of messages that are longer.
struct FakeHost {
    int limit = 0;
    double asking_us = 20, latency_us = 7;

    static constexpr double overhead_us = 6, per_byte_us = 1.0 / 3000;

    // Of two the receiver is asked at once, and the answers overlap what else is done.
    WholeAndParts compare(int part) const {
        const auto message = [&](int bytes, double asking) {
            return bytes * per_byte_us + (bytes > limit ? asking : 0);
        };
        return {latency_us + message(2 * part, asking_us),
                latency_us + overhead_us + 2 * message(part, asking_us / 5)};
    }
};

int found(const FakeHost& host) {
    return find_eager_parts(host.latency_us, [&](int part) { return host.compare(part); }).bytes;
}

TEST_CASE(
    "the longest parts are found of which a host asks no receiver, and of twice as much does") {
    const double asking_us = GENERATE(30, 55, 250), latency_us = GENERATE(7, 20);
    CHECK(found({8 << 10, asking_us, latency_us}) == 8 << 10);
    CHECK(found({16 << 10, asking_us, latency_us}) == 16 << 10);
    CHECK(found({(32 << 10) - 64, asking_us, latency_us}) == 16 << 10);
    CHECK(found({32 << 10, asking_us, latency_us}) == 32 << 10);
    CHECK(found({(64 << 10) - 256, asking_us, latency_us}) == (64 << 10) - 512);
}

TEST_CASE("no parts are found where a host asks for none, or asking takes no time") {
    CHECK(found({1 << 20, 250}) == 0);
    CHECK(found({16 << 10, 0}) == 0);
}

TEST_CASE(
    "parts of which the receiver is asked gain, and are not taken for those that need not be") {
    const FakeHost host{16 << 10, 250};
    REQUIRE(host.compare((64 << 10) - 512).is_clear());
    CHECK(found(host) == 16 << 10);
}

TEST_CASE("what was seen once is seen again before it is believed") {
    const FakeHost host{32 << 10, 30};
    std::map<int, int> compared;
    const EagerParts parts = find_eager_parts(host.latency_us, [&](int part) {
        const bool is_disturbed = ++compared[part] == 1 && part == 8 << 10;
        return is_disturbed ? WholeAndParts{500, 15} : host.compare(part);
    });
    CHECK(parts.bytes == 32 << 10);
    CHECK(compared[8 << 10] == 2);
    CHECK(compared[16 << 10] == 1);
    CHECK(parts.two.gain() == host.compare(32 << 10).gain());
}

TEST_CASE("there are so many looks at the most, and the last that counts was not disturbed") {
    const FakeHost host{1 << 20, 0};
    std::map<int, int> compared;
    int looks = 0;
    const EagerParts parts = find_eager_parts(host.latency_us, [&](int part) {
        ++looks;
        return ++compared[part] == 1 && part < 32 << 10 ? WholeAndParts{500, 15}
                                                        : host.compare(part);
    });
    CHECK(looks == most_looks);
    CHECK(parts.bytes == 0);
    CHECK(parts.last.whole < 100);
}

} // namespace
} // namespace mpix::comm
