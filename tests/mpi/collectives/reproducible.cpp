// SPDX-License-Identifier: BSD-3-Clause
// MPIX_REPRODUCIBLE=1: the order of docs/reproducibility.md, to the bit. The oracle is arithmetic:
// every rank can make every rank's data, and combines them here in that order.
#include "collectives/bits.hpp"
#include "collectives/intercommunicators.hpp"

using namespace mpitest;

namespace {

using Elements = std::vector<Element>; // one of each rank

Element combined(const Arithmetic& of, const Element& left, Element right) {
    of.combine(&left, &right);
    return right;
}

// Neighbours are combined until as many as a power of two are left; then all pairs, until one is.
Element tree(const Arithmetic& of, const Elements& given) {
    std::size_t power = 1;
    while (2 * power <= given.size()) power *= 2;
    const std::size_t extra = given.size() - power;
    Elements sums;
    for (std::size_t i = 0; i < power; i++)
        sums.push_back(i < extra ? combined(of, given[2 * i], given[2 * i + 1]) : given[i + extra]);
    for (; sums.size() > 1; sums.resize(sums.size() / 2))
        for (std::size_t i = 0; i < sums.size() / 2; i++)
            sums[i] = combined(of, sums[2 * i], sums[2 * i + 1]);
    return sums[0];
}

// In round k every rank puts what the rank 2^k before has in front of its own.
Element doubling(const Arithmetic& of, Elements sums) {
    for (std::size_t distance = 1; distance < sums.size(); distance *= 2)
        for (std::size_t rank = sums.size() - 1; rank >= distance; rank--)
            sums[rank] = combined(of, sums[rank - distance], sums[rank]);
    return sums.back();
}

Element from_left(const Arithmetic& of, const Elements& given) {
    Element sum = given[0];
    for (std::size_t i = 1; i < given.size(); i++) sum = combined(of, sum, given[i]);
    return sum;
}

Element from_right(const Arithmetic& of, const Elements& given) {
    Element sum = given.back();
    for (std::size_t i = given.size() - 1; i-- > 0;) sum = combined(of, given[i], sum);
    return sum;
}

Element expected(const Trial& trial, const Reducing& what, int index) {
    Elements of_ranks;
    for (int rank = 0; rank <= what.last_rank(); rank++)
        of_ranks.push_back(given(*trial.of, rank, what.first() + index));
    const bool is_scan = trial.kind == Reduction::scan || trial.kind == Reduction::exscan;
    if (!is_scan) return tree(*trial.of, of_ranks);
    return trial.parts ? from_left(*trial.of, of_ranks) : doubling(*trial.of, of_ranks);
}

// The first element that is wrong; -1 if none is.
template<class Expected>
int first_wrong(const Arithmetic& of, const std::uint8_t* got, int elements, std::size_t step,
                Expected expected_at) {
    for (int i = 0; i < elements; i++) {
        const Element wanted = expected_at(i);
        if (std::memcmp(&wanted, got + static_cast<std::size_t>(i) * step, of.bytes) != 0) return i;
    }
    return -1;
}

} // namespace

TEST_CASE("a reduction has the bits of the documented order") {
    const Arithmetics arithmetics;
    each_trial(arithmetics.all, {1, 2000}, [](const Trial& trial) {
        INFO(trial.text());
        const std::vector<std::uint8_t> got = trial.run();
        const Reducing what = trial.reducing();
        CHECK(first_wrong(*trial.of, got.data(), what.output(), trial.of->bytes,
                          [&](int i) { return expected(trial, what, i); }) == -1);
    });
}

TEST_CASE("a wish for the host, or for another solver, does not change the bits") {
    const Arithmetics arithmetics;
    const Arithmetic& of = arithmetics.all[1];
    for (const char* wish : {"delegate", "allreduce_ring", "allreduce_flat", "allreduce_direct",
                             "allreduce_two_level", "allreduce_rabenseifner"}) {
        INFO(wish);
        const Info info("mpix_plan", wish);
        const int count = 500;
        std::vector<double> in(count), out(count);
        for (int i = 0; i < count; i++) {
            const Element element = given(of, rank_of(), i);
            std::memcpy(&in[static_cast<std::size_t>(i)], &element, sizeof(double));
        }
        MPI_Request request = MPI_REQUEST_NULL;
        CHECK_MPI(MPI_Allreduce_init(in.data(), out.data(), count, of.type, of.op, MPI_COMM_WORLD,
                                     info, &request));
        start_and_wait(request);
        free_request(request);
        CHECK(first_wrong(of, reinterpret_cast<const std::uint8_t*>(out.data()), count,
                          sizeof(double), [&](int i) {
                              Elements of_ranks;
                              for (int rank = 0; rank < size_of(); rank++)
                                  of_ranks.push_back(given(of, rank, i));
                              return tree(of, of_ranks);
                          }) == -1);
    }
}

TEST_CASE("between two groups the ranks of the other one are combined from the last to the first") {
    const Arithmetics arithmetics;
    const int count = 700;
    for_all_groups([&](const Groups& groups) {
        for (const Arithmetic& of : arithmetics.all) {
            INFO(of.name);
            const auto bytes = static_cast<std::size_t>(count) * of.extent;
            Buffer in(bytes), out(bytes);
            for (int i = 0; i < count; i++) {
                const Element element = given(of, rank_of(), i);
                std::memcpy(in.as<std::uint8_t>() + i * of.step(), &element, of.extent);
            }
            const int first = groups.is_first ? groups.here : 0; // of the other group, in the world
            MPI_Request request = MPI_REQUEST_NULL;
            CHECK_MPI(MPI_Allreduce_init(in.data(), out.data(), count, of.type, of.op,
                                         groups.between, MPI_INFO_NULL, &request));
            start_and_wait(request);
            free_request(request);
            CHECK(first_wrong(of, out.as<std::uint8_t>(), count, of.extent, [&](int i) {
                      Elements of_ranks;
                      for (int rank = 0; rank < groups.remote; rank++)
                          of_ranks.push_back(given(of, first + rank, i));
                      return from_right(of, of_ranks);
                  }) == -1);
        }
    });
}
