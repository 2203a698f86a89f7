// SPDX-License-Identifier: BSD-3-Clause
// Every predefined operation on every predefined datatype it is defined for, against a local fold.
#include <complex>
#include <string_view>

#include "common/fold.hpp"

using namespace mpitest;

namespace {

// The groups of MPI 4.1, section 6.9.2.
enum Group {
    integer = 1,
    multi_language = 2,
    floating = 4,
    complex_number = 8,
    logical = 16,
    byte = 32,
    pair = 64,
    fortran = 128
};

template<class T>
struct Pair {
    T value;
    int index;
};

template<class T>
struct Twin { // Fortran's pairs are two values of one type
    T value, index;
};

template<class T>
void put(T& to, int v, int) {
    to = static_cast<T>(v);
}
template<>
void put(bool& to, int v, int) {
    to = (v & 1) != 0;
}
template<class T>
void put(std::complex<T>& to, int v, int w) {
    to = {static_cast<T>(v), static_cast<T>(w)};
}
template<class T>
void put(Pair<T>& to, int v, int w) {
    to.value = static_cast<T>(v), to.index = w + 1;
}
template<class T>
void put(Twin<T>& to, int v, int w) {
    to.value = static_cast<T>(v), to.index = static_cast<T>(w + 1);
}

template<class T>
bool same(const T& a, const T& b) {
    return a == b;
}
template<class T>
bool same(const Pair<T>& a, const Pair<T>& b) {
    return a.value == b.value && a.index == b.index;
}
template<class T>
bool same(const Twin<T>& a, const Twin<T>& b) {
    return a.value == b.value && a.index == b.index;
}

// Small values, so that sums and products are exact in every order; logical ones are 0 and 1 only.
template<class T>
void fill(void* to, int count, int rank, int round, int modulus, int lowest) {
    for (int i = 0; i < count; i++) {
        const auto mixed = mix(static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(round),
                               static_cast<std::uint32_t>(i));
        const int v = static_cast<int>(mixed % static_cast<std::uint32_t>(modulus)) + lowest;
        put(static_cast<T*>(to)[i], v, static_cast<int>(mixed >> 8) % 3);
    }
}

template<class T>
int first_wrong(const void* expected, const void* got, int count) {
    for (int i = 0; i < count; i++)
        if (!same(static_cast<const T*>(expected)[i], static_cast<const T*>(got)[i])) return i;
    return -1;
}

struct TypeRow {
    const char* name;
    MPI_Datatype type;
    int group;
    std::size_t size;
    void (*fill)(void*, int, int, int, int, int);
    int (*first_wrong)(const void*, const void*, int);
};

template<class T>
TypeRow row(const char* name, MPI_Datatype type, int group) {
    return {name, type, group, sizeof(T), &fill<T>, &first_wrong<T>};
}

#define ROW(T, type, group) row<T>(#type, type, group)

std::vector<TypeRow> types() {
    return {ROW(signed char, MPI_SIGNED_CHAR, integer),
            ROW(unsigned char, MPI_UNSIGNED_CHAR, integer),
            ROW(short, MPI_SHORT, integer),
            ROW(unsigned short, MPI_UNSIGNED_SHORT, integer),
            ROW(int, MPI_INT, integer),
            ROW(unsigned, MPI_UNSIGNED, integer),
            ROW(long, MPI_LONG, integer),
            ROW(unsigned long, MPI_UNSIGNED_LONG, integer),
            ROW(long long, MPI_LONG_LONG, integer),
            ROW(unsigned long long, MPI_UNSIGNED_LONG_LONG, integer),
            ROW(std::int8_t, MPI_INT8_T, integer),
            ROW(std::int16_t, MPI_INT16_T, integer),
            ROW(std::int32_t, MPI_INT32_T, integer),
            ROW(std::int64_t, MPI_INT64_T, integer),
            ROW(std::uint8_t, MPI_UINT8_T, integer),
            ROW(std::uint16_t, MPI_UINT16_T, integer),
            ROW(std::uint32_t, MPI_UINT32_T, integer),
            ROW(std::uint64_t, MPI_UINT64_T, integer),
            ROW(MPI_Aint, MPI_AINT, multi_language),
            ROW(MPI_Offset, MPI_OFFSET, multi_language),
            ROW(MPI_Count, MPI_COUNT, multi_language),
            ROW(float, MPI_FLOAT, floating),
            ROW(double, MPI_DOUBLE, floating),
            ROW(long double, MPI_LONG_DOUBLE, floating),
            ROW(bool, MPI_C_BOOL, logical),
            ROW(bool, MPI_CXX_BOOL, logical),
            ROW(std::complex<float>, MPI_C_FLOAT_COMPLEX, complex_number),
            ROW(std::complex<double>, MPI_C_DOUBLE_COMPLEX, complex_number),
            ROW(std::complex<long double>, MPI_C_LONG_DOUBLE_COMPLEX, complex_number),
            ROW(std::complex<float>, MPI_CXX_FLOAT_COMPLEX, complex_number),
            ROW(std::complex<double>, MPI_CXX_DOUBLE_COMPLEX, complex_number),
            ROW(unsigned char, MPI_BYTE, byte),
            ROW(int, MPI_INTEGER, fortran),
            ROW(float, MPI_REAL, floating),
            ROW(double, MPI_DOUBLE_PRECISION, floating),
            ROW(std::int8_t, MPI_INTEGER1, fortran),
            ROW(std::int16_t, MPI_INTEGER2, fortran),
            ROW(std::int32_t, MPI_INTEGER4, fortran),
            ROW(std::int64_t, MPI_INTEGER8, fortran),
            ROW(float, MPI_REAL4, floating),
            ROW(double, MPI_REAL8, floating),
            ROW(std::complex<float>, MPI_COMPLEX, complex_number),
            ROW(std::complex<double>, MPI_DOUBLE_COMPLEX, complex_number),
            ROW(int, MPI_LOGICAL, logical),
            ROW(Pair<float>, MPI_FLOAT_INT, pair),
            ROW(Pair<double>, MPI_DOUBLE_INT, pair),
            ROW(Pair<long>, MPI_LONG_INT, pair),
            ROW(Pair<short>, MPI_SHORT_INT, pair),
            ROW(Pair<int>, MPI_2INT, pair),
            ROW(Pair<long double>, MPI_LONG_DOUBLE_INT, pair),
            ROW(Twin<int>, MPI_2INTEGER, pair),
            ROW(Twin<float>, MPI_2REAL, pair),
            ROW(Twin<double>, MPI_2DOUBLE_PRECISION, pair)};
}

struct OpRow {
    const char* name;
    MPI_Op op;
    int groups;
};

std::vector<OpRow> ops() {
    const int whole = integer | multi_language | fortran;
    return {{"MPI_MAX", MPI_MAX, whole | floating},
            {"MPI_MIN", MPI_MIN, whole | floating},
            {"MPI_SUM", MPI_SUM, whole | floating | complex_number},
            {"MPI_PROD", MPI_PROD, whole | floating | complex_number},
            {"MPI_LAND", MPI_LAND, integer | logical},
            {"MPI_LOR", MPI_LOR, integer | logical},
            {"MPI_LXOR", MPI_LXOR, integer | logical},
            {"MPI_BAND", MPI_BAND, whole | byte},
            {"MPI_BOR", MPI_BOR, whole | byte},
            {"MPI_BXOR", MPI_BXOR, whole | byte},
            {"MPI_MAXLOC", MPI_MAXLOC, pair},
            {"MPI_MINLOC", MPI_MINLOC, pair}};
}

void check_reduction(Reduction kind, const TypeRow& type, const OpRow& op, int count, int rounds) {
    INFO(name_of(kind) << " of " << count << ' ' << type.name << " with " << op.name);
    Reducing what{kind, count, type.type, op.op, size_of() - 1};
    // The oracle is the host's, which is wrong on huge unsigned integers and on negative offsets:
    // hostbugs/unsigned_reductions.c has those.
    const bool is_unsigned =
        std::string_view(type.name).starts_with("MPI_U") || type.type == MPI_OFFSET;
    const int modulus = type.group == logical ? 2 : 5;
    const int lowest = type.group == logical || is_unsigned ? 0 : -1;
    const auto bytes = static_cast<std::size_t>(what.input()) * type.size;
    Buffer send(bytes), recv(bytes), expected(bytes);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(what.init(send.data(), recv.data(), &request));
    for (int round = 0; round < rounds; round++) {
        const auto input = [&](Buffer& to, int rank) {
            type.fill(to.data(), what.input(), rank, round, modulus, lowest);
        };
        input(send, rank_of());
        start_and_wait(request);
        if (what.output() == 0) continue;
        fold(what, expected, input);
        const auto* part =
            expected.as<unsigned char>() + static_cast<std::size_t>(what.first()) * type.size;
        CHECK(type.first_wrong(part, recv.data(), what.output()) == -1);
    }
    free_request(request);
}

bool exists(
    const TypeRow& type) { // a host may leave a type out; a handle may also be of another size
    if (type.type == MPI_DATATYPE_NULL) return false;
    MPI_Aint lower = 0, extent = 0;
    MPI_Type_get_extent(type.type, &lower, &extent);
    return extent == static_cast<MPI_Aint>(type.size);
}

} // namespace

TEST_CASE("every predefined operation works on every type it is defined for") {
    unsigned turn = 0;
    for (const TypeRow& type : types())
        for (const OpRow& op : ops()) {
            if ((op.groups & type.group) == 0 || !exists(type)) continue;
            check_reduction(Reduction::allreduce, type, op, 13, 2);
            check_reduction(reductions[turn++ % 6], type, op, 7, 2);
        }
}

TEST_CASE("operations work on the types that Fortran programs ask for by precision") {
    MPI_Datatype nine_digits = MPI_DATATYPE_NULL, eighteen_digits = MPI_DATATYPE_NULL,
                 fifteen_reals = MPI_DATATYPE_NULL;
    MPI_Type_create_f90_integer(9, &nine_digits);
    MPI_Type_create_f90_integer(18, &eighteen_digits);
    MPI_Type_create_f90_real(15, MPI_UNDEFINED, &fifteen_reals);
    for (const TypeRow& type :
         {ROW(std::int32_t, nine_digits, fortran), ROW(std::int64_t, eighteen_digits, fortran),
          ROW(double, fifteen_reals, floating)})
        for (const OpRow& op : ops())
            if ((op.groups & type.group) != 0)
                check_reduction(Reduction::allreduce, type, op, 13, 2);
}

TEST_CASE("large reductions of each kind keep every element") {
    const TypeRow doubles = ROW(double, MPI_DOUBLE, floating),
                  pairs = ROW(Pair<double>, MPI_DOUBLE_INT, pair);
    for (const Reduction kind : reductions) {
        check_reduction(kind, doubles, {"MPI_SUM", MPI_SUM, floating}, 6'001, 2);
        check_reduction(kind, pairs, {"MPI_MINLOC", MPI_MINLOC, pair}, 3'001, 2);
    }
}
