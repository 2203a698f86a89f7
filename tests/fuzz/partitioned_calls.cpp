// SPDX-License-Identifier: BSD-3-Clause
// The inits of partitioned collectives, with counts of a partition.
#include "calls.hpp"

namespace fuzz {
namespace {

struct Divided {
    std::vector<int> parts;
    std::vector<MPI_Count> counts;
    std::vector<MPI_Aint> places; // as the call wants them
    std::vector<MPI_Datatype> types;
    int part = 1;
    MPI_Count count;
    MPI_Datatype type;

    Divided(const Side& side, const std::vector<MPI_Datatype>& handles)
        : parts(side.parts), counts(side.counts.begin(), side.counts.end()),
          places(side.places.begin(), side.places.end()), types(handles), count(side.count),
          type(types.empty() ? MPI_BYTE : types[0]) {
        if (!parts.empty()) part = parts[0];
        count /= part;
        for (std::size_t i = 0; i < parts.size() && i < counts.size(); i++) counts[i] /= parts[i];
        parts.push_back(1); // an empty list has an address too
        counts.push_back(0);
        places.push_back(0);
        types.push_back(MPI_BYTE);
        if (side.use != Use::junk && !side.spoiled) return;
        parts.assign(parts.size(), -3);
        counts.assign(counts.size(), -3);
        types.assign(types.size(), MPI_DATATYPE_NULL);
        part = -3;
        count = -3;
        type = MPI_DATATYPE_NULL;
    }

    // With a datatype for each block, and places in bytes.
    void widen() {
        if (type == MPI_DATATYPE_NULL) return;
        MPI_Aint low = 0, extent = 0;
        MUST(MPI_Type_get_extent(type, &low, &extent));
        for (MPI_Aint& place : places) place *= extent;
        types.assign(places.size(), type);
    }
};

// Every other one of what blocking calls have as a v form alone.
bool is_scatterw(const Operation& operation) {
    return operation.kind == Kind::scatterv && operation.slot % 2 == 0;
}

struct Sides {
    Divided from, to;

    explicit Sides(const Call& call)
        : from(call.arguments.send, call.handles.send_types),
          to(call.arguments.recv, call.handles.recv_types) {
        if (is_scatterw(call.operation)) from.widen();
    }
};

// The arguments of a side: of one segment or of segments that are alike, of arrays, of arrays with
// a datatype each; the ends of all calls.
#define ONE(buffer, side) buffer, (side).part, (side).count, (side).type
#define ARRAYS(buffer, side)                                                                       \
    buffer, (side).parts.data(), (side).counts.data(), (side).places.data(), (side).type
#define WIDE(buffer, side)                                                                         \
    buffer, (side).parts.data(), (side).counts.data(), (side).places.data(), (side).types.data()
#define TAIL c.comm, c.info, request

int init_reduction(const Call& c, const Divided& from, const Divided& to, MPI_Request* request) {
    const Divided& of = c.arguments.recv.use == Use::given ? to : from;
    const MPI_Op op = c.handles.op;
    switch (c.operation.kind) {
    case Kind::reduce: return MPIX_Preduce_init(c.send, ONE(c.recv, of), op, c.root, TAIL);
    case Kind::allreduce: return MPIX_Pallreduce_init(c.send, ONE(c.recv, of), op, TAIL);
    case Kind::reduce_scatter:
        return MPIX_Preduce_scatter_init(c.send, c.recv, from.parts.data(), from.counts.data(),
                                         of.type, op, TAIL);
    case Kind::reduce_scatter_block:
        return MPIX_Preduce_scatter_block_init(c.send, ONE(c.recv, of), op, TAIL);
    case Kind::scan: return MPIX_Pscan_init(c.send, ONE(c.recv, of), op, TAIL);
    default: return MPIX_Pexscan_init(c.send, ONE(c.recv, of), op, TAIL);
    }
}

int init_neighbors(const Call& c, const Divided& from, const Divided& to, MPI_Request* request) {
    switch (c.operation.kind) {
    case Kind::neighbor_allgather:
        return MPIX_Pneighbor_allgather_init(ONE(c.send, from), ONE(c.recv, to), TAIL);
    case Kind::neighbor_allgatherv:
        return MPIX_Pneighbor_allgatherv_init(ONE(c.send, from), ARRAYS(c.recv, to), TAIL);
    case Kind::neighbor_alltoall:
        return MPIX_Pneighbor_alltoall_init(ONE(c.send, from), ONE(c.recv, to), TAIL);
    case Kind::neighbor_alltoallv:
        return MPIX_Pneighbor_alltoallv_init(ARRAYS(c.send, from), ARRAYS(c.recv, to), TAIL);
    default: return MPIX_Pneighbor_alltoallw_init(WIDE(c.send, from), WIDE(c.recv, to), TAIL);
    }
}

} // namespace

int initialise_partitioned(const Call& c, MPI_Request* request, std::shared_ptr<void>* arrays) {
    const auto sides = std::make_shared<Sides>(c);
    *arrays = sides;
    const auto& [from, to] = *sides;
    if (facts(c.operation.kind).reduces) return init_reduction(c, from, to, request);
    switch (c.operation.kind) {
    case Kind::bcast: {
        if (c.arguments.send.use != Use::given)
            return MPIX_Pbcast_init(ONE(c.recv, to), c.root, TAIL);
        return MPIX_Pbcast_init(ONE(const_cast<void*>(c.send), from), c.root, TAIL);
    }
    case Kind::gather: return MPIX_Pgather_init(ONE(c.send, from), ONE(c.recv, to), c.root, TAIL);
    case Kind::gatherv:
        return MPIX_Pgatherv_init(ONE(c.send, from), ARRAYS(c.recv, to), c.root, TAIL);
    case Kind::scatter: return MPIX_Pscatter_init(ONE(c.send, from), ONE(c.recv, to), c.root, TAIL);
    case Kind::scatterv:
        if (is_scatterw(c.operation))
            return MPIX_Pscatterw_init(WIDE(c.send, from), ONE(c.recv, to), c.root, TAIL);
        return MPIX_Pscatterv_init(ARRAYS(c.send, from), ONE(c.recv, to), c.root, TAIL);
    case Kind::allgather: return MPIX_Pallgather_init(ONE(c.send, from), ONE(c.recv, to), TAIL);
    case Kind::allgatherv:
        return MPIX_Pallgatherv_init(ONE(c.send, from), ARRAYS(c.recv, to), TAIL);
    case Kind::alltoall: return MPIX_Palltoall_init(ONE(c.send, from), ONE(c.recv, to), TAIL);
    case Kind::alltoallv:
        return MPIX_Palltoallv_init(ARRAYS(c.send, from), ARRAYS(c.recv, to), TAIL);
    case Kind::alltoallw: return MPIX_Palltoallw_init(WIDE(c.send, from), WIDE(c.recv, to), TAIL);
    default: return init_neighbors(c, from, to, request);
    }
}

#undef ONE
#undef ARRAYS
#undef WIDE
#undef TAIL

} // namespace fuzz
