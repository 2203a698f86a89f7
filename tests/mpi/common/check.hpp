// SPDX-License-Identifier: BSD-3-Clause
// What every MPI test needs: ranks, guarded buffers, fills that differ by rank and round, and
// differences as text. Between communications a test uses CHECK, never REQUIRE: a rank that leaves
// strands the others.
#pragma once

#include "host_version.h" // before mpix.h: it keeps mpi.h from declaring C++ bindings

#include "catch2.hpp"
#include "mpix/mpix.h"
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

// A call that must succeed; the message of the error is what a failure shows.
#define CHECK_MPI(call) CHECK(mpitest::error_text(call) == "")

namespace mpitest {

inline int rank_of(MPI_Comm comm = MPI_COMM_WORLD) {
    int rank = -1;
    MPI_Comm_rank(comm, &rank);
    return rank;
}

inline int size_of(MPI_Comm comm = MPI_COMM_WORLD) {
    int size = 0;
    MPI_Comm_size(comm, &size);
    return size;
}

inline std::string error_text(int code) {
    if (code == MPI_SUCCESS) return "";
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(code, text, &length);
    return {text, static_cast<std::size_t>(length)};
}

inline int class_of(int code) {
    int error_class = -1;
    MPI_Error_class(code, &error_class);
    return error_class;
}

// Any numbers in, one well-mixed number out: the same on every rank.
inline std::uint32_t mix(std::uint32_t a, std::uint32_t b, std::uint32_t c = 0) {
    std::uint32_t x = a * 0x9E3779B1u ^ (b + 0x7F4A7C15u) * 0x85EBCA77u ^ (c + 1u) * 0xC2B2AE3Du;
    x ^= x >> 15;
    x *= 0x2C1B3C6Du;
    return x ^ (x >> 13);
}

inline int value_at(int rank, int round, std::size_t index) {
    const auto mixed = mix(static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(round),
                           static_cast<std::uint32_t>(index));
    return static_cast<int>(mixed % 2003u) - 1001;
}

// Bytes with a margin before and after that nobody may touch; the margins also serve types with a
// negative lower bound.
class Buffer {
  public:
    static constexpr std::size_t margin = 256;

    explicit Buffer(std::size_t bytes) : bytes_(bytes + 2 * margin + sizeof(int)) {}

    void* data() { return bytes_.data() + margin; }
    const void* data() const { return bytes_.data() + margin; }
    template<class T>
    T* as() {
        return reinterpret_cast<T*>(data());
    }
    const std::vector<std::uint8_t>& all() const { return bytes_; }

    void fill_ints(int rank, int round) {
        const std::size_t ints = bytes_.size() / sizeof(int);
        for (std::size_t i = 0; i < ints; i++) {
            const int value = value_at(rank, round, i);
            std::memcpy(bytes_.data() + i * sizeof(int), &value, sizeof value);
        }
    }

  private:
    std::vector<std::uint8_t> bytes_;
};

// "" where the two agree, else where they first do not. `length` limits the comparison, margin
// included.
inline std::string difference(const Buffer& expected, const Buffer& got,
                              std::size_t length = SIZE_MAX) {
    const auto& left = expected.all();
    const auto& right = got.all();
    if (length > left.size()) length = left.size();
    if (left.size() != right.size()) return "sizes differ";
    if (std::memcmp(left.data(), right.data(), length) == 0) return "";
    std::size_t at = 0;
    while (left[at] == right[at]) at++;
    int wanted = 0, seen = 0;
    const std::size_t element = at / sizeof(int) * sizeof(int);
    const std::size_t width = element + sizeof(int) <= left.size() ? sizeof(int) : 1;
    std::memcpy(&wanted, left.data() + element, width);
    std::memcpy(&seen, right.data() + element, width);
    const auto offset = static_cast<long>(at) - static_cast<long>(Buffer::margin);
    return "byte " + std::to_string(offset) + ": expected int " + std::to_string(wanted) +
           ", got " + std::to_string(seen);
}

template<class T>
std::string difference(const std::vector<T>& expected, const std::vector<T>& got) {
    if (expected.size() != got.size()) return "sizes differ";
    for (std::size_t i = 0; i < expected.size(); i++)
        if (!(expected[i] == got[i])) {
            if constexpr (std::is_arithmetic_v<T>)
                return "element " + std::to_string(i) + ": expected " +
                       std::to_string(expected[i]) + ", got " + std::to_string(got[i]);
            return "element " + std::to_string(i) + " differs";
        }
    return "";
}

inline void start_and_wait(MPI_Request& request) {
    CHECK_MPI(MPI_Start(&request));
    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    CHECK(request != MPI_REQUEST_NULL);
}

inline void free_request(MPI_Request& request) {
    CHECK_MPI(MPI_Request_free(&request));
    CHECK(request == MPI_REQUEST_NULL);
}

// An info with one key, which frees itself; without a value it is MPI_INFO_NULL.
class Info {
  public:
    Info(const char* key, const char* value) {
        if (!value) return;
        MPI_Info_create(&info_);
        MPI_Info_set(info_, key, value);
    }
    ~Info() {
        if (info_ != MPI_INFO_NULL) MPI_Info_free(&info_);
    }
    Info(const Info&) = delete;
    Info& operator=(const Info&) = delete;
    operator MPI_Info() const { return info_; }

  private:
    MPI_Info info_ = MPI_INFO_NULL;
};

// A committed datatype that frees itself.
class Type {
  public:
    explicit Type(MPI_Datatype type) : type_(type) { MPI_Type_commit(&type_); }
    Type(Type&& other) noexcept : type_(other.type_) { other.type_ = MPI_DATATYPE_NULL; }
    Type(const Type&) = delete;
    Type& operator=(const Type&) = delete;
    Type& operator=(Type&&) = delete;
    ~Type() {
        if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
    }
    operator MPI_Datatype() const { return type_; }
    void swap(Type& other) { std::swap(type_, other.type_); }

  private:
    MPI_Datatype type_;
};

inline Type resized(MPI_Datatype from, MPI_Aint lower_bound, MPI_Aint extent) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_resized(from, lower_bound, extent, &type);
    return Type(type);
}

inline Type vector_of(int blocks, int length, int stride, MPI_Datatype of = MPI_INT) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_vector(blocks, length, stride, of, &type);
    return Type(type);
}

// One int after a gap, two after another, and a gap at the end.
inline Type structure() {
    const int lengths[] = {1, 2};
    const MPI_Aint places[] = {4, 12};
    const MPI_Datatype types[] = {MPI_INT, MPI_INT};
    MPI_Datatype made = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(2, lengths, places, types, &made);
    const Type inner(made);
    return resized(inner, 0, 28);
}

inline Type indexed(const std::vector<int>& lengths, const std::vector<int>& places,
                    MPI_Datatype of = MPI_INT) {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_indexed(static_cast<int>(lengths.size()), lengths.data(), places.data(), of, &type);
    return Type(type);
}

} // namespace mpitest
