// SPDX-License-Identifier: BSD-3-Clause
//
// The arguments of a persistent collective's init, copied and widened, so that one form serves
// MPI_X_init and MPI_X_init_c and outlives the arrays of the program.
#pragma once

#include "base/argument_check.hpp"
#include "comm/selection.hpp"
#include "host/host.hpp"
#include "plan/collective.hpp"
#include "progress/binding.hpp"

#include <boost/container/small_vector.hpp>

#include <cstdint>
#include <vector>

namespace mpix::collective {

// What a side has of each block, or once for all: most have it once.
template<class T>
using OfBlocks = boost::container::small_vector<T, 2>;

// One side of the operation: a buffer of blocks. Blocks follow each other if there are no
// displacements, and are all alike if there is one count and one type.
struct Side {
    std::byte* buffer = nullptr;
    bool in_place = false;
    bool in_bytes = false; // displacements are bytes (alltoallw), not elements
    OfBlocks<std::int64_t> counts;
    OfBlocks<std::int64_t> displacements;
    OfBlocks<MPI_Datatype> types;
    OfBlocks<int> parts; // partitions that the counts are divided into, of each or of all alike

    std::int64_t count(std::size_t i) const { return counts[counts.size() > 1 ? i : 0]; }
    MPI_Datatype type(std::size_t i) const { return types[types.size() > 1 ? i : 0]; }
    int part_count(std::size_t i) const { return parts[parts.size() > 1 ? i : 0]; }
};

// What the info of a partitioned init says.
struct PartitionHints {
    bool all_send_same = false;    // one number of partitions for all segments that are sent
    bool all_recv_same = false;    // and for all that are received
    bool each_pair_same = false;   // a segment has as many where it is sent as where it is received
    bool is_root_unknown = false;  // nobody but the root needs to know its partitions
    bool are_others_same = false;  // of a broadcast or a reduction: all ranks but the root
    std::int64_t min_message = 0;  // bytes
    std::int64_t max_messages = 0; // of a segment

    std::int64_t assertions() const {
        return all_send_same | all_recv_same << 1 | each_pair_same << 2 | is_root_unknown << 3 |
               are_others_same << 4;
    }
};

struct Arguments {
    plan::Collective collective = plan::Collective::barrier;
    Side send;
    Side recv; // also the one buffer of bcast
    MPI_Op op = MPI_OP_NULL;
    int root = 0;
    MPI_Comm comm = MPI_COMM_NULL;
    bool over_host = false; // all its messages, as the info says
    comm::RequestedSolver requested_solver = comm::no_requested_solver;
    std::vector<base::CheckedArray> checked_arrays; // with MPIX_CHECK=1
    bool is_partitioned = false;
    bool moves = false; // to other buffers from round to round
    PartitionHints hints;

    plan::Call call() const { return {collective, is_partitioned}; }
};

// Which buffers of the program this rank has.
progress::Buffers buffers_of(const Arguments& arguments);

} // namespace mpix::collective
