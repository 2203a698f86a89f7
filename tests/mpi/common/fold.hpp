// SPDX-License-Identifier: BSD-3-Clause
// The oracle of reductions: every rank can make every rank's data, so the expected result is a
// local fold in rank order with MPI_Reduce_local, without any communication.
#pragma once

#include <functional>

#include "common/check.hpp"

namespace mpitest {

enum class Reduction { reduce, allreduce, reduce_scatter, reduce_scatter_block, scan, exscan };

inline const Reduction reductions[] = {Reduction::reduce,         Reduction::allreduce,
                                       Reduction::reduce_scatter, Reduction::reduce_scatter_block,
                                       Reduction::scan,           Reduction::exscan};

inline const char* name_of(Reduction kind) {
    static const char* const names[] = {
        "reduce", "allreduce", "reduce_scatter", "reduce_scatter_block", "scan", "exscan"};
    return names[static_cast<int>(kind)];
}

// Elements that rank r keeps of a reduce_scatter whose blocks have `count` elements or fewer.
inline int scattered(int count, int rank) { return rank % 3 == 1 ? count / 2 : count; }

struct Reducing {
    Reduction kind;
    int count;
    MPI_Datatype type;
    MPI_Op op;
    int root = 0;
    MPI_Comm comm = MPI_COMM_WORLD;
    std::vector<int> counts{};

    int input() const { // elements that each rank sends
        const int ranks = size_of(comm);
        int total = 0;
        for (int r = 0; r < ranks; r++) total += scattered(count, r);
        if (kind == Reduction::reduce_scatter) return total;
        return kind == Reduction::reduce_scatter_block ? count * ranks : count;
    }

    int output() const { // elements that this rank gets, 0 where it gets none
        const int me = rank_of(comm);
        if (kind == Reduction::reduce && me != root) return 0;
        if (kind == Reduction::exscan && me == 0) return 0;
        return kind == Reduction::reduce_scatter ? scattered(count, me) : count;
    }

    int first() const { // where in the folded input this rank's part begins
        const int me = rank_of(comm);
        if (kind == Reduction::reduce_scatter_block) return me * count;
        int begin = 0;
        if (kind == Reduction::reduce_scatter)
            for (int r = 0; r < me; r++) begin += scattered(count, r);
        return begin;
    }

    int last_rank() const { // whose contribution is the last that this rank sees
        const int me = rank_of(comm);
        if (kind == Reduction::scan) return me;
        return kind == Reduction::exscan ? me - 1 : size_of(comm) - 1;
    }

    int init(const void* send, void* recv, MPI_Request* request) {
        const MPI_Info info = MPI_INFO_NULL;
        for (int r = 0; r < size_of(comm); r++) counts.push_back(scattered(count, r));
        switch (kind) {
        case Reduction::reduce:
            return MPI_Reduce_init(send, recv, count, type, op, root, comm, info, request);
        case Reduction::allreduce:
            return MPI_Allreduce_init(send, recv, count, type, op, comm, info, request);
        case Reduction::reduce_scatter:
            return MPI_Reduce_scatter_init(send, recv, counts.data(), type, op, comm, info,
                                           request);
        case Reduction::reduce_scatter_block:
            return MPI_Reduce_scatter_block_init(send, recv, count, type, op, comm, info, request);
        case Reduction::scan:
            return MPI_Scan_init(send, recv, count, type, op, comm, info, request);
        default: return MPI_Exscan_init(send, recv, count, type, op, comm, info, request);
        }
    }
};

// The same in `parts` partitions of each segment. Counts are in the
// partitions together; they are divided without rest.
inline int init_parted(const Reducing& what, int parts, const void* send, void* recv,
                       MPI_Request* r) {
    const MPI_Count each = what.count / parts;
    const MPI_Comm comm = what.comm;
    std::vector<int> parts_of(static_cast<std::size_t>(size_of(comm)), parts);
    std::vector<MPI_Count> counts;
    for (int rank = 0; rank < size_of(comm); rank++)
        counts.push_back(scattered(what.count, rank) / parts);
    switch (what.kind) {
    case Reduction::reduce:
        return MPIX_Preduce_init(send, recv, parts, each, what.type, what.op, what.root, comm,
                                 MPI_INFO_NULL, r);
    case Reduction::allreduce:
        return MPIX_Pallreduce_init(send, recv, parts, each, what.type, what.op, comm,
                                    MPI_INFO_NULL, r);
    case Reduction::reduce_scatter:
        return MPIX_Preduce_scatter_init(send, recv, parts_of.data(), counts.data(), what.type,
                                         what.op, comm, MPI_INFO_NULL, r);
    case Reduction::reduce_scatter_block:
        return MPIX_Preduce_scatter_block_init(send, recv, parts, each, what.type, what.op, comm,
                                               MPI_INFO_NULL, r);
    case Reduction::scan:
        return MPIX_Pscan_init(send, recv, parts, each, what.type, what.op, comm, MPI_INFO_NULL, r);
    default:
        return MPIX_Pexscan_init(send, recv, parts, each, what.type, what.op, comm, MPI_INFO_NULL,
                                 r);
    }
}

// a_0 op a_1 op ... op a_last, written over the elements of `result`; `fill` writes a rank's input.
inline void fold(const Reducing& what, Buffer& result,
                 const std::function<void(Buffer&, int)>& fill) {
    const int last = what.last_rank();
    MPI_Aint lb = 0, extent = 0;
    MPI_Type_get_extent(what.type, &lb, &extent);
    fill(result, last);
    for (int r = last - 1; r >= 0; r--) {
        Buffer input(result.all().size() - 2 * Buffer::margin);
        fill(input, r);
        // One element at a time: Open MPI's vector code is wrong for unsigned integers
        // (hostbugs/unsigned_reductions.c).
        int failed = MPI_SUCCESS;
        for (MPI_Aint i = 0; i < what.input(); i++)
            failed |= MPI_Reduce_local(input.as<char>() + i * extent,
                                       result.as<char>() + i * extent, 1, what.type, what.op);
        CHECK_MPI(failed);
    }
}

} // namespace mpitest
