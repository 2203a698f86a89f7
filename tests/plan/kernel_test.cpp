// SPDX-License-Identifier: BSD-3-Clause
//
// Every kernel at every level of this machine: all short counts and a long one, aligned or not,
// in all the ways in which its arrays may coincide.
#include "catch2.hpp"
#include "kernel_oracle.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace mpix::kernel;

namespace {

constexpr std::size_t most = 5'003, margin = 64;

std::vector<Level> levels() {
    std::vector<Level> found;
    for (const Level level : {Level::base, Level::v2, Level::v3, Level::v4})
        if (level <= best_level()) found.push_back(level);
    return found;
}

std::vector<std::size_t> counts() {
    std::vector<std::size_t> made;
    for (std::size_t count = 0; count <= 70; ++count) made.push_back(count);
    made.push_back(most);
    return made;
}

bool exists(Element element, Operator op) {
    const bool is_float = element == Element::f32 || element == Element::f64;
    return !is_float || op <= Operator::maximum;
}

// Ordinary numbers, extreme ones, and any bits at all: NaNs of both kinds among the floats.
template<class T>
T any_value(std::mt19937_64& random) {
    using Limits = std::numeric_limits<T>;
    const std::array<T, 6> extremes{
        T{0},
        T{1},
        Limits::lowest(),
        Limits::max(),
        std::is_floating_point_v<T> ? -T{0} : static_cast<T>(Limits::max() / 2),
        std::is_floating_point_v<T> ? Limits::infinity() : static_cast<T>(Limits::max() / 2 + 1)};
    switch (random() % 4) {
    case 0: return extremes[random() % 6];
    case 1: {
        const std::uint64_t bits = random();
        T value;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }
    default: return static_cast<T>(static_cast<T>(random() % 101) / T{3});
    }
}

template<class T>
std::vector<T> any_values(std::mt19937_64& random) {
    std::vector<T> made(most);
    for (T& value : made) value = any_value<T>(random);
    return made;
}

// The first `count` of `values`, `offset` bytes behind the begin of a cache line, between margins.
template<class T>
class Place {
  public:
    Place(const std::vector<T>& values, std::size_t count, std::size_t offset)
        : memory_(count * sizeof(T) + 4 * margin, untouched) {
        const auto past = reinterpret_cast<std::uintptr_t>(memory_.data()) % margin;
        at_ = memory_.data() + 2 * margin - past + offset;
        std::memcpy(at_, values.data(), std::min(count, most) * sizeof(T));
    }

    std::byte* at() { return at_; }

    bool holds(const std::vector<T>& values, std::size_t count) const {
        const std::byte* const begin = memory_.data();
        const std::byte* const data = at_;
        for (std::size_t i = 0; i < count; ++i)
            if (!same(data + i * sizeof(T), values[i])) return false;
        const auto is_margin = [](std::byte byte) { return byte == untouched; };
        return std::all_of(begin, data, is_margin) &&
               std::all_of(data + count * sizeof(T), begin + memory_.size(), is_margin);
    }

  private:
    static constexpr std::byte untouched{0xa5};

    // Which of two NaNs a sum keeps is left open.
    static bool same(const std::byte* at, T value) {
        if (std::memcmp(at, &value, sizeof value) == 0) return true;
        if constexpr (std::is_floating_point_v<T>) {
            T found;
            std::memcpy(&found, at, sizeof found);
            return std::isnan(found) && std::isnan(value);
        }
        return false;
    }

    std::vector<std::byte> memory_;
    std::byte* at_;
};

template<class T>
struct Inputs {
    std::vector<T> left, right, expected, doubled; // doubled: left op left

    explicit Inputs(Operator op) {
        std::mt19937_64 random(static_cast<unsigned>(op));
        left = any_values<T>(random), right = any_values<T>(random);
        for (std::size_t i = 0; i < most; ++i) {
            if (i % 5 == 0) right[i] = left[i];
            expected.push_back(mpix::kernel::test::result(op, left[i], right[i]));
            doubled.push_back(mpix::kernel::test::result(op, left[i], left[i]));
        }
    }
};

// The names of the ways that are wrong.
template<class T>
std::string wrong_ways(Combine combine, const Inputs<T>& in, std::size_t count, std::size_t shift) {
    std::string wrong;
    const auto check = [&](const char* way, bool right) { wrong += right ? "" : way; };
    Place<T> a(in.left, count, shift), b(in.right, count, 3 * shift), c(in.right, count, 2 * shift);
    combine(a.at(), b.at(), c.at(), count);
    check("apart ",
          c.holds(in.expected, count) && a.holds(in.left, count) && b.holds(in.right, count));
    combine(a.at(), a.at(), c.at(), count);
    check("one input ", c.holds(in.doubled, count) && a.holds(in.left, count));
    Place<T> left(in.left, count, shift), right(in.right, count, 3 * shift);
    combine(left.at(), b.at(), left.at(), count);
    check("into left ", left.holds(in.expected, count) && b.holds(in.right, count));
    combine(a.at(), right.at(), right.at(), count);
    check("into right ", right.holds(in.expected, count) && a.holds(in.left, count));
    combine(a.at(), a.at(), a.at(), count);
    check("all one ", a.holds(in.doubled, count));
    return wrong;
}

template<class T>
void check_element(Element element) {
    for (int number = 0; number < static_cast<int>(operators); ++number) {
        const auto op = static_cast<Operator>(number);
        if (!exists(element, op)) continue;
        const Inputs<T> inputs(op);
        for (const Level level : levels())
            for (const std::size_t count : counts())
                for (const std::size_t shift : {std::size_t{0}, std::size_t{1}, sizeof(T)}) {
                    INFO("operator " << number << ", level " << static_cast<int>(level) << ", "
                                     << count << " elements, shifted by " << shift);
                    CHECK(wrong_ways(find_combine(element, op, level), inputs, count, shift) == "");
                }
    }
}

} // namespace

TEST_CASE("kernels on signed integers agree with arithmetic") {
    check_element<std::int8_t>(Element::i8);
    check_element<std::int16_t>(Element::i16);
    check_element<std::int32_t>(Element::i32);
    check_element<std::int64_t>(Element::i64);
}

TEST_CASE("kernels on unsigned integers agree with arithmetic") {
    check_element<std::uint8_t>(Element::u8);
    check_element<std::uint16_t>(Element::u16);
    check_element<std::uint32_t>(Element::u32);
    check_element<std::uint64_t>(Element::u64);
}

TEST_CASE("kernels on floats agree with arithmetic") {
    check_element<float>(Element::f32);
    check_element<double>(Element::f64);
}

TEST_CASE("a kernel exists for each pair but logic and bits of floats, and is the best level's") {
    for (std::size_t e = 0; e < elements; ++e)
        for (std::size_t o = 0; o < operators; ++o) {
            const auto element = static_cast<Element>(e);
            const auto op = static_cast<Operator>(o);
            INFO("element " << e << ", operator " << o);
            CHECK(find_combine(element, op) == find_combine(element, op, best_level()));
            for (const Level level : levels())
                CHECK((find_combine(element, op, level) != nullptr) == exists(element, op));
        }
}
