// SPDX-License-Identifier: BSD-3-Clause
//
// A row a kind. Between two groups every rank deals with the remote group alone.
#include "collective/blocks.hpp"

#include "collective/device_buffers.hpp"
#include "datatype/layout.hpp"
#include "datatype/ops.hpp"
#include "host/failure.hpp"
#include "host/reduction.hpp"

#include <algorithm>

namespace mpix::collective {
namespace {

using collective::OfBlocks;
using comm::SizeCheck;
using plan::Collective;
using plan::Kind;

class BlockPairs {
  public:
    BlockPairs(const Context& context, const Arguments& arguments)
        : context_(context), args_(arguments),
          peers_(context.is_inter ? context.remote_ranks : context.ranks) {}

    SizeCheck pair();

  private:
    bool is_root() const {
        return context_.is_inter ? args_.root == MPI_ROOT : args_.root == context_.rank;
    }
    bool deals_with_root() const { return !context_.is_inter || args_.root >= 0; }
    int peer(int rank) const { return context_.of_all(rank, context_.is_inter); }

    // The one block of this rank, which in place stands among those of the other side.
    std::int64_t own(const Side& side, const Side& other) const {
        return side.in_place ? bytes_of(other, static_cast<std::size_t>(context_.rank))
                             : bytes_of(side, 0);
    }
    void send_each(const Side& side) {
        for (int r = 0; r < peers_; ++r)
            size_check_.send(peer(r), bytes_of(side, static_cast<std::size_t>(r)));
    }
    void expect_each(const Side& side) {
        for (int r = 0; r < peers_; ++r)
            size_check_.expect(peer(r), bytes_of(side, static_cast<std::size_t>(r)));
    }
    void send_alike(std::int64_t bytes) {
        for (int r = 0; r < peers_; ++r) size_check_.send(peer(r), bytes);
    }
    void gather(bool into_one);
    void scatter(bool alike);
    void segments();
    void alike();

    const Context& context_;
    const Arguments& args_;
    const int peers_;
    SizeCheck size_check_;
};

// Also a reduction between groups: every rank has a block for the root.
void BlockPairs::gather(bool into_one) {
    if (deals_with_root()) size_check_.send(peer(args_.root), own(args_.send, args_.recv));
    if (!is_root()) return;
    for (int r = 0; r < peers_; ++r)
        size_check_.expect(peer(r),
                           bytes_of(args_.recv, into_one ? 0 : static_cast<std::size_t>(r)));
}

// Also a broadcast between groups, whose one buffer is `recv`: the root has it for every rank.
void BlockPairs::scatter(bool alike) {
    if (deals_with_root()) size_check_.expect(peer(args_.root), own(args_.recv, args_.send));
    if (is_root()) alike ? send_alike(bytes_of(args_.recv, 0)) : send_each(args_.send);
}

// Within one group: all of it must know the segments alike.
void BlockPairs::segments() {
    for (int r = 0; r < context_.ranks; ++r) {
        const int rank = context_.of_all(r, false);
        size_check_.send(rank, bytes_of(args_.recv, static_cast<std::size_t>(r)));
        size_check_.expect(rank, bytes_of(args_.recv, static_cast<std::size_t>(context_.rank)));
    }
}

bool has_one_size(Collective collective) {
    return collective == Collective::gather || collective == Collective::scatter ||
           collective == Collective::allgather || collective == Collective::alltoall ||
           collective == Collective::reduce_scatter_block;
}

// Within one group, of a collective with one size: all ranks compare their totals, so one block of
// each stands for all of them.
void BlockPairs::alike() {
    const Kind of = kind(args_.collective);
    const bool is_rooted = of == Kind::gather || of == Kind::scatter;
    if (of == Kind::reduce_scatter || (is_rooted && !is_root())) return;
    const int next = is_rooted ? args_.root : (context_.rank + 1) % peers_;
    const int previous = is_rooted ? args_.root : (context_.rank + peers_ - 1) % peers_;
    size_check_.send(next, own(args_.send, args_.recv));
    size_check_.expect(previous, own(args_.recv, args_.send));
}

SizeCheck BlockPairs::pair() {
    if (!context_.is_inter && has_one_size(args_.collective)) {
        alike();
        return std::move(size_check_);
    }
    const Kind of = kind(args_.collective);
    if (of == Kind::gather) gather(false);
    if (of == Kind::scatter) scatter(false);
    if (of == Kind::alltoall) send_each(args_.send.in_place ? args_.recv : args_.send);
    if (of == Kind::allgather) send_alike(own(args_.send, args_.recv));
    if (of == Kind::alltoall || of == Kind::allgather) expect_each(args_.recv);
    if (of == Kind::reduce_scatter) segments();
    if (!context_.is_inter) return std::move(size_check_);
    if (of == Kind::bcast) scatter(true);
    if (of == Kind::reduce) gather(true);
    if (of == Kind::allreduce) {
        send_alike(bytes_of(args_.send, 0));
        expect_each(args_.recv);
    }
    return std::move(size_check_);
}

} // namespace

std::int64_t bytes_of(const Side& side, std::size_t block) {
    MPI_Count size = 0;
    host::check(HOST(Type_size_x)(side.type(block), &size));
    return side.count(block) * size;
}

SizeCheck pair_blocks(const Context& context, const Arguments& arguments) {
    return BlockPairs(context, arguments).pair();
}

// The host gets neighbours' blocks by their addresses.
std::int64_t widest(const Arguments& arguments) {
    std::int64_t most = 0;
    const auto see = [&most](const OfBlocks<std::int64_t>& values) {
        for (const std::int64_t value : values) most = std::max({most, value, ~value});
    };
    for (const Side* side : {&arguments.send, &arguments.recv}) {
        see(side->counts);
        if (!is_neighbor(arguments.collective)) see(side->displacements);
    }
    return most;
}

bool describe_reduction(Facts& facts, MPI_Op op, MPI_Datatype type) {
    int commutes = 1;
    host::check(HOST(Op_commutative)(op, &commutes));
    facts.op = datatype::number_of(op, commutes != 0);
    facts.order_shows = host::order_shows(op, type);
    MPI_Count size = 0;
    host::check(HOST(Type_size_x)(type, &size));
    facts.element = size;
    return commutes != 0;
}

Facts agree_between_groups(Context& context, const Arguments& arguments) {
    Facts facts;
    facts.collective = arguments.call().number();
    if (has_root(arguments.collective)) {
        if (arguments.root == MPI_ROOT)
            facts.root = context.rank_of_all;
        else if (arguments.root >= 0)
            facts.root = context.of_all(arguments.root, true);
    }
    if (arguments.op != MPI_OP_NULL) {
        const Side& typed = arguments.recv.types.empty() ? arguments.send : arguments.recv;
        describe_reduction(facts, arguments.op, typed.type(0));
        facts.over_host = !datatype::Layout(typed.type(0)).dense;
    }
    if (kind(arguments.collective) == Kind::reduce_scatter) {
        facts.bytes = 0;
        for (int r = 0; r < context.ranks; ++r)
            facts.bytes += bytes_of(arguments.recv, static_cast<std::size_t>(r));
    }
    for (const Side* side : {&arguments.send, &arguments.recv})
        if (!side->types.empty()) facts.largest = std::max(facts.largest, bytes_of(*side, 0));
    facts.total = facts.largest;
    if (arguments.over_host) facts.over_host = true;
    facts.requested_solver = arguments.requested_solver;
    facts.widest = widest(arguments);
    facts.on_device = is_on_device(arguments);
    agree(context, facts, pair_blocks(context, arguments));
    return facts;
}

} // namespace mpix::collective
