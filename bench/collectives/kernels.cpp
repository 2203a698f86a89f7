// SPDX-License-Identifier: BSD-3-Clause
//
// mpix-bench-kernels: what it costs to reduce an array into another, by the host's
// MPI_Reduce_local and by the kernels of each level that this machine has. Nanoseconds a call, the
// least of batches; "apart" is the best level with the result in a third array.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include "kernel/combine.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace {

using namespace mpix::kernel;

constexpr int batches = 25, most = 131'072;

struct Row {
    const char* name;
    MPI_Datatype type;
    MPI_Op mpi_op;
    Element element;
    Operator op;
};

const Row rows[] = {
    {"sum of double", MPI_DOUBLE, MPI_SUM, Element::f64, Operator::sum},
    {"max of double", MPI_DOUBLE, MPI_MAX, Element::f64, Operator::maximum},
    {"sum of float", MPI_FLOAT, MPI_SUM, Element::f32, Operator::sum},
    {"sum of int", MPI_INT, MPI_SUM, Element::i32, Operator::sum},
    {"product of long", MPI_LONG, MPI_PROD, Element::i64, Operator::product},
    {"min of char", MPI_SIGNED_CHAR, MPI_MIN, Element::i8, Operator::minimum},
    {"and of int", MPI_INT, MPI_LAND, Element::i32, Operator::logical_and},
};

constexpr std::pair<Level, const char*> levels[] = {
    {Level::base, "base"}, {Level::v2, "v2"}, {Level::v3, "v3"}, {Level::v4, "v4"}};

// As malloc gives out large blocks: behind 16 bytes of its own.
template<int which>
void* array() {
    alignas(64) static double memory[most + 2];
    return memory + 2;
}

template<class Call>
double nanoseconds(int count, Call call) {
    const int calls = std::max(20, 1'000'000 / (count + 50));
    double least = 1e9;
    for (int i = 0; i < batches; ++i) {
        const double start = MPI_Wtime();
        for (int k = 0; k < calls; ++k) call();
        least = std::min(least, (MPI_Wtime() - start) / calls * 1e9);
    }
    return least;
}

void measure(const Row& row, int count) {
    void *const in = array<0>(), *const inout = array<1>(), *const third = array<2>();
    const auto print = [](double time) { std::printf(" %9.1f", time); };
    const auto elements = static_cast<std::size_t>(count);
    std::printf("%-16s %7d", row.name, count);
    print(nanoseconds(count, [&] { MPI_Reduce_local(in, inout, count, row.type, row.mpi_op); }));
    for (const auto& [level, name] : levels) {
        if (level > best_level()) continue;
        const Combine combine = find_combine(row.element, row.op, level);
        print(nanoseconds(count, [&] { combine(in, inout, inout, elements); }));
    }
    const Combine best = find_combine(row.element, row.op);
    print(nanoseconds(count, [&] { best(in, inout, third, elements); }));
    std::printf("\n");
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    std::printf("%-16s %7s %9s", "ns", "count", "host");
    for (const auto& [level, name] : levels)
        if (level <= best_level()) std::printf(" %9s", name);
    std::printf(" %9s\n", "apart");
    for (const Row& row : rows)
        for (const int count : {1, 8, 64, 4'096, most}) measure(row, count);
    MPI_Finalize();
    return 0;
}
