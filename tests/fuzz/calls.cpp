// SPDX-License-Identifier: BSD-3-Clause
// The forms of a collective differ in their names, in the widths of their counts and in their last
// arguments; everything else is said once.
#include "calls.hpp"

#include "forms.hpp"
#include "handles.hpp"

namespace fuzz {
namespace {

// The arguments of one side as a form wants them.
template<class Count, class Place>
struct Numbers {
    std::vector<Count> counts;
    std::vector<Place> places;
    std::vector<MPI_Aint> bytes;
    std::vector<MPI_Datatype> types;
    Count count;
    MPI_Datatype type;

    Numbers(const Side& side, const std::vector<MPI_Datatype>& handles)
        : counts(side.counts.begin(), side.counts.end()),
          places(side.places.begin(), side.places.end()),
          bytes(side.places.begin(), side.places.end()), types(handles),
          count(static_cast<Count>(side.count)), type(types.empty() ? MPI_BYTE : types[0]) {
        // An empty list has an address too: MPICH reads the first of each even if there is none.
        counts.push_back(0);
        places.push_back(0);
        bytes.push_back(0);
        types.push_back(MPI_BYTE);
        if (side.use != Use::junk && !side.spoiled) return;
        counts.assign(counts.size(), -3);
        types.assign(types.size(), MPI_DATATYPE_NULL);
        count = -3;
        type = MPI_DATATYPE_NULL;
    }
};

template<class Count, class Place>
struct Lists {
    Numbers<Count, Place> from, to;

    explicit Lists(const Call& call)
        : from(call.arguments.send, call.handles.send_types),
          to(call.arguments.recv, call.handles.recv_types) {}
};

// `tail` holds what a form adds after the communicator.
template<class Names, class Numbers, class... Tail>
int apply_reduction(const Call& c, const Numbers& from, const Numbers& to, Tail... tail) {
    const bool receives = c.arguments.recv.use == Use::given;
    const MPI_Datatype type = receives ? to.type : from.type;
    const auto count = receives ? to.count : from.count;
    const MPI_Op op = c.handles.op;
    switch (c.operation.kind) {
    case Kind::reduce:
        return Names::reduce(c.send, c.recv, count, type, op, c.root, c.comm, tail...);
    case Kind::allreduce: return Names::allreduce(c.send, c.recv, count, type, op, c.comm, tail...);
    case Kind::reduce_scatter:
        return Names::reduce_scatter(c.send, c.recv, to.counts.data(), type, op, c.comm, tail...);
    case Kind::reduce_scatter_block:
        return Names::reduce_scatter_block(c.send, c.recv, count, type, op, c.comm, tail...);
    case Kind::scan: return Names::scan(c.send, c.recv, count, type, op, c.comm, tail...);
    default: return Names::exscan(c.send, c.recv, count, type, op, c.comm, tail...);
    }
}

template<class Names, class Numbers, class... Tail>
int apply_neighbors(const Call& c, const Numbers& from, const Numbers& to, Tail... tail) {
    switch (c.operation.kind) {
    case Kind::neighbor_allgather:
        return Names::neighbor_allgather(c.send, from.count, from.type, c.recv, to.count, to.type,
                                         c.comm, tail...);
    case Kind::neighbor_allgatherv:
        return Names::neighbor_allgatherv(c.send, from.count, from.type, c.recv, to.counts.data(),
                                          to.places.data(), to.type, c.comm, tail...);
    case Kind::neighbor_alltoall:
        return Names::neighbor_alltoall(c.send, from.count, from.type, c.recv, to.count, to.type,
                                        c.comm, tail...);
    case Kind::neighbor_alltoallv:
        return Names::neighbor_alltoallv(c.send, from.counts.data(), from.places.data(), from.type,
                                         c.recv, to.counts.data(), to.places.data(), to.type,
                                         c.comm, tail...);
    default:
        return Names::neighbor_alltoallw(c.send, from.counts.data(), from.bytes.data(),
                                         from.types.data(), c.recv, to.counts.data(),
                                         to.bytes.data(), to.types.data(), c.comm, tail...);
    }
}

template<class Names, class Numbers, class... Tail>
int apply_rooted(const Call& c, const Numbers& from, const Numbers& to, Tail... tail) {
    switch (c.operation.kind) {
    case Kind::gather:
        return Names::gather(c.send, from.count, from.type, c.recv, to.count, to.type, c.root,
                             c.comm, tail...);
    case Kind::gatherv:
        return Names::gatherv(c.send, from.count, from.type, c.recv, to.counts.data(),
                              to.places.data(), to.type, c.root, c.comm, tail...);
    case Kind::scatter:
        return Names::scatter(c.send, from.count, from.type, c.recv, to.count, to.type, c.root,
                              c.comm, tail...);
    default:
        return Names::scatterv(c.send, from.counts.data(), from.places.data(), from.type, c.recv,
                               to.count, to.type, c.root, c.comm, tail...);
    }
}

template<class Names, class Numbers, class... Tail>
int apply(const Call& c, const Numbers& from, const Numbers& to, Tail... tail) {
    const Kind kind = c.operation.kind;
    if (facts(kind).reduces) return apply_reduction<Names>(c, from, to, tail...);
    if (facts(kind).neighbors) return apply_neighbors<Names>(c, from, to, tail...);
    switch (kind) {
    case Kind::barrier: return Names::barrier(c.comm, tail...);
    case Kind::bcast: {
        const bool sends = c.arguments.send.use == Use::given;
        return Names::bcast(sends ? const_cast<void*>(c.send) : c.recv,
                            sends ? from.count : to.count, sends ? from.type : to.type, c.root,
                            c.comm, tail...);
    }
    case Kind::allgather:
        return Names::allgather(c.send, from.count, from.type, c.recv, to.count, to.type, c.comm,
                                tail...);
    case Kind::allgatherv:
        return Names::allgatherv(c.send, from.count, from.type, c.recv, to.counts.data(),
                                 to.places.data(), to.type, c.comm, tail...);
    case Kind::alltoall:
        return Names::alltoall(c.send, from.count, from.type, c.recv, to.count, to.type, c.comm,
                               tail...);
    case Kind::alltoallv:
        return Names::alltoallv(c.send, from.counts.data(), from.places.data(), from.type, c.recv,
                                to.counts.data(), to.places.data(), to.type, c.comm, tail...);
    case Kind::alltoallw:
        return Names::alltoallw(c.send, from.counts.data(), from.places.data(), from.types.data(),
                                c.recv, to.counts.data(), to.places.data(), to.types.data(), c.comm,
                                tail...);
    default: return apply_rooted<Names>(c, from, to, tail...);
    }
}

std::vector<MPI_Datatype> types_of(const Program& program, const Side& side, bool needed) {
    std::vector<MPI_Datatype> types;
    if (!needed) return types;
    for (const int type : side.types) types.push_back(make_type(program.types, type));
    if (types.empty()) types.push_back(make_type(program.types, side.type));
    return types;
}

} // namespace

Handles make_handles(const Program& program, const Operation& operation, int member) {
    const Arguments& arguments = operation.arguments[at(member)];
    const KindFacts& kind = facts(operation.kind);
    Handles handles;
    if (kind.send == Shape::none) return handles;
    const auto is_used = [&](const Side& side) {
        return side.use == Use::given || (side.use == Use::in_place && !side.blocks.empty());
    };
    handles.send_types = types_of(program, arguments.send, is_used(arguments.send) || kind.reduces);
    handles.recv_types = types_of(program, arguments.recv, is_used(arguments.recv) || kind.reduces);
    if (kind.reduces) handles.op = make_op(program.types, operation);
    return handles;
}

void free_handles(Handles& handles, const Operation& operation) {
    for (MPI_Datatype& type : handles.send_types) free_type(type);
    for (MPI_Datatype& type : handles.recv_types) free_type(type);
    handles.send_types.clear();
    handles.recv_types.clear();
    free_op(handles.op, operation);
}

int blocking(const Call& call) {
    const Lists<int, int> lists(call);
    return apply<Blocking>(call, lists.from, lists.to);
}

int initialise(const Call& call, Form form, MPI_Request* request, std::shared_ptr<void>* arrays) {
    const MPI_Info info = MPI_INFO_NULL;
    if (form == Form::partitioned) return initialise_partitioned(call, request, arrays);
    if (form == Form::persistent_c) {
        const auto lists = std::make_shared<Lists<MPI_Count, MPI_Aint>>(call);
        *arrays = lists;
        return apply<PersistentLarge>(call, lists->from, lists->to, info, request);
    }
    const auto lists = std::make_shared<Lists<int, int>>(call);
    *arrays = lists;
    return apply<Persistent>(call, lists->from, lists->to, info, request);
}

int nonblocking(const Call& call, MPI_Request* request, std::shared_ptr<void>* arrays) {
    const auto lists = std::make_shared<Lists<int, int>>(call);
    *arrays = lists;
    return apply<Nonblocking>(call, lists->from, lists->to, request);
}

} // namespace fuzz
