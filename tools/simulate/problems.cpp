// SPDX-License-Identifier: BSD-3-Clause
#include "problems.hpp"

#include <cstdint>

namespace mpix::simulate {

using plan::Buffer;
using plan::Bytes;
using plan::Kind;
using plan::Place;

namespace {

plan::Blocks blocks(Buffer buffer, int count, Bytes bytes) {
    return plan::Blocks::regular({buffer, 0, bytes}, bytes, static_cast<std::size_t>(count));
}

bool has_block_of_each(Kind kind) {
    return kind == Kind::gather || kind == Kind::scatter || kind == Kind::allgather ||
           kind == Kind::alltoall || kind == Kind::reduce_scatter;
}

int sent_blocks(Kind kind, int ranks, bool is_root) {
    switch (kind) {
    case Kind::barrier: return 0;
    case Kind::bcast: return is_root ? 1 : 0;
    case Kind::scatter: return is_root ? ranks : 0;
    case Kind::alltoall:
    case Kind::reduce_scatter: return ranks;
    default: return 1;
    }
}

int received_blocks(Kind kind, int ranks, bool is_root) {
    switch (kind) {
    case Kind::barrier: return 0;
    case Kind::bcast: return is_root ? 0 : 1;
    case Kind::reduce: return is_root ? 1 : 0;
    case Kind::gather: return is_root ? ranks : 0;
    case Kind::allgather:
    case Kind::alltoall: return ranks;
    default: return 1;
    }
}

} // namespace

plan::Problem make_problem(Kind kind, const plan::Nodes& nodes, int ranks, int rank, Bytes bytes) {
    plan::Problem problem;
    plan::Shape& shape = problem.shape;
    shape.kind = kind;
    shape.ranks = ranks;
    shape.one_node = nodes.count() == 1;
    if (shape.one_node) {
        shape.locality = nodes.inside_largest().locality;
        shape.nodes = nodes.inside_largest().nodes;
    } else {
        shape.nodes = nodes;
    }
    shape.grain = kind == Kind::barrier || has_block_of_each(kind) ? 1 : 8;
    shape.largest = kind == Kind::barrier ? 0 : bytes;
    shape.total = has_block_of_each(kind) ? ranks * bytes : shape.largest;
    problem.rank = rank;
    problem.send = blocks(Buffer::send, sent_blocks(kind, ranks, rank == 0), bytes);
    problem.recv = blocks(Buffer::recv, received_blocks(kind, ranks, rank == 0), bytes);
    if (has_block_of_each(kind) && kind != Kind::alltoall)
        problem.sizes = plan::Sizes::regular(bytes, 0, static_cast<std::size_t>(ranks));
    return problem;
}

} // namespace mpix::simulate
