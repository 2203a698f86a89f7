// SPDX-License-Identifier: BSD-3-Clause
// Reductions whose bits tell the order in which they were combined: sums and products that round,
// minima of zeros of both signs, and an operation of the program's own that mixes.
#pragma once

#include <cfloat>
#include <cmath>
#include <complex>
#include <functional>

#include "common/fold.hpp"

namespace mpitest {

// An element at any place: no type has more bytes.
struct alignas(16) Element {
    std::uint8_t bytes[16] = {};
};

struct Arithmetic {
    const char* name;
    MPI_Datatype type;
    MPI_Op op;
    std::size_t extent, bytes;                         // of an element; the rest is padding
    void (*fill)(void* element, std::uint32_t random); // any bits in, one value out
    void (*combine)(const void* left, void* right);    // right = left (op) right

    MPI_Aint step() const { return static_cast<MPI_Aint>(extent); }
};

// Of any size between 2^-20 and 2^20, and of both signs.
template<class T>
T of_any_size(std::uint32_t random) {
    const T fraction = static_cast<T>(random % 65521 + 1) / static_cast<T>(40009);
    return std::ldexp(random & 0x10000 ? -fraction : fraction,
                      static_cast<int>(random >> 17) % 41 - 20);
}

template<class T>
void fill_sizes(void* element, std::uint32_t random) {
    *static_cast<T*>(element) = of_any_size<T>(random);
}
template<class T>
void fill_near_one(void* element, std::uint32_t random) {
    *static_cast<T*>(element) = 1 + static_cast<T>(random % 4093) / static_cast<T>(30011);
}
template<class T>
void fill_complex(void* element, std::uint32_t random) {
    const T part = static_cast<T>(random % 4093) / static_cast<T>(30011);
    *static_cast<std::complex<T>*>(element) = {1 + part, static_cast<T>(random >> 20) / 9973};
}
inline void fill_zeros(void* element, std::uint32_t random) {
    *static_cast<double*>(element) = random & 64 ? -0.0 : 0.0;
}
inline void fill_bits(void* element, std::uint32_t random) {
    *static_cast<std::uint64_t*>(element) = random * std::uint64_t{0x9E3779B97F4A7C15};
}

template<class T>
void add(const void* left, void* right) {
    *static_cast<T*>(right) = *static_cast<const T*>(left) + *static_cast<T*>(right);
}
template<class T>
void multiply(const void* left, void* right) {
    *static_cast<T*>(right) = *static_cast<const T*>(left) * *static_cast<T*>(right);
}
// By its parts, each of which rounds.
template<class T>
void multiply_complex(const void* left, void* right) {
    const auto a = *static_cast<const std::complex<T>*>(left);
    auto& b = *static_cast<std::complex<T>*>(right);
    const volatile T rr = a.real() * b.real(), ii = a.imag() * b.imag(), ri = a.real() * b.imag(),
                     ir = a.imag() * b.real();
    b = {rr - ii, ri + ir};
}
inline void take_less(const void* left, void* right) {
    const double a = *static_cast<const double*>(left);
    auto& b = *static_cast<double*>(right);
    b = b < a ? b : a;
}
// Neither associative nor, whatever it is declared, commutative.
inline void mix_bits(const void* left, void* right) {
    const auto a = *static_cast<const std::uint64_t*>(left);
    auto& b = *static_cast<std::uint64_t*>(right);
    b = (a << 23 | a >> 41) * 0xD6E8FEB86659FD93 ^ b * 0xC2B2AE3D27D4EB4F;
}
inline void mix_all(void* in, void* inout, int* length, MPI_Datatype*) {
    for (int i = 0; i < *length; i++)
        mix_bits(static_cast<std::uint64_t*>(in) + i, static_cast<std::uint64_t*>(inout) + i);
}

class Arithmetics {
  public:
    Arithmetics() {
        MPI_Op_create(mix_all, 1, &ops_[0]);
        MPI_Op_create(mix_all, 0, &ops_[1]);
        using C = std::complex<double>;
        using F = std::complex<float>;
        all = {
            {"float sums", MPI_FLOAT, MPI_SUM, 4, 4, fill_sizes<float>, add<float>},
            {"double sums", MPI_DOUBLE, MPI_SUM, 8, 8, fill_sizes<double>, add<double>},
            {"double products", MPI_DOUBLE, MPI_PROD, 8, 8, fill_near_one<double>,
             multiply<double>},
            {"minima of zeros", MPI_DOUBLE, MPI_MIN, 8, 8, fill_zeros, take_less},
            {"long double sums", MPI_LONG_DOUBLE, MPI_SUM, sizeof(long double),
             sizeof(long double) == 16 && LDBL_MANT_DIG == 64 ? 10 : sizeof(long double),
             fill_sizes<long double>, add<long double>},
            {"complex sums", MPI_C_DOUBLE_COMPLEX, MPI_SUM, 16, 16, fill_complex<double>, add<C>},
            {"complex products", MPI_C_DOUBLE_COMPLEX, MPI_PROD, 16, 16, fill_complex<double>,
             multiply_complex<double>},
            {"complex products of floats", MPI_C_FLOAT_COMPLEX, MPI_PROD, 8, 8, fill_complex<float>,
             multiply_complex<float>},
            {"an operation said to commute", MPI_UINT64_T, ops_[0], 8, 8, fill_bits, mix_bits},
            {"an operation of ranks in order", MPI_UINT64_T, ops_[1], 8, 8, fill_bits, mix_bits},
        };
        static_assert(sizeof(F) == 8 && sizeof(C) == 16);
    }
    Arithmetics(const Arithmetics&) = delete;
    Arithmetics& operator=(const Arithmetics&) = delete;
    ~Arithmetics() {
        for (MPI_Op& op : ops_) MPI_Op_free(&op);
    }

    std::vector<Arithmetic> all;

  private:
    MPI_Op ops_[2] = {MPI_OP_NULL, MPI_OP_NULL};
};

// What rank has as its element of that number.
inline Element given(const Arithmetic& arithmetic, int rank, int index) {
    Element element;
    arithmetic.fill(&element,
                    mix(static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(index), 77));
    return element;
}

// A reduction of one arithmetic: whole, in place or not, or in partitions.
struct Trial {
    const Arithmetic* of;
    Reduction kind;
    int count;
    bool in_place = false;
    int parts = 0; // 0: not partitioned
    int root = 0;

    std::string text() const {
        return std::string(name_of(kind)) + ", " + of->name + ", " + std::to_string(count) +
               (parts ? " in " + std::to_string(parts) + " partitions" : "") +
               (in_place ? ", in place" : "") + ", root " + std::to_string(root);
    }
    bool scatters() const {
        return kind == Reduction::reduce_scatter || kind == Reduction::reduce_scatter_block;
    }
    Reducing reducing() const { return {kind, count, of->type, of->op, root}; }

    // The bytes of the result, after two rounds.
    std::vector<std::uint8_t> run() const;
};

inline std::vector<std::uint8_t> Trial::run() const {
    Reducing what = reducing();
    const std::size_t bytes = static_cast<std::size_t>(what.input()) * of->extent;
    Buffer send(bytes), recv(bytes);
    const bool is_replaced = in_place && (kind != Reduction::reduce || rank_of() == root);
    Buffer& input = is_replaced ? recv : send;
    const void* const from = is_replaced ? MPI_IN_PLACE : send.data();
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(parts ? init_parted(what, parts, from, recv.data(), &request)
                    : what.init(from, recv.data(), &request));
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < what.input(); i++) {
            const Element element = given(*of, rank_of(), i);
            std::memcpy(input.as<std::uint8_t>() + i * of->step(), &element, of->extent);
        }
        CHECK_MPI(MPI_Start(&request));
        for (int p = parts * (scatters() ? size_of() : 1) - 1; p >= 0; p--)
            CHECK_MPI(MPI_Pready(p, request));
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
    }
    free_request(request);
    std::vector<std::uint8_t> result;
    for (int i = 0; i < what.output(); i++) {
        const auto* element = recv.as<std::uint8_t>() + i * of->step();
        result.insert(result.end(), element, element + of->bytes);
    }
    return result;
}

// All kinds with all arithmetics: whole with each count, in place by turns, and in partitions.
inline void each_trial(const std::vector<Arithmetic>& arithmetics, const std::vector<int>& counts,
                       const std::function<void(const Trial&)>& visit) {
    const int last = size_of() - 1;
    for (const Arithmetic& of : arithmetics)
        for (const Reduction kind : reductions) {
            for (const int count : counts)
                for (const bool in_place : {false, true})
                    visit({&of, kind, count, in_place, 0, in_place ? last : 0});
            visit({&of, kind, 1200, false, 6, last});
        }
}

} // namespace mpitest
