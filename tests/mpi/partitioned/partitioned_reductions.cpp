// SPDX-License-Identifier: BSD-3-Clause
// Partitioned reductions: predefined operations on several types against a local fold, and
// operations of the program's own, whose result tells the order of the operands.
#include "common/fold.hpp"
#include "partitioned/partitioned_rounds.hpp"

#include <algorithm>

using namespace mpitest;

namespace {

// Small values, exact in every order; in a pair the second is an index.
template<class T>
void fill(Buffer& buffer, int elements, int rank, int round) {
    for (int i = 0; i < elements; i++) {
        const int value = value_at(rank, round, static_cast<std::size_t>(i)) % 3 + 2;
        if constexpr (std::is_arithmetic_v<T>)
            buffer.as<T>()[i] = static_cast<T>(value);
        else
            buffer.as<T>()[i] = {static_cast<double>(value), rank};
    }
}

struct Located {
    double value;
    int index;
};

template<class T>
int first_wrong(Buffer& got, Buffer& folded, const Reducing& what) {
    for (int i = 0; i < what.output(); i++) {
        const T &seen = got.as<T>()[i], &wanted = folded.as<T>()[what.first() + i];
        if constexpr (std::is_arithmetic_v<T>) {
            if (seen != wanted) return i;
        } else if (seen.value != wanted.value || seen.index != wanted.index) {
            return i;
        }
    }
    return -1;
}

template<class T>
void check_type(MPI_Datatype type, std::initializer_list<MPI_Op> ops) {
    for (const Reduction kind : reductions)
        for (const MPI_Op op : ops)
            for (const int parts : {1, 2, 6}) {
                INFO(name_of(kind) << " in " << parts << " partitions");
                Reducing what{kind, 132, type, op, size_of() - 1};
                const auto bytes = static_cast<std::size_t>(what.input()) * sizeof(T);
                Buffer send(bytes), recv(bytes), folded(bytes);
                MPI_Request request = MPI_REQUEST_NULL;
                CHECK_MPI(init_parted(what, parts, send.data(), recv.data(), &request));
                const bool scatters =
                    kind == Reduction::reduce_scatter || kind == Reduction::reduce_scatter_block;
                for (int round = 0; round < 2; round++) {
                    const auto input = [&](Buffer& to, int rank) {
                        fill<T>(to, what.input(), rank, round);
                    };
                    input(send, rank_of());
                    CHECK_MPI(MPI_Start(&request));
                    const int marks = scatters ? parts * size_of() : parts;
                    for (int p = marks - 1; p >= 0; p--) CHECK_MPI(MPI_Pready(p, request));
                    CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
                    if (what.output() == 0) continue;
                    fold(what, folded, input);
                    CHECK(first_wrong<T>(recv, folded, what) == -1);
                }
                free_request(request);
            }
}

// ---- operations of the program's own, on pairs of ints ----

constexpr std::int64_t prime = 9973;

int modulo(std::int64_t x) { return static_cast<int>((x % prime + prime) % prime); }

// x -> scale * x + shift, one after the other: associative, and not commutative.
void compose(const int* left, int* right, std::ptrdiff_t second) {
    const auto ls = std::int64_t{left[0]}, lt = std::int64_t{left[second]};
    const auto rs = std::int64_t{right[0]}, rt = std::int64_t{right[second]};
    right[0] = modulo(ls * rs);
    right[second] = modulo(lt * rs + rt);
}

void add(const int* left, int* right, std::ptrdiff_t second) {
    right[0] = modulo(std::int64_t{left[0]} + right[0]);
    right[second] = modulo(std::int64_t{left[second]} + right[second]);
}

using Combine = void (*)(const int*, int*, std::ptrdiff_t);

// A pair is the first and the last int of an element, with or without a gap.
template<Combine combine>
void operation_of(void* in, void* inout, int* length, MPI_Datatype* type) {
    MPI_Aint lower = 0, extent = 0;
    MPI_Type_get_extent(*type, &lower, &extent);
    const auto step = extent / static_cast<MPI_Aint>(sizeof(int));
    for (int i = 0; i < *length; i++)
        combine(static_cast<const int*>(in) + i * step, static_cast<int*>(inout) + i * step,
                step - 1);
}

template<Combine combine>
void fold_of(const Stream& left, Stream& right) {
    for (std::size_t i = 0; i < right.size(); i += 2) combine(&left[i], &right[i], 1);
}

struct Own {
    MPI_Op op = MPI_OP_NULL;
    Fold fold;

    template<Combine combine>
    static Own of(bool commutes) {
        Own own{.fold = &fold_of<combine>};
        MPI_Op_create(&operation_of<combine>, commutes ? 1 : 0, &own.op);
        return own;
    }
};

template<class Run>
void each_case(Own own, MPI_Datatype type, Run run) {
    for (const Partitioned& row : partitioned_calls) {
        if (!row.reduces()) continue;
        for (const int root : roots_of(row))
            for (const int granules : {0, 1, 120})
                for (const bool in_place : {false, true})
                    run(PartedCase{.row = &row,
                                   .granules = granules,
                                   .root = root,
                                   .in_place = in_place,
                                   .seed = static_cast<std::uint32_t>(granules + root),
                                   .send = {{type, 1}},
                                   .op = own.op,
                                   .fold = own.fold});
    }
    MPI_Op_free(&own.op);
}

void run_all(const Own& own, MPI_Datatype type) {
    each_case(own, type, [](const PartedCase& of) { run_rounds(of, 2); });
}

int calls = 0;

void count_calls(void*, void*, int*, MPI_Datatype*) { calls++; }

Type dense_pair() {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_INT, &type);
    return Type(type);
}

struct Triple {
    int ints[3];
    bool operator==(const Triple&) const = default;
};

// Six partitions, of which three are one message: what is marked of it before the rest is, and goes
// ahead while the ranks wait for each other, is longer than a chunk of a queue, and no chunk ends
// where an element does.
void hold_every_third_back(const Reducing& what) {
    const int parts = 6;
    const auto bytes = static_cast<std::size_t>(what.input()) * sizeof(Triple);
    Buffer send(bytes), recv(bytes), folded(bytes);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(init_parted(what, parts, send.data(), recv.data(), &request));
    const bool scatters =
        what.kind == Reduction::reduce_scatter || what.kind == Reduction::reduce_scatter_block;
    const int marks = scatters ? parts * size_of() : parts;
    for (int round = 0; round < 4; round++) {
        const auto input = [&](Buffer& to, int rank) {
            for (int i = 0; i < 3 * what.input(); i++)
                to.as<int>()[i] =
                    value_at(i % 3 == 1 ? 0 : rank, round, // what no operation changes
                             static_cast<std::size_t>(i)) %
                    prime;
        };
        input(send, rank_of());
        CHECK_MPI(MPI_Start(&request));
        const auto mark = [&](bool third) {
            for (int p = 0; p < marks; p++)
                if ((p % 3 == 2) == third) CHECK_MPI(MPI_Pready(p, request));
        };
        mark(false);
        for (int i = 0; i < 2; i++) MPI_Barrier(MPI_COMM_WORLD);
        mark(true);
        CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
        if (what.output() == 0) continue;
        fold(what, folded, input);
        CHECK(std::equal(recv.as<Triple>(), recv.as<Triple>() + what.output(),
                         folded.as<Triple>() + what.first()));
    }
    free_request(request);
}

Type spread_pair() { return vector_of(2, 1, 2); }

} // namespace

TEST_CASE("sums, minima and maxima of several types") {
    const auto ordered = {MPI_SUM, MPI_MIN, MPI_MAX};
    check_type<std::int8_t>(MPI_INT8_T, ordered);
    check_type<std::uint16_t>(MPI_UINT16_T, ordered);
    check_type<int>(MPI_INT, {MPI_SUM, MPI_MIN, MPI_MAX, MPI_BXOR, MPI_LAND});
    check_type<long>(MPI_LONG, ordered);
    check_type<float>(MPI_FLOAT, ordered);
    check_type<double>(MPI_DOUBLE, {MPI_SUM, MPI_MIN, MPI_MAX, MPI_PROD});
    check_type<long double>(MPI_LONG_DOUBLE, ordered);
    check_type<Located>(MPI_DOUBLE_INT, {MPI_MINLOC, MPI_MAXLOC});
}

TEST_CASE("an operation of the program's own that does not commute keeps the order of ranks") {
    run_all(Own::of<compose>(false), dense_pair());
}

TEST_CASE("an operation of the program's own that commutes") {
    run_all(Own::of<add>(true), dense_pair());
}

TEST_CASE("elements that no chunk ends with go ahead of what is not marked") {
    MPI_Datatype triple = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(3, MPI_INT, &triple);
    const Type type(triple);
    for (const bool commutes : {false, true}) {
        Own own = commutes ? Own::of<add>(true) : Own::of<compose>(false);
        for (const Reduction kind : reductions) {
            INFO(name_of(kind));
            hold_every_third_back({kind, 6 * 512, type, own.op, size_of() - 1});
        }
        MPI_Op_free(&own.op);
    }
}

TEST_CASE("operations of the program's own leave the gaps of a type alone") {
    run_all(Own::of<compose>(false), spread_pair());
    run_all(Own::of<add>(true), spread_pair());
}

TEST_CASE("elements without data are not combined, and wait for who has a part in them") {
    MPI_Datatype none = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(0, MPI_INT, &none);
    const Type nothing(none), far = resized(nothing, 0, 12);
    calls = 0;
    for (MPI_Datatype type : {MPI_Datatype(nothing), MPI_Datatype(far)})
        for (const Reduction kind : reductions) {
            INFO(name_of(kind));
            MPI_Op op = MPI_OP_NULL;
            MPI_Op_create(&count_calls, 1, &op);
            MPI_Request request = MPI_REQUEST_NULL;
            const Reducing what{kind, 4, type, op};
            Buffer send(12 * static_cast<std::size_t>(what.input())), recv(48);
            CHECK_MPI(init_parted(what, 2, send.data(), recv.data(), &request));
            const bool waits = kind != Reduction::reduce && kind != Reduction::exscan;
            const int segments =
                kind == Reduction::reduce_scatter || kind == Reduction::reduce_scatter_block
                    ? size_of()
                    : 1;
            for (int round = 0; round < 3; round++) {
                CHECK_MPI(MPI_Start(&request));
                for (int i = 0; waits && i < 10; i++) {
                    int flag = -1;
                    CHECK_MPI(MPI_Parrived(request, 1, &flag));
                    CHECK(flag == 0);
                }
                CHECK_MPI(MPI_Pready_range(0, 2 * segments - 1, request));
                CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
            }
            free_request(request);
            MPI_Op_free(&op);
        }
    CHECK(calls == 0);
}

TEST_CASE("an operation of the program's own goes right after the init") {
    for (const Partitioned& row : partitioned_calls) {
        if (!row.reduces()) continue;
        const Type type = dense_pair();
        Own own = Own::of<compose>(false);
        PartedOperation operation({.row = &row,
                                   .send = {{type, 1}},
                                   .op = own.op,
                                   .fold = own.fold,
                                   .frees_early = true});
        MPI_Op_free(&own.op);
        Own other = Own::of<add>(true); // the handle may be the same
        for (int round = 0; round < 2; round++) run_round(operation, round);
        MPI_Op_free(&other.op);
    }
}

TEST_CASE("reversed communicators keep the order of their own ranks") {
    MPI_Comm reversed = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank_of() % 2, -rank_of(), &reversed);
    const Type type = dense_pair();
    const Own own = Own::of<compose>(false);
    for (const Partitioned& row : partitioned_calls)
        if (row.reduces())
            run_rounds({.row = &row,
                        .send = {{type, 1}},
                        .op = own.op,
                        .fold = own.fold,
                        .comm = reversed});
    MPI_Op op = own.op;
    MPI_Op_free(&op);
    MPI_Comm_free(&reversed);
}
