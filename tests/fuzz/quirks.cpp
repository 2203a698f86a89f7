// SPDX-License-Identifier: BSD-3-Clause
// Known bugs of Open MPI 4.1.4 and MPICH 4.0.2.
#include "quirks.hpp"

#include <algorithm>

namespace fuzz {
namespace {

template<class Visit>
void each_side(const Operation& operation, Visit visit) {
    for (const Arguments& arguments : operation.arguments) {
        visit(arguments.send);
        visit(arguments.recv);
    }
}

// Whether all elements of all ranks have the same size and extent.
bool is_uniform(const Program& program, const Operation& operation) {
    const Layout* first = nullptr;
    bool uniform = true;
    each_side(operation, [&](const Side& side) {
        for (const Block& block : side.blocks) {
            const Layout& own = program.types[block.type].layout;
            if (first == nullptr) first = &own;
            uniform = uniform && own.size == first->size && own.extent() == first->extent();
        }
    });
    return uniform;
}

// A side of many bytes with elements of several predefined types.
bool is_large_mixture(const Program& program, const Operation& operation) {
    bool found = false;
    each_side(operation, [&](const Side& side) {
        Offset size = 0;
        bool mixed = false;
        for (const Block& block : side.blocks) {
            const Layout& layout = program.types[block.type].layout;
            size += block.count * layout.size;
            for (const Entry& entry : layout.map)
                mixed = mixed || entry.base != layout.map[0].base ||
                        entry.base >= Base::real_and_int; // a struct to the host
        }
        found = found || (mixed && size > 4000);
    });
    return found;
}

bool is_derived(const Operation& operation) {
    return operation.element > Types::named(Base::short_and_int);
}

Offset bytes_of(const Program& program, const Operation& operation) {
    Offset most = 0;
    each_side(operation, [&](const Side& side) {
        Offset bytes = 0;
        for (const Block& block : side.blocks)
            bytes += block.count * program.types[block.type].layout.size;
        most = std::max(most, bytes);
    });
    return most;
}

bool is_in_place(const Operation& operation) {
    return std::any_of(
        operation.arguments.begin(), operation.arguments.end(),
        [](const Arguments& arguments) { return arguments.send.use == Use::in_place; });
}

bool has_repeated_edges(const Communicator& comm) {
    for (const auto& edges : comm.edges) {
        std::vector<int> peers;
        for (const Edge& edge : edges) {
            if (edge.peer >= 0 && std::count(peers.begin(), peers.end(), edge.peer) > 0)
                return true;
            peers.push_back(edge.peer);
        }
    }
    return false;
}

template<class Test>
bool any_degrees(const Communicator& comm, Test test) {
    for (std::size_t member = 0; member < comm.edges.size(); member++)
        if (test(comm.edges[member].size(), comm.destinations[member].size())) return true;
    return false;
}

bool has_lonely_ranks(const Communicator& comm) {
    return any_degrees(comm, [](auto in, auto out) { return in == 0 || out == 0; });
}
bool is_lopsided(const Communicator& comm) {
    return any_degrees(comm, [](auto in, auto out) { return in != out; });
}

bool has_odd_bounds(const Program& program, const Operation& operation) {
    const Layout& element = program.types[operation.element].layout;
    return is_derived(operation) &&
           (element.lower != 0 || element.true_lower != 0 || element.upper != element.true_upper);
}

bool is_wrong_on_open_mpi(const Program& program, const Operation& operation) {
    const Communicator& comm = program.comms[at(operation.comm)];
    switch (operation.kind) {
    // Alone, it takes a displacement in bytes for one in extents.
    case Kind::alltoallw: return comm.size() == 1;
    // Ranks whose elements have different sizes choose different algorithms.
    case Kind::bcast:
    case Kind::allgatherv: return !is_uniform(program, operation);
    // From 16 ranks on short blocks go by Bruck's way, in elements of either side.
    case Kind::alltoall: return comm.size() >= 16 && !is_uniform(program, operation);
    // Between groups, a leader counts the elements of others as its own.
    case Kind::gather:
    case Kind::gatherv:
    case Kind::scatter:
    case Kind::scatterv: return comm.is_inter() && !is_uniform(program, operation);
    // A rank whose one count is 0 for want of edges does nothing at all.
    case Kind::neighbor_allgather:
    case Kind::neighbor_alltoall: return has_lonely_ranks(comm);
    // Scratch for large data is too small where bounds are not those of the data.
    case Kind::reduce:
    case Kind::allreduce:
    case Kind::reduce_scatter:
    case Kind::reduce_scatter_block:
        return has_odd_bounds(program, operation) && bytes_of(program, operation) > 4000;
    default: return false;
    }
}

bool is_wrong_on_mpich(const Conditions& conditions, const Program& program,
                       const Operation& operation) {
    const Communicator& comm = program.comms[at(operation.comm)];
    switch (operation.kind) {
    case Kind::allgatherv:
        // Alone, it forgets the displacement. Ranks whose elements differ cut large data
        // differently.
        if (comm.size() == 1 || !is_uniform(program, operation)) return true;
        break;
    // Ranks other than the root choose the algorithm by arguments that do not matter there.
    case Kind::gather:
    case Kind::scatter:
        if (comm.is_inter()) return true;
        break;
    // A root that is alone on its node loses ranks of others (pmodels/mpich #6893). Which ranks a
    // node has is not known here.
    case Kind::reduce: return conditions.several_nodes;
    // An operation that does not commute works beyond its scratch where bounds are not the data's.
    // Between groups the result is scattered as packed data: see below.
    case Kind::reduce_scatter:
    case Kind::reduce_scatter_block:
        return (is_derived(operation) && !operation.says_commutative) ||
               (comm.is_inter() && is_large_mixture(program, operation));
    case Kind::neighbor_alltoallw:
        if (is_lopsided(comm)) return true;
        break;
    // Alone, what it sends to itself may be taken by a receive of the program's: see hostbugs.
    case Kind::alltoall:
    case Kind::alltoallv:
    case Kind::alltoallw:
        if (comm.size() == 1) return true;
        break;
    default: break;
    }
    // Packed data that arrive in a struct of different elements are cut.
    return !facts(operation.kind).reduces && is_large_mixture(program, operation);
}

} // namespace

bool blocking_is_wrong(const Conditions& conditions, const Program& program,
                       const Operation& operation) {
    // A periodic dimension of one or two processes, or repeated edges: see hostbugs.
    if (facts(operation.kind).neighbors && has_repeated_edges(program.comms[at(operation.comm)]))
        return true;
    return conditions.open_mpi ? is_wrong_on_open_mpi(program, operation)
                               : is_wrong_on_mpich(conditions, program, operation);
}

// MPICH 4.0.2 crashes on some.
bool blocking_in_place_is_wrong(const Conditions& conditions, const Operation& operation) {
    return !conditions.open_mpi && facts(operation.kind).reduces && is_in_place(operation);
}

bool delegate_is_wrong(const Conditions& conditions, const Program& program,
                       const Operation& operation) {
    return conditions.delegated && operation.kind != Kind::message && !operation.is_called() &&
           nonblocking_is_wrong(conditions, program, operation);
}

bool nonblocking_is_wrong(const Conditions& conditions, const Program& program,
                          const Operation& operation) {
    // In place, pairs that exchange nothing or have different datatypes go wrong on both.
    if (!facts(operation.kind).rooted && !facts(operation.kind).reduces && is_in_place(operation))
        return true;
    // Ineighbor_alltoallw, which stands for all of them.
    if (!conditions.open_mpi && facts(operation.kind).neighbors &&
        is_lopsided(program.comms[at(operation.comm)]))
        return true;
    // Scratch is too small where bounds are not those of the data.
    if (conditions.open_mpi && facts(operation.kind).reduces && has_odd_bounds(program, operation))
        return true;
    return blocking_is_wrong(conditions, program, operation);
}

bool bsend_is_wrong(const Conditions& conditions, const Program& program,
                    const Operation& operation) {
    return conditions.open_mpi ? operation.message.persistent_send
                               : is_large_mixture(program, operation);
}

bool persistent_null_is_wrong(const Conditions& conditions) { return !conditions.open_mpi; }

} // namespace fuzz
