// SPDX-License-Identifier: BSD-3-Clause
// A random MPI program as plain data: the same on every rank, with the arguments of every rank in
// it. No MPI here.
#pragma once

#include "types.hpp"

#include <set>

namespace fuzz {

enum class Kind : std::uint8_t {
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
    message, // point-to-point
};

// How one side of a call describes its blocks.
enum class Shape : std::uint8_t { none, single, tiled, placed, placed_in_bytes, packed };

// Which side may be MPI_IN_PLACE, on the root or on all ranks.
enum class InPlace : std::uint8_t { nowhere, send, recv };

struct KindFacts {
    const char* name;
    Shape send, recv;
    bool rooted, reduces, neighbors, irregular;
    InPlace in_place;
    bool root_receives() const { return rooted && in_place == InPlace::send; }
};

const KindFacts& facts(Kind kind);

struct Edge {
    int peer;  // a member, -1 for MPI_PROC_NULL
    int block; // of the peer's send buffer
};

struct Communicator {
    enum class Made : std::uint8_t { world, split, cartesian, graph, dist_graph, inter };

    Made made = Made::world;
    bool copied = false; // by MPI_Comm_dup from the parent, which was made that way
    int parent = -1;
    std::vector<int> members; // world ranks; of an intercommunicator the first group, the second
    int first_group = 0;      // members of the first group; all, where there is one group
    std::vector<int> colours, keys;        // of each rank of the parent; colour -1: not a member
    std::vector<int> dims, periods;        // Cartesian
    std::vector<std::vector<int>> sources; // graphs: of each member
    std::vector<std::vector<int>> destinations; // graphs and grids: of each member
    std::vector<std::vector<Edge>> edges;       // in the order of receive blocks

    int size() const { return static_cast<int>(members.size()); }
    bool is_inter() const { return made == Made::inter; }
    bool has_topology() const { return !edges.empty(); }
    int member_of(int world_rank) const; // -1 where it is none
    int group_of(int member) const { return member < first_group ? 0 : 1; }
    int rank_of(int member) const { return member < first_group ? member : member - first_group; }
    // Those with whom a member exchanges blocks, in the order of blocks.
    std::vector<int> peers_of(int member) const;
};

struct Block {
    int type = 0;
    long count = 0;
    Offset place = 0; // bytes from the start of the buffer
};

enum class Use : std::uint8_t { given, in_place, ignored, junk };

struct Side {
    Use use = Use::ignored;
    bool spoiled = false; // in place, with arguments that mean nothing
    int type = 0;
    long count = 0;
    std::vector<long> counts, places; // places as the call wants them: in extents, or in bytes
    std::vector<int> types;
    std::vector<Block> blocks;
    std::vector<int> parts;   // partitions of each block, where the operation has any
    Offset low = 0, high = 0; // what the blocks touch, in bytes from the start of the buffer
};

struct Arguments {
    Side send, recv;
};

enum class Form : std::uint8_t { persistent, persistent_c, nonblocking, blocking, partitioned };
enum class Mode : std::uint8_t { standard, synchronous, buffered, ready };
enum class Binding : std::uint8_t { none, waits, returns, init }; // of an end of a channel

struct Message {
    int from = -1, to = -1; // members, -1 for MPI_PROC_NULL
    int tag = 0;
    Mode mode = Mode::standard;
    bool persistent_send = false, persistent_recv = false;
    bool any_source = false, any_tag = false;
    Binding send_binding = Binding::none, recv_binding = Binding::none;
    int slack = 1; // starts that may be made before the first of them is completed

    bool is_channel() const { return send_binding != Binding::none; }
};

struct Operation {
    Kind kind = Kind::barrier;
    Form form = Form::persistent;
    int comm = 0;
    int root = -1; // a member
    Function function = Function::sum;
    bool says_commutative = true;
    int slot = 0;                     // of the user's function
    int element = 0;                  // the datatype of a reduction
    std::vector<Arguments> arguments; // of each member
    Message message;
    int rounds = 1;
    long granularity = 1; // blocks have a multiple of so many units

    bool is_partitioned() const { return form == Form::partitioned; }
    // Made and started by one call, in the order of all ranks.
    bool is_called() const { return form == Form::nonblocking || form == Form::blocking; }
    bool involves(int member) const {
        return kind != Kind::message || member == message.from || member == message.to;
    }
};

enum class Action : std::uint8_t {
    polls,      // a feature: calls of the Test family anywhere
    drift,      // a feature: ranks start and complete later than others
    early_free, // a feature: datatypes and ops are freed right after the initialisation
    mixture,    // a feature: all kinds of completion calls, else MPI_Wait
    rebind,     // a feature: requests are bound to other buffers between rounds
    make,       // a communicator
    free_comm,
    check, // the host's blocking call against the oracle
    init,
    free_request,
    start,
    ready,   // the receiver of a ready send tells the sender that it has started
    prepare, // all members wait until the buffers of a partitioned operation are started
    complete,
    start_bundle, // of operations that are started and completed together
    complete_bundle,
    barrier,
    allreduce,
    bcast,
    duplicate,
    sendrecv,
    token, // one rank blocks in a receive, the other sends
};

struct Item {
    Action action;
    int subject = -1; // a communicator, an operation or a bundle
    int round = 0;
    int from = -1, to = -1; // of a token: members
};

struct Member {
    int operation, round;
};

struct Program {
    std::uint64_t seed = 0;
    int ranks = 1;
    Types types;
    std::vector<Communicator> comms;
    std::vector<Operation> operations;
    std::vector<std::vector<Member>> bundles;
    std::vector<Item> items;

    int init_of(int operation) const; // the number of its item
    // Whether the item is on the operation, alone or in a bundle.
    bool is_on(const Item& item, int operation) const;
    // Whether the item is still there when `skipped` are left out; what depends on a skipped item
    // goes with it.
    bool keeps(const std::set<int>& skipped, int item) const;
    // Items that may be left out.
    bool is_optional(int item) const;
    bool has(const std::set<int>& skipped, Action feature) const;
};

bool is_on_operation(Action action); // alone
bool is_on_bundle(Action action);

inline std::size_t at(long index) { return static_cast<std::size_t>(index); }

} // namespace fuzz
