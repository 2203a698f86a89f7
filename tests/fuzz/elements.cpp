// SPDX-License-Identifier: BSD-3-Clause
// Arithmetic on elements, one at a time and through memcpy, so that no alignment matters.
#include "elements.hpp"

#include <algorithm>
#include <array>
#include <complex>
#include <cstring>
#include <type_traits>

namespace fuzz {
namespace {

struct TwoInts {
    int value, place;
};
struct RealAndInt {
    double value;
    int place;
};
struct LongAndInt {
    long value;
    int place;
};
struct ShortAndInt {
    short value;
    int place;
};

template<class T>
BaseFacts simple(const char* name, bool is_signed = true) {
    return {name, sizeof(T), alignof(T), is_signed, {{0, sizeof(T)}}};
}

template<class T>
BaseFacts pair(const char* name) {
    const auto place = static_cast<Offset>(offsetof(T, place));
    return {name,
            sizeof(T),
            alignof(T),
            true,
            {{0, static_cast<Offset>(sizeof(T::value))}, {place, sizeof(int)}}};
}

// Calls `with` with a null pointer to the C type of the base.
template<class With>
auto with_type(Base base, With with) {
    switch (base) {
    case Base::character: return with(static_cast<char*>(nullptr));
    case Base::byte: return with(static_cast<std::uint8_t*>(nullptr));
    case Base::signed_char: return with(static_cast<signed char*>(nullptr));
    case Base::unsigned_char: return with(static_cast<unsigned char*>(nullptr));
    case Base::short_int: return with(static_cast<short*>(nullptr));
    case Base::unsigned_short: return with(static_cast<unsigned short*>(nullptr));
    case Base::integer: return with(static_cast<int*>(nullptr));
    case Base::unsigned_int: return with(static_cast<unsigned*>(nullptr));
    case Base::long_int: return with(static_cast<long*>(nullptr));
    case Base::unsigned_long: return with(static_cast<unsigned long*>(nullptr));
    case Base::single: return with(static_cast<float*>(nullptr));
    case Base::real: return with(static_cast<double*>(nullptr));
    case Base::complex: return with(static_cast<std::complex<double>*>(nullptr));
    case Base::two_ints: return with(static_cast<TwoInts*>(nullptr));
    case Base::real_and_int: return with(static_cast<RealAndInt*>(nullptr));
    case Base::long_and_int: return with(static_cast<LongAndInt*>(nullptr));
    default: return with(static_cast<ShortAndInt*>(nullptr));
    }
}

constexpr long modulus = 1021; // of affine maps: a * 1024 + b stands for x -> a x + b

long affine(long left, long right) {
    const long a = left / 1024 % modulus, b = left % 1024 % modulus;
    const long c = right / 1024 % modulus, d = right % 1024 % modulus;
    return a * c % modulus * 1024 + (a * d + b) % modulus;
}

template<class T>
T arithmetic(Function function, T left, T right) {
    switch (function) {
    case Function::sum: return static_cast<T>(left + right);
    case Function::product: return static_cast<T>(left * right);
    case Function::minimum: return std::min(left, right);
    case Function::maximum: return std::max(left, right);
    case Function::user_sum:
        return static_cast<T>((static_cast<long>(left) + static_cast<long>(right)) % 97);
    case Function::user_affine:
        return static_cast<T>(affine(static_cast<long>(left), static_cast<long>(right)));
    default: break;
    }
    if constexpr (std::is_integral_v<T>) switch (function) {
        case Function::bitwise_and: return static_cast<T>(left & right);
        case Function::bitwise_or: return static_cast<T>(left | right);
        case Function::bitwise_xor: return static_cast<T>(left ^ right);
        case Function::logical_and: return static_cast<T>(left && right);
        case Function::logical_or: return static_cast<T>(left || right);
        case Function::logical_xor: return static_cast<T>(!left != !right);
        default: break;
        }
    return right;
}

template<class T>
T place_of(Function function, const T& left, const T& right) {
    T result = right;
    const bool wins =
        function == Function::least_place ? left.value < right.value : left.value > right.value;
    if (wins) {
        result.value = left.value;
        result.place = left.place;
    } else if (left.value == right.value) {
        result.place = std::min(left.place, right.place);
    }
    return result;
}

template<class T>
T joined(Function function, const T& left, const T& right) {
    if constexpr (std::is_arithmetic_v<T>)
        return arithmetic(function, left, right);
    else if constexpr (std::is_same_v<T, std::complex<double>>)
        return left + right; // no other function is defined
    else
        return place_of(function, left, right);
}

bool is_whole(Base base) { return base >= Base::signed_char && base <= Base::unsigned_long; }
bool is_pair(Base base) { return base >= Base::two_ints; }

long small_value(Function function, Base base, std::uint64_t random) {
    const auto draw = [random](long bound) {
        return static_cast<long>(random % static_cast<std::uint64_t>(bound));
    };
    switch (function) {
    case Function::product: return draw(7) == 0 && facts(base).is_signed ? -1 : 1 + draw(7) / 5;
    case Function::user_sum: return draw(97);
    case Function::user_affine: return (1 + draw(1020)) * 1024 + draw(991);
    case Function::logical_and: return draw(9) != 0 ? 1 + draw(3) : 0;
    case Function::logical_or:
    case Function::logical_xor: return draw(3) == 0 ? 1 : 0;
    case Function::bitwise_and:
    case Function::bitwise_or:
    case Function::bitwise_xor: return draw(128);
    default: return facts(base).is_signed ? draw(19) - 9 : draw(10);
    }
}

} // namespace

const BaseFacts& facts(Base base) {
    static const std::array<BaseFacts, 17> table = {
        simple<char>("MPI_CHAR"),
        simple<std::uint8_t>("MPI_BYTE", false),
        simple<signed char>("MPI_SIGNED_CHAR"),
        simple<unsigned char>("MPI_UNSIGNED_CHAR", false),
        simple<short>("MPI_SHORT"),
        simple<unsigned short>("MPI_UNSIGNED_SHORT", false),
        simple<int>("MPI_INT"),
        simple<unsigned>("MPI_UNSIGNED", false),
        simple<long>("MPI_LONG"),
        simple<unsigned long>("MPI_UNSIGNED_LONG", false),
        simple<float>("MPI_FLOAT"),
        simple<double>("MPI_DOUBLE"),
        simple<std::complex<double>>("MPI_C_DOUBLE_COMPLEX"),
        pair<TwoInts>("MPI_2INT"),
        pair<RealAndInt>("MPI_DOUBLE_INT"),
        pair<LongAndInt>("MPI_LONG_INT"),
        pair<ShortAndInt>("MPI_SHORT_INT"),
    };
    return table[static_cast<std::size_t>(base)];
}

const char* name(Function function) {
    static const char* const names[] = {
        "MPI_SUM",  "MPI_PROD", "MPI_MIN",  "MPI_MAX",    "MPI_BAND",   "MPI_BOR",  "MPI_BXOR",
        "MPI_LAND", "MPI_LOR",  "MPI_LXOR", "MPI_MINLOC", "MPI_MAXLOC", "user sum", "user affine"};
    return names[static_cast<std::size_t>(function)];
}

bool defined_on(Function function, Base base) {
    const bool floats = base == Base::single || base == Base::real;
    switch (function) {
    case Function::sum: return is_whole(base) || floats || base == Base::complex;
    // Complex products make zeros of either sign, and which one depends on the order.
    case Function::product: return is_whole(base) || floats;
    case Function::minimum:
    case Function::maximum: return is_whole(base) || floats;
    case Function::bitwise_and:
    case Function::bitwise_or:
    case Function::bitwise_xor: return is_whole(base) || base == Base::byte;
    case Function::logical_and:
    case Function::logical_or:
    case Function::logical_xor: return is_whole(base);
    case Function::least_place:
    case Function::greatest_place: return is_pair(base);
    case Function::user_sum: return base <= Base::real;
    case Function::user_affine: return base == Base::integer || base == Base::long_int || floats;
    }
    return false;
}

void write_value(Function function, Base base, std::uint64_t random, std::byte* to) {
    const long value = small_value(function, base, random);
    with_type(base, [&](auto* null) {
        using T = std::remove_pointer_t<decltype(null)>;
        if constexpr (std::is_arithmetic_v<T>) {
            const T made = static_cast<T>(value);
            std::memcpy(to, &made, sizeof made);
        } else if constexpr (std::is_same_v<T, std::complex<double>>) {
            const T made(static_cast<double>(value), static_cast<double>(random >> 32 & 1));
            std::memcpy(to, &made, sizeof made);
        } else {
            const auto first = static_cast<decltype(T::value)>(value);
            const int place = static_cast<int>(random >> 40 & 15);
            std::memcpy(to + offsetof(T, value), &first, sizeof first);
            std::memcpy(to + offsetof(T, place), &place, sizeof place);
        }
    });
}

void combine(Function function, Base base, const std::byte* left, std::byte* right) {
    with_type(base, [&](auto* null) {
        using T = std::remove_pointer_t<decltype(null)>;
        T a, b;
        std::memcpy(&a, left, sizeof a);
        std::memcpy(&b, right, sizeof b);
        b = joined(function, a, b);
        std::memcpy(right, &b, sizeof b); // the padding of a pair is that of the right one
    });
}

} // namespace fuzz
