// SPDX-License-Identifier: BSD-3-Clause
//
// The loops, which the compiler vectorises. This file is compiled once for each level, into the
// namespace MPIX_LEVEL. Everything in it but the table has internal linkage, and it calls no inline
// function from elsewhere: of those the linker keeps one copy for all levels, and a machine that
// lacks that copy's instructions would trap in it.
#include "kernel/table.hpp"

#include <cstdint>
#include <type_traits>

namespace mpix::kernel::MPIX_LEVEL {
namespace {

// What numbers are added and multiplied as: unsigned, so that they wrap around, and no shorter than
// int, to which they would be promoted.
template<class T>
using Wrapping =
    std::conditional_t<std::is_floating_point_v<T>, T,
                       std::conditional_t<(sizeof(T) > sizeof(unsigned)), std::uint64_t, unsigned>>;

struct Sum {
    template<class T>
    static T of(T left, T right) {
        return static_cast<T>(static_cast<Wrapping<T>>(left) + static_cast<Wrapping<T>>(right));
    }
};

struct Product {
    template<class T>
    static T of(T left, T right) {
        return static_cast<T>(static_cast<Wrapping<T>>(left) * static_cast<Wrapping<T>>(right));
    }
};

struct Minimum {
    template<class T>
    static T of(T left, T right) {
        return right < left ? right : left;
    }
};

struct Maximum {
    template<class T>
    static T of(T left, T right) {
        return right > left ? right : left;
    }
};

// Without branches: no && and no ||.
struct LogicalAnd {
    template<class T>
    static T of(T left, T right) {
        return static_cast<T>((left != 0) & (right != 0));
    }
};

struct LogicalOr {
    template<class T>
    static T of(T left, T right) {
        return static_cast<T>((left != 0) | (right != 0));
    }
};

struct LogicalXor {
    template<class T>
    static T of(T left, T right) {
        return static_cast<T>((left != 0) ^ (right != 0));
    }
};

struct BitAnd {
    template<class T>
    static T of(T left, T right) {
        return static_cast<T>(left & right);
    }
};

struct BitOr {
    template<class T>
    static T of(T left, T right) {
        return static_cast<T>(left | right);
    }
};

struct BitXor {
    template<class T>
    static T of(T left, T right) {
        return static_cast<T>(left ^ right);
    }
};

// A T at any address, in memory of any type.
template<class T>
struct [[gnu::packed, gnu::may_alias]] Loose {
    T value;
};

// Where the arrays overlap they are equal, so no element depends on another.
#ifdef __clang__
#define MPIX_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#else
#define MPIX_INDEPENDENT _Pragma("GCC ivdep")
#endif
template<class T, class Op>
[[gnu::noinline]] void run(const Loose<T>* left, const Loose<T>* right, Loose<T>* to,
                           std::size_t count) {
    MPIX_INDEPENDENT
    for (std::size_t i = 0; i < count; ++i) to[i].value = Op::of(left[i].value, right[i].value);
}

constexpr std::size_t line_bytes = 64;
// From here on it pays to have no store cross a cache line.
constexpr std::size_t long_bytes = 2048;

template<class T, class Op>
void combine(const void* left, const void* right, void* to, std::size_t count) {
    const auto* a = static_cast<const Loose<T>*>(left);
    const auto* b = static_cast<const Loose<T>*>(right);
    auto* c = static_cast<Loose<T>*>(to);
    if (count >= long_bytes / sizeof(T)) {
        const std::size_t head = -reinterpret_cast<std::uintptr_t>(to) % line_bytes / sizeof(T);
        run<T, Op>(a, b, c, head);
        a += head, b += head, c += head, count -= head;
    }
    run<T, Op>(a, b, c, count);
}

template<class Op>
constexpr Row integers{{
    combine<std::int8_t, Op>,
    combine<std::int16_t, Op>,
    combine<std::int32_t, Op>,
    combine<std::int64_t, Op>,
    combine<std::uint8_t, Op>,
    combine<std::uint16_t, Op>,
    combine<std::uint32_t, Op>,
    combine<std::uint64_t, Op>,
    nullptr,
    nullptr,
}};

template<class Op>
constexpr Row numbers = [] {
    Row row = integers<Op>;
    row.of[static_cast<std::size_t>(Element::f32)] = combine<float, Op>;
    row.of[static_cast<std::size_t>(Element::f64)] = combine<double, Op>;
    return row;
}();

} // namespace

constinit const Table table{{
    numbers<Sum>,
    numbers<Product>,
    numbers<Minimum>,
    numbers<Maximum>,
    integers<LogicalAnd>,
    integers<LogicalOr>,
    integers<LogicalXor>,
    integers<BitAnd>,
    integers<BitOr>,
    integers<BitXor>,
}};

} // namespace mpix::kernel::MPIX_LEVEL
