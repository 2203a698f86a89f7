// SPDX-License-Identifier: BSD-3-Clause
// Derived datatypes: gaps that stay untouched, extents that differ from the size, permutations, and
// types that differ between sender and receiver with one signature.
#include <cstddef>

#include "collectives/compare.hpp"

using namespace mpitest;

namespace {

struct Mixed {
    char letter;
    int number;
    double weight;
};

Type mixed_type() {
    const int lengths[] = {1, 1, 1};
    const MPI_Aint places[] = {offsetof(Mixed, letter), offsetof(Mixed, number),
                               offsetof(Mixed, weight)};
    const MPI_Datatype types[] = {MPI_CHAR, MPI_INT, MPI_DOUBLE};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_struct(3, lengths, places, types, &type);
    return Type(type);
}

// All collectives that move data without reducing it, with one pair of types.
void compare_moves(Side send, Side recv, const std::vector<int>& counts) {
    for (const Collective& row : collectives) {
        if (row.reduces || row.recv == Layout::none) continue;
        for (const int count : counts)
            compare_with_blocking(
                row,
                {.count = count, .root = size_of() - 1, .send = send, .recv = recv, .rounds = 2});
    }
}

void compare_in_place(Side side, int count) {
    for (const Collective& row : collectives)
        if (!row.reduces && row.in_place != InPlace::nowhere)
            compare_with_blocking(
                row, {.count = count, .in_place = true, .send = side, .recv = side, .rounds = 2});
}

} // namespace

TEST_CASE("the gaps of a vector stay untouched") {
    const Type gaps = vector_of(2, 1, 3);
    compare_moves({gaps}, {gaps}, {1, 40, 3000});
    compare_in_place({gaps}, 6);
}

TEST_CASE("a type with a negative lower bound and a wide extent lands where it should") {
    const Type pair = vector_of(1, 2, 2);
    const Type wide = resized(pair, -8, 32);
    compare_moves({wide}, {wide}, {1, 11, 2500});
    compare_in_place({wide}, 5);
}

TEST_CASE("a permuted indexed type keeps its order") {
    const Type permuted = indexed({1, 2, 1}, {4, 0, 7});
    compare_moves({permuted}, {permuted}, {1, 25, 1500});
    compare_in_place({permuted}, 4);
}

TEST_CASE("a structure with holes keeps its holes") {
    const Type mixed = mixed_type();
    compare_moves({mixed}, {mixed},
                  {1, 13, 200}); // MPICH 4.0.2's blocking gather and scatter fail from 1,000 on
    compare_in_place({mixed}, 3);
}

TEST_CASE("sender and receiver may use different types of one signature") {
    const Type gaps = vector_of(2, 1, 3);
    const Type permuted = indexed({1, 2, 1}, {4, 0, 7});
    compare_moves({gaps}, {MPI_INT, 2}, {1, 30, 3000});
    compare_moves({MPI_INT, 2}, {gaps}, {1, 30, 3000});
    compare_moves({gaps, 2}, {permuted}, {1, 30});
}

TEST_CASE("columns of a matrix interleave") {
    constexpr int columns = 16;
    const Type strided = vector_of(4, 1, columns);
    const Type column = resized(strided, 0, sizeof(int));
    for (const Collective& row : collectives) {
        const bool regular = row.recv == Layout::own || row.recv == Layout::all;
        if (row.reduces || !regular) continue;
        compare_with_blocking(row, {.count = 1, .send = {column}, .recv = {column}});
        compare_with_blocking(row, {.count = 2, .send = {column}, .recv = {MPI_INT, 4}});
        compare_with_blocking(row, {.count = 2, .send = {MPI_INT, 4}, .recv = {column}});
    }
}
