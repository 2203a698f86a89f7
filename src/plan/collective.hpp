// SPDX-License-Identifier: BSD-3-Clause
//
// The 22 persistent collectives, and the one that has a partitioned form alone, without their
// arguments. It knows no MPI.
#pragma once

#include "plan/problem.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace mpix::plan {

enum class Collective : std::uint8_t {
    barrier,
    bcast,
    gather,
    gatherv,
    scatter,
    scatterv,
    allgather,
    allgatherv,
    alltoall,
    alltoallv,
    alltoallw,
    reduce,
    allreduce,
    reduce_scatter,
    reduce_scatter_block,
    scan,
    exscan,
    neighbor_allgather,
    neighbor_allgatherv,
    neighbor_alltoall,
    neighbor_alltoallv,
    neighbor_alltoallw,
    scatterw, // with partitions alone
};
inline constexpr std::size_t collectives = static_cast<std::size_t>(Collective::scatterw) + 1;

struct Call {
    Collective collective;
    bool is_partitioned;

    // One for each, to compare.
    std::int64_t number() const {
        return 2 * static_cast<std::int64_t>(collective) + is_partitioned;
    }
    static Call of_number(std::int64_t number) {
        return {static_cast<Collective>(number / 2), number % 2 != 0};
    }
};

const char* name(Collective collective);            // "MPI_Bcast_init"
const char* name(Call call);                        // or "MPIX_Pbcast_init"
std::string_view short_name(Collective collective); // "bcast"
std::optional<Collective> find_collective(std::string_view word);
plan::Kind kind(Collective collective);
bool is_neighbor(Collective collective);
bool is_reduction(Collective collective);
bool has_root(Collective collective);
// MPI_IN_PLACE is given on all ranks or on none.
bool is_in_place_everywhere(Collective collective);

} // namespace mpix::plan
