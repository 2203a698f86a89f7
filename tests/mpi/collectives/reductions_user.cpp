// SPDX-License-Identifier: BSD-3-Clause
// User-defined operations: commutative ones, and ones whose result tells the order of the operands.
#include "common/fold.hpp"

using namespace mpitest;

namespace {

constexpr std::int64_t prime = 1'000'003;

// x -> scale * x + shift, modulo a prime. Composition is associative and not commutative.
struct Affine {
    std::int64_t scale, shift;
};

// The same with a hole between, which nobody may write.
struct Spread {
    std::int64_t scale, hole, shift;
};

int strange_calls = 0; // calls of an operation with another datatype than it was given

template<class Map>
void compose(void* in, void* inout, int* length, MPI_Datatype* type) {
    MPI_Aint lower = 0, extent = 0;
    MPI_Type_get_extent(*type, &lower, &extent);
    if (extent != static_cast<MPI_Aint>(sizeof(Map))) strange_calls++;
    const auto* left = static_cast<const Map*>(in);
    auto* right = static_cast<Map*>(inout);
    for (int i = 0; i < *length; i++) {
        const auto scale = left[i].scale * right[i].scale % prime;
        right[i].shift = (left[i].shift * right[i].scale + right[i].shift) % prime;
        right[i].scale = scale;
    }
}

// Commutative: both parts are added.
void add(void* in, void* inout, int* length, MPI_Datatype*) {
    const auto* left = static_cast<const Affine*>(in);
    auto* right = static_cast<Affine*>(inout);
    for (int i = 0; i < *length; i++) {
        right[i].scale = (left[i].scale + right[i].scale) % prime;
        right[i].shift = (left[i].shift + right[i].shift) % prime;
    }
}

Type affine_type() {
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_contiguous(2, MPI_INT64_T, &type);
    return Type(type);
}

Type spread_type() {
    const Type ends = vector_of(2, 1, 2, MPI_INT64_T);
    return resized(ends, 0, sizeof(Spread));
}

class Op {
  public:
    Op(MPI_User_function* function, bool commutes) {
        MPI_Op_create(function, commutes ? 1 : 0, &op_);
    }
    Op(const Op&) = delete;
    Op& operator=(const Op&) = delete;
    ~Op() { MPI_Op_free(&op_); }
    operator MPI_Op() const { return op_; }

  private:
    MPI_Op op_ = MPI_OP_NULL;
};

template<class Map>
void fill(Buffer& buffer, int count, int rank, int round) {
    for (int i = 0; i < count; i++) {
        const auto mixed = mix(static_cast<std::uint32_t>(rank), static_cast<std::uint32_t>(round),
                               static_cast<std::uint32_t>(i));
        buffer.as<Map>()[i].scale = mixed % 97 + 2;
        buffer.as<Map>()[i].shift = mixed / 97 % 89 + 1;
    }
}

// The folded part of this rank, laid over what the receive buffer held before: gaps and margins
// must stay.
template<class Map>
void expect(const Reducing& what, Buffer& before, Buffer& folded) {
    for (int i = 0; i < what.output(); i++) {
        before.as<Map>()[i].scale = folded.as<Map>()[what.first() + i].scale;
        before.as<Map>()[i].shift = folded.as<Map>()[what.first() + i].shift;
    }
}

template<class Map>
void check_order(Reducing what, bool in_place = false) {
    INFO(name_of(what.kind) << ", count " << what.count << ", root " << what.root
                            << (in_place ? ", in place" : ""));
    const int me = rank_of(what.comm);
    const bool scatters =
        what.kind == Reduction::reduce_scatter || what.kind == Reduction::reduce_scatter_block;
    const bool one_buffer = in_place && (what.kind != Reduction::reduce || me == what.root);
    const auto bytes = static_cast<std::size_t>(what.input()) * sizeof(Map);
    Buffer send(bytes), recv(bytes);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(what.init(one_buffer ? MPI_IN_PLACE : send.data(), recv.data(), &request));
    for (int round = 0; round < 2; round++) {
        send.fill_ints(me, 2 * round + 50);
        recv.fill_ints(me, 2 * round + 51);
        const auto input = [&](Buffer& to, int rank) { fill<Map>(to, what.input(), rank, round); };
        input(one_buffer ? recv : send, me);
        Buffer expected = recv, folded(bytes);
        start_and_wait(request);
        if (what.output() == 0) continue;
        fold(what, folded, input);
        expect<Map>(what, expected, folded);
        const std::size_t defined =
            static_cast<std::size_t>(what.output()) * sizeof(Map) + Buffer::margin;
        CHECK(difference(expected, recv, scatters && in_place ? defined : SIZE_MAX) == "");
    }
    free_request(request);
}

std::vector<int> roots_of(Reduction kind) {
    std::vector<int> all{0};
    for (int r = 1; kind == Reduction::reduce && r < size_of(); r++) all.push_back(r);
    return all;
}

template<class Map>
void check_all(MPI_Datatype type, MPI_Op op, const std::vector<int>& counts) {
    for (const Reduction kind : reductions)
        for (const int count : counts)
            for (const int root : roots_of(kind)) check_order<Map>({kind, count, type, op, root});
    CHECK(strange_calls == 0);
}

} // namespace

TEST_CASE("a commutative user operation is applied to every contribution") {
    const Type type = affine_type();
    const Op op(&add, true);
    check_all<Affine>(type, op, {0, 1, 17, 1000});
    for (const Reduction kind : reductions) check_order<Affine>({kind, 20'000, type, op});
}

TEST_CASE("a user operation that does not commute keeps the order of the ranks") {
    const Type type = affine_type();
    const Op op(&compose<Affine>, false);
    check_all<Affine>(type, op, {0, 1, 17, 1000});
    for (const Reduction kind : reductions) check_order<Affine>({kind, 20'000, type, op});
}

TEST_CASE("a user operation that does not commute keeps the order in place") {
    const Type type = affine_type();
    const Op op(&compose<Affine>, false);
    for (const Reduction kind : reductions)
        for (const int root : roots_of(kind))
            for (const int count : {1, 17, 3000})
                check_order<Affine>({kind, count, type, op, root}, true);
}

TEST_CASE("a user operation on a type with gaps leaves the gaps alone") {
    const Type type = spread_type();
    const Op ordered(&compose<Spread>, false), unordered(&compose<Spread>, true);
    check_all<Spread>(type, ordered, {1, 17, 1500});
    if (size_of() == 1) check_all<Spread>(type, unordered, {1, 17, 1500});
}

TEST_CASE("reversed and split communicators keep the order of their own ranks") {
    MPI_Comm reversed = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, rank_of() % 2, -rank_of(), &reversed);
    const Type type = affine_type();
    const Op op(&compose<Affine>, false);
    for (const Reduction kind : reductions)
        for (const int count : {1, 300}) check_order<Affine>({kind, count, type, op, 0, reversed});
    MPI_Comm_free(&reversed);
}
