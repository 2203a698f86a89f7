// SPDX-License-Identifier: BSD-3-Clause
#include "bench/common/cores.hpp"

#include "bench/common/host_library.hpp"

#include <sched.h>

#include <cstring>
#include <vector>

namespace mpix::bench {

namespace {

// By the name that the host gives the node: to MPICH 5 as Debian builds it no two processes share
// memory, and MPI_Comm_split_type puts each alone.
MPI_Comm ranks_of_node() {
    constexpr int longest = MPI_MAX_PROCESSOR_NAME;
    char own[longest] = "";
    int length = 0, rank = 0, ranks = 0, first = 0;
    MPI_Get_processor_name(own, &length);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    std::vector<char> names(static_cast<std::size_t>(ranks) * longest);
    MPI_Allgather(own, longest, MPI_CHAR, names.data(), longest, MPI_CHAR, MPI_COMM_WORLD);
    while (std::memcmp(&names[static_cast<std::size_t>(first) * longest], own, longest) != 0)
        ++first;
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, first, rank, &node);
    return node;
}

// A launcher may have bound the ranks already; together they have what each of them has.
cpu_set_t cores_of_all(MPI_Comm node) {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    sched_getaffinity(0, sizeof cores, &cores);
    MPI_Allreduce(MPI_IN_PLACE, &cores, sizeof cores, MPI_BYTE, MPI_BOR, node);
    return cores;
}

bool bind_to(const cpu_set_t& cores, int position) {
    for (int core = 0; core < CPU_SETSIZE; ++core) {
        if (!CPU_ISSET(core, &cores) || position-- > 0) continue;
        cpu_set_t own;
        CPU_ZERO(&own);
        CPU_SET(core, &own);
        return sched_setaffinity(0, sizeof own, &own) == 0;
    }
    return false;
}

} // namespace

Placement place_ranks() {
    MPI_Comm node = ranks_of_node();
    int rank = 0, size = 1;
    MPI_Comm_rank(node, &rank);
    MPI_Comm_size(node, &size);
    const cpu_set_t cores = cores_of_all(node);
    MPI_Comm_free(&node);
    const int count = CPU_COUNT(&cores);
    int enough = size <= count;
    MPI_Allreduce(MPI_IN_PLACE, &enough, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    int bound = enough && bind_to(cores, rank);
    MPI_Allreduce(MPI_IN_PLACE, &bound, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
    return {count, bound != 0};
}

} // namespace mpix::bench
