// SPDX-License-Identifier: BSD-3-Clause
// Nonblocking collectives on plans against the host's blocking ones: byte for byte, with other
// buffers in every round. Their plans are made in blocking calls.
#include "automatic/nonblocking.hpp"

#include "automatic/planned.hpp"
#include "automatic/variants.hpp"

using namespace mpitest;

namespace {

void compare_nonblocking(const Collective& row, const Variant& variant, MPI_Comm planned) {
    const Nonblocking& call = *nonblocking_of(row);
    INFO(describe(row, variant));
    for (int round = 0; round < variant.rounds; round++) {
        Bound bound = bind(row, variant);
        compare_round(row, variant, bound, round, [&] {
            bound.call.comm = planned;
            MPI_Request request = MPI_REQUEST_NULL;
            CHECK_MPI(call.begin(bound.call, &request));
            CHECK_MPI(MPI_Wait(&request, MPI_STATUS_IGNORE));
            CHECK(request == MPI_REQUEST_NULL);
        });
        CHECK_MPI(MPI_Barrier(planned));
    }
}

} // namespace

TEST_CASE("a nonblocking collective on a plan agrees with the host's") {
    for (const Collective& row : collectives) {
        if (!nonblocking_of(row)) continue;
        for (const int count : {0, 1, 17, 1000, 50'000}) {
            const Planned planned;
            for (const int root : roots(row))
                compare_nonblocking(row, {.count = count, .root = root, .rounds = 5}, planned.comm);
            const bool has_data = count > 0 && std::string(row.name) != "barrier";
            // That of the barriers is one of them.
            CHECK((planned.plans() > 1) == (size_of() > 1 && has_data));
        }
    }
}

TEST_CASE("a nonblocking collective in place agrees with the host's") {
    for (const Collective& row : collectives) {
        if (!nonblocking_of(row) || row.in_place == InPlace::nowhere) continue;
        for (const int count : {1, 17, 5000}) {
            if (row.reduces && count > 17) continue; // as in automatic.cpp
            const Planned planned;
            each_in_place(row, count, [&](const Variant& variant) {
                compare_nonblocking(row, variant, planned.comm);
            });
        }
    }
}

TEST_CASE("a nonblocking plan moves whatever datatypes a rank has") {
    for (const Collective& row : collectives) {
        if (!nonblocking_of(row) || row.reduces || row.recv == Layout::none) continue;
        const Planned planned;
        each_typed(
            row, [&](const Variant& variant) { compare_nonblocking(row, variant, planned.comm); });
        CHECK((planned.plans() > 1) == (size_of() > 1));
    }
}
