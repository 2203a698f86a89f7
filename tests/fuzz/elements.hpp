// SPDX-License-Identifier: BSD-3-Clause
// The predefined datatypes and operations that programs use, as plain numbers, with arithmetic of
// our own. No MPI here.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fuzz {

using Bytes = std::vector<std::byte>;
using Offset = std::ptrdiff_t;

enum class Base : std::uint8_t {
    character,
    byte,
    signed_char,
    unsigned_char,
    short_int,
    unsigned_short,
    integer,
    unsigned_int,
    long_int,
    unsigned_long,
    single,
    real,
    complex,
    two_ints,
    real_and_int,
    long_and_int,
    short_and_int,
};

struct Part {
    Offset offset;
    Offset size;
};

struct BaseFacts {
    const char* name;
    Offset extent;
    Offset alignment;
    bool is_signed; // false for unsigned integers alone
    std::vector<Part> parts;
};

const BaseFacts& facts(Base base);

// Of a reduction; the user's own are made with MPI_Op_create.
enum class Function : std::uint8_t {
    sum,
    product,
    minimum,
    maximum,
    bitwise_and,
    bitwise_or,
    bitwise_xor,
    logical_and,
    logical_or,
    logical_xor,
    least_place,
    greatest_place,
    user_sum,    // commutes
    user_affine, // composes affine maps, and does not commute
};

const char* name(Function function);
inline bool is_user(Function function) { return function >= Function::user_sum; }
inline bool commutes(Function function) { return function != Function::user_affine; }
bool defined_on(Function function, Base base);

// A value for which every order of combining is exact.
void write_value(Function function, Base base, std::uint64_t random, std::byte* to);
// right = left op right
void combine(Function function, Base base, const std::byte* left, std::byte* right);

} // namespace fuzz
