// SPDX-License-Identifier: BSD-3-Clause
//
// One call of the host for each collective. Neighbourhoods are delegated as alltoallw on a
// distributed graph with one edge for each pair of ranks, because hosts mix up several (section
// 8.6), as on periodic dimensions of size 1 and 2.
#include "collective/delegation.hpp"

#include "base/closed.hpp"
#include "collective/neighborhood.hpp"
#include "host/failure.hpp"

#include <map>
#include <memory>
#include <optional>

namespace mpix::collective {
namespace {

using comm::Shadow;
using plan::Collective;
using progress::Operation;

// They fit: the agreement has found the widest.
std::vector<int> narrow(const collective::OfBlocks<std::int64_t>& values) {
    return {values.begin(), values.end()};
}

char insignificant[2];

struct HostSide {
    // Where a side is not significant MPICH still looks at its address.
    HostSide(const Side& side, char* unused)
        : is_bound(!side.in_place && !side.types.empty()),
          buffer(side.in_place                        ? MPI_IN_PLACE
                 : side.types.empty() && !side.buffer ? static_cast<void*>(unused)
                                                      : side.buffer),
          counts(narrow(side.counts)), displacements(narrow(side.displacements)),
          types(side.types.begin(), side.types.end()) {}

    int count() const { return counts.empty() ? 0 : counts[0]; }
    MPI_Datatype type() const { return types.empty() ? MPI_BYTE : types[0]; }

    void move_to(std::byte* place) {
        if (is_bound) buffer = place;
    }

    bool is_bound;
    void* buffer;
    std::vector<int> counts;
    std::vector<int> displacements;
    std::vector<MPI_Datatype> types;
};

struct HostCall {
    // Where op is not significant Open MPI still wants one.
    HostCall(const Context& context, const Arguments& arguments)
        : collective(arguments.collective), send(arguments.send, &insignificant[0]),
          recv(arguments.recv, &insignificant[1]),
          op(arguments.op == MPI_OP_NULL ? MPI_BOR : arguments.op), root(arguments.root) {
        if (context.is_inter && collective == Collective::bcast) scatter_instead(context);
    }

    void scatter_instead(const Context& context);
    int start(MPI_Request* request) const;
    int start_rooted(MPI_Request* request) const;
    int start_reduction(MPI_Request* request) const;

    Collective collective;
    HostSide send, recv;
    MPI_Op op;
    int root;
    std::shared_ptr<Shadow> shadow;
};

// MPICH 4.0 loses a nonblocking broadcast between groups unless the root is rank 0 of its group. A
// scatter in which every rank is sent the same block does the same and arrives.
void HostCall::scatter_instead(const Context& context) {
    collective = Collective::scatterv;
    if (root != MPI_ROOT) return;
    int remote = 0;
    host::check(HOST(Comm_remote_size)(context.shadow(), &remote));
    send = recv;
    send.counts.assign(static_cast<std::size_t>(remote), recv.count());
    send.displacements.assign(static_cast<std::size_t>(remote), 0);
}

int HostCall::start_rooted(MPI_Request* request) const {
    const MPI_Comm comm = shadow->comm;
    switch (collective) {
    case Collective::bcast:
        return HOST(Ibcast)(recv.buffer, recv.count(), recv.type(), root, comm, request);
    case Collective::gather:
        return HOST(Igather)(send.buffer, send.count(), send.type(), recv.buffer, recv.count(),
                             recv.type(), root, comm, request);
    case Collective::gatherv:
        return HOST(Igatherv)(send.buffer, send.count(), send.type(), recv.buffer,
                              recv.counts.data(), recv.displacements.data(), recv.type(), root,
                              comm, request);
    case Collective::scatter:
        return HOST(Iscatter)(send.buffer, send.count(), send.type(), recv.buffer, recv.count(),
                              recv.type(), root, comm, request);
    default:
        return HOST(Iscatterv)(send.buffer, send.counts.data(), send.displacements.data(),
                               send.type(), recv.buffer, recv.count(), recv.type(), root, comm,
                               request);
    }
}

int HostCall::start_reduction(MPI_Request* request) const {
    const MPI_Comm comm = shadow->comm;
    const HostSide& data = recv.types.empty() ? send : recv; // only the root of a reduce receives
    switch (collective) {
    case Collective::reduce:
        return HOST(Ireduce)(send.buffer, recv.buffer, data.count(), data.type(), op, root, comm,
                             request);
    case Collective::allreduce:
        return HOST(Iallreduce)(send.buffer, recv.buffer, recv.count(), recv.type(), op, comm,
                                request);
    case Collective::reduce_scatter:
        return HOST(Ireduce_scatter)(send.buffer, recv.buffer, recv.counts.data(), recv.type(), op,
                                     comm, request);
    case Collective::reduce_scatter_block:
        return HOST(Ireduce_scatter_block)(send.buffer, recv.buffer, recv.count(), recv.type(), op,
                                           comm, request);
    case Collective::scan:
        return HOST(Iscan)(send.buffer, recv.buffer, recv.count(), recv.type(), op, comm, request);
    default:
        return HOST(Iexscan)(send.buffer, recv.buffer, recv.count(), recv.type(), op, comm,
                             request);
    }
}

int HostCall::start(MPI_Request* request) const {
    const MPI_Comm comm = shadow->comm;
    switch (collective) {
    case Collective::barrier: return HOST(Ibarrier)(comm, request);
    case Collective::allgather:
        return HOST(Iallgather)(send.buffer, send.count(), send.type(), recv.buffer, recv.count(),
                                recv.type(), comm, request);
    case Collective::allgatherv:
        return HOST(Iallgatherv)(send.buffer, send.count(), send.type(), recv.buffer,
                                 recv.counts.data(), recv.displacements.data(), recv.type(), comm,
                                 request);
    case Collective::alltoall:
        return HOST(Ialltoall)(send.buffer, send.count(), send.type(), recv.buffer, recv.count(),
                               recv.type(), comm, request);
    case Collective::alltoallv:
        return HOST(Ialltoallv)(send.buffer, send.counts.data(), send.displacements.data(),
                                send.type(), recv.buffer, recv.counts.data(),
                                recv.displacements.data(), recv.type(), comm, request);
    case Collective::alltoallw:
        return HOST(Ialltoallw)(send.buffer, send.counts.data(), send.displacements.data(),
                                send.types.data(), recv.buffer, recv.counts.data(),
                                recv.displacements.data(), recv.types.data(), comm, request);
    case Collective::bcast:
    case Collective::gather:
    case Collective::gatherv:
    case Collective::scatter:
    case Collective::scatterv: return start_rooted(request);
    default: return start_reduction(request);
    }
}

// A datatype of ours, freed with its last user.
struct Joint {
    Joint() = default;
    ~Joint() {
        if (type != MPI_DATATYPE_NULL && !base::is_closed()) HOST(Type_free)(&type);
    }
    Joint(const Joint&) = delete;
    Joint& operator=(const Joint&) = delete;

    MPI_Datatype type = MPI_DATATYPE_NULL;
};

using BlocksByRank = std::map<int, std::vector<TypedBlock>>;

// One side as arguments of alltoallw, one edge to (from) each rank: the blocks of all edges to it
// travel as one element.
struct EdgeList {
    EdgeList(const BlocksByRank& blocks_by_rank, const std::byte* buffer) {
        for (const auto& [rank, blocks] : blocks_by_rank) {
            ranks.push_back(rank);
            if (blocks.empty())
                add(0, 0, MPI_BYTE);
            else if (blocks.size() == 1)
                add(static_cast<int>(blocks[0].count), blocks[0].address - buffer, blocks[0].type);
            else
                add_joint(blocks, buffer);
        }
        add(0, 0, MPI_BYTE); // MPICH reads the first of each array even if there is none
    }

    void add(int count, MPI_Aint displacement, MPI_Datatype type) {
        counts.push_back(count);
        displacements.push_back(displacement);
        types.push_back(type);
    }
    void add_joint(const std::vector<TypedBlock>& blocks, const std::byte* buffer);

    std::vector<int> ranks;
    std::vector<int> counts;
    std::vector<MPI_Aint> displacements;
    std::vector<MPI_Datatype> types;
    std::vector<std::shared_ptr<Joint>> joints;
};

void EdgeList::add_joint(const std::vector<TypedBlock>& blocks, const std::byte* buffer) {
    std::vector<int> lengths;
    std::vector<MPI_Aint> places;
    std::vector<MPI_Datatype> parts;
    for (const TypedBlock& block : blocks) {
        lengths.push_back(static_cast<int>(block.count));
        places.push_back(block.address - buffer);
        parts.push_back(block.type);
    }
    MPI_Datatype& joint = joints.emplace_back(std::make_shared<Joint>())->type;
    host::check(HOST(Type_create_struct)(static_cast<int>(blocks.size()), lengths.data(),
                                         places.data(), parts.data(), &joint));
    host::check(HOST(Type_commit)(&joint));
    add(1, 0, joint);
}

void add_blocks(BlocksByRank& blocks, const std::vector<Neighbor>& edges, const Side& side,
                bool one_block) {
    for (const Neighbor& edge : edges) {
        const TypedBlock block = typed_block(side, one_block ? 0 : edge.block);
        if (block.count > 0) blocks[edge.rank].push_back(block);
    }
}

// What is sent to each rank, and received. A rank is there once, because MPICH 4.1 and later
// receive in the reverse of the order in which they send, so that edges to the same rank are mixed
// up (pmodels/mpich #5777, #7945). And it is there on both sides, because MPICH 4.0 sends to no
// more ranks than it receives from (#6233).
struct GraphEdges {
    explicit GraphEdges(const Arguments& arguments) {
        const Neighborhood near = neighborhood(arguments.comm);
        const bool one_block = arguments.collective == Collective::neighbor_allgather ||
                               arguments.collective == Collective::neighbor_allgatherv;
        BlocksByRank to, from;
        for (const Neighbor& edge : near.destinations) to[edge.rank], from[edge.rank];
        for (const Neighbor& edge : near.sources) to[edge.rank], from[edge.rank];
        add_blocks(to, near.destinations, arguments.send, one_block);
        add_blocks(from, near.sources, arguments.recv, false);
        out.emplace(to, arguments.send.buffer);
        in.emplace(from, arguments.recv.buffer);
    }
    std::optional<EdgeList> out, in;
};

Delegation delegate_neighbors(const GraphEdges& edges, const std::shared_ptr<Shadow>& ranks) {
    const EdgeList &out = *edges.out, &in = *edges.in;
    MPI_Comm comm = MPI_COMM_NULL;
    host::check(HOST(Dist_graph_create_adjacent)(
        ranks->comm, static_cast<int>(in.ranks.size()), in.ranks.data(), MPI_UNWEIGHTED,
        static_cast<int>(out.ranks.size()), out.ranks.data(), MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
        &comm));
    const auto graph = std::make_shared<Shadow>(comm);
    const auto start = [graph, out, in](const Binding& binding, MPI_Request* request) {
        return HOST(Ineighbor_alltoallw)(binding.send, out.counts.data(), out.displacements.data(),
                                         out.types.data(), binding.recv, in.counts.data(),
                                         in.displacements.data(), in.types.data(), graph->comm,
                                         request);
    };
    return {start, graph};
}

// What one rank lacks the memory for the others do not wait for.
template<class Prepare>
auto prepared(const Context& context, Prepare prepare) {
    try {
        return prepare();
    } catch (...) {
        comm::Gathering gathering{.is_ready = false};
        comm::gather_ranks(context.shadow(), gathering);
        throw;
    }
}

} // namespace

Delegation delegate_to_host(Context& context, const Arguments& arguments) {
    if (is_neighbor(arguments.collective)) {
        const auto edges =
            prepared(context, [&] { return std::make_unique<GraphEdges>(arguments); });
        return delegate_neighbors(*edges, comm::make_shadow(context.shadow()));
    }
    auto call = prepared(context, [&] { return std::make_unique<HostCall>(context, arguments); });
    call->shadow = comm::make_shadow(context.shadow());
    const std::shared_ptr<Shadow> ranks = call->shadow;
    const std::shared_ptr<HostCall> kept = std::move(call);
    const auto start = [kept](const Binding& binding, MPI_Request* request) {
        kept->send.move_to(binding.send);
        kept->recv.move_to(binding.recv);
        return kept->start(request);
    };
    return {start, ranks};
}

} // namespace mpix::collective
