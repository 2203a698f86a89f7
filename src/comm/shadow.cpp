// SPDX-License-Identifier: BSD-3-Clause
//
// Shadows are split, not duplicated, because a duplicate would call the attribute callbacks of the
// program.
#include "comm/shadow.hpp"

#include "base/closed.hpp"
#include "comm/exchange.hpp"
#include "host/failure.hpp"
#include "progress/waiting.hpp"

#include <algorithm>
#include <array>
#include <new>

namespace mpix::comm {

int gather_ranks(MPI_Comm comm, Gathering& all) {
    int is_inter = 0, code = HOST(Comm_test_inter)(comm, &is_inter);
    const auto name = static_cast<std::int64_t>(all.name);
    std::array<std::int64_t, 3> mine{all.is_ready, name, -name}, theirs{};
    // Of two groups each hears of the other, and then what the other has heard.
    for (int round = 0; code == MPI_SUCCESS && round <= is_inter; ++round) {
        MPI_Request request = MPI_REQUEST_NULL;
        code = persist([&] {
            return HOST(Iallreduce)(mine.data(), theirs.data(), 3, MPI_INT64_T, MPI_MIN, comm,
                                    &request);
        });
        if (code == MPI_SUCCESS) code = progress::wait_for(request);
        std::ranges::transform(mine, theirs, mine.begin(),
                               [](auto one, auto other) { return std::min(one, other); });
    }
    all.is_ready = mine[0] != 0;
    all.name = mine[1] == -mine[2] ? static_cast<std::uint64_t>(mine[1]) : 0;
    return code;
}

void Shadow::take(MPI_Comm made) {
    comm = made;
    HOST(Comm_set_errhandler)(comm, MPI_ERRORS_RETURN);
}

Shadow::~Shadow() {
    if (comm != MPI_COMM_NULL && !base::is_closed()) HOST(Comm_free)(&comm);
}

std::shared_ptr<Shadow> make_shadow(MPI_Comm of) {
    std::shared_ptr<Shadow> shadow;
    try {
        shadow = std::make_shared<Shadow>();
    } catch (const std::bad_alloc&) { // the others are told
    }
    Gathering gathering{.is_ready = shadow != nullptr};
    host::check(gather_ranks(of, gathering));
    if (!gathering.is_ready) throw std::bad_alloc();
    host::check(split_shadow(of, *shadow));
    return shadow;
}

int split_shadow(MPI_Comm of, Shadow& shadow) {
    MPI_Comm made = MPI_COMM_NULL;
    int rank = 0;
    HOST(Comm_rank)(of, &rank);
    const int code = HOST(Comm_split)(of, 0, rank, &made);
    if (code == MPI_SUCCESS) shadow.take(made);
    return code;
}

} // namespace mpix::comm
