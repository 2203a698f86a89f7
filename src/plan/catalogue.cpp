// SPDX-License-Identifier: BSD-3-Clause
//
// The table of solvers. A new solver is a file under solvers/ and two lines here.
#include "plan/solver.hpp"

#include <algorithm>

namespace mpix::plan {

extern const Solver allgather_bruck;
extern const Solver allgather_linear;
extern const Solver allgather_recursive_doubling;
extern const Solver allgather_ring;
extern const Solver allreduce_direct;
extern const Solver allreduce_flat;
extern const Solver allreduce_rabenseifner;
extern const Solver allreduce_recursive_doubling;
extern const Solver allreduce_ring;
extern const Solver allreduce_two_level;
extern const Solver alltoall_bruck;
extern const Solver alltoall_linear;
extern const Solver alltoall_pairwise;
extern const Solver barrier_dissemination;
extern const Solver barrier_flat;
extern const Solver barrier_two_level;
extern const Solver bcast_binomial;
extern const Solver bcast_chain;
extern const Solver bcast_flat;
extern const Solver bcast_scatter_allgather;
extern const Solver bcast_two_level;
extern const Solver exscan_linear;
extern const Solver exscan_recursive_doubling;
extern const Solver gather_binomial;
extern const Solver gather_linear;
extern const Solver group_reduce_linear;
extern const Solver neighbor_linear;
extern const Solver reduce_binomial;
extern const Solver reduce_flat;
extern const Solver reduce_scatter_flat;
extern const Solver reduce_scatter_gather;
extern const Solver reduce_scatter_pairwise;
extern const Solver reduce_scatter_recursive_halving;
extern const Solver reduce_scatter_ring;
extern const Solver reduce_two_level;
extern const Solver scan_linear;
extern const Solver scan_recursive_doubling;
extern const Solver scatter_binomial;
extern const Solver scatter_linear;

std::span<const Solver* const> catalogue() {
    static constexpr const Solver* solvers[] = {
        &allgather_bruck,
        &allgather_linear,
        &allgather_recursive_doubling,
        &allgather_ring,
        &allreduce_direct,
        &allreduce_flat,
        &allreduce_rabenseifner,
        &allreduce_recursive_doubling,
        &allreduce_ring,
        &allreduce_two_level,
        &alltoall_bruck,
        &alltoall_linear,
        &alltoall_pairwise,
        &barrier_dissemination,
        &barrier_flat,
        &barrier_two_level,
        &bcast_binomial,
        &bcast_chain,
        &bcast_flat,
        &bcast_scatter_allgather,
        &bcast_two_level,
        &exscan_linear,
        &exscan_recursive_doubling,
        &gather_binomial,
        &gather_linear,
        &group_reduce_linear,
        &neighbor_linear,
        &reduce_binomial,
        &reduce_flat,
        &reduce_scatter_flat,
        &reduce_scatter_gather,
        &reduce_scatter_pairwise,
        &reduce_scatter_recursive_halving,
        &reduce_scatter_ring,
        &reduce_two_level,
        &scan_linear,
        &scan_recursive_doubling,
        &scatter_binomial,
        &scatter_linear,
    };
    return solvers;
}

const Solver* find_solver(std::string_view name) {
    const auto all = catalogue();
    const auto found = std::ranges::find(all, name, &Solver::name);
    return found == all.end() ? nullptr : *found;
}

} // namespace mpix::plan
