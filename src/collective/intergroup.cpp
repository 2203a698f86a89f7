// SPDX-License-Identifier: BSD-3-Clause
//
// The translation of an operation between two groups, whose ranks are numbered as in their union.
// What moves data only is a neighbourhood: every rank has edges to ranks of the other group alone.
#include "collective/intergroup.hpp"

#include "collective/blocks.hpp"
#include "comm/exchange.hpp"
#include "datatype/layout.hpp"

namespace mpix::collective {
namespace {

using plan::Blocks;
using plan::Buffer;
using plan::Bytes;
using plan::Kind;
using plan::Place;

class GroupTranslator {
  public:
    GroupTranslator(Context& context, const Arguments& arguments)
        : context_(context), args_(arguments),
          remote_(static_cast<std::size_t>(context.remote_ranks)) {}

    Translation run();

  private:
    bool is_root() const { return args_.root == MPI_ROOT; }
    bool deals_with_root() const { return args_.root >= 0; }
    int peer(std::size_t rank) const { return context_.of_all(static_cast<int>(rank), true); }
    int root() const { return context_.of_all(args_.root, true); }

    // The blocks of one side of the arguments. Those of a broadcast's one buffer are sent too.
    Blocks out(const Side& side, std::size_t blocks) {
        out_.binding.send = side.buffer;
        return places(side, blocks, Buffer::send, Buffer::send_blocks, out_.binding.send_blocks,
                      layouts_);
    }
    Blocks in(std::size_t blocks) {
        return places(args_.recv, blocks, Buffer::recv, Buffer::recv_blocks,
                      out_.binding.recv_blocks, layouts_);
    }
    void send(int to, const Place& from) {
        out_.problem.destinations.push_back(to);
        out_.problem.send.push_back(from);
    }
    void expect(int from) { out_.problem.sources.push_back(from); }
    void send_each(const Blocks& blocks) {
        for (std::size_t r = 0; r < remote_; ++r) send(peer(r), blocks[blocks.size() > 1 ? r : 0]);
    }
    void expect_each() {
        for (std::size_t r = 0; r < remote_; ++r) expect(peer(r));
    }

    void move();
    void reduce();
    void reduce_scatter();

    Context& context_;
    const Arguments& args_;
    const std::size_t remote_;
    Translation out_;
    std::vector<Bytes> sizes_; // of a reduce_scatter: what each rank receives
    datatype::Layouts layouts_;
};

void GroupTranslator::move() {
    switch (kind(args_.collective)) {
    case Kind::bcast:
        if (is_root()) send_each(out(args_.recv, 1));
        break;
    case Kind::scatter:
        if (is_root()) send_each(out(args_.send, remote_));
        break;
    case Kind::gather:
        if (deals_with_root()) send(root(), out(args_.send, 1)[0]);
        break;
    case Kind::allgather: send_each(out(args_.send, 1)); break;
    default: send_each(out(args_.send, remote_)); break;
    }
    const Kind of = kind(args_.collective);
    if (of == Kind::bcast || of == Kind::scatter) {
        if (!deals_with_root()) return;
        expect(root());
        out_.problem.recv = in(1);
    } else if (of != Kind::gather || is_root()) {
        expect_each();
        out_.problem.recv = in(remote_);
    }
}

// One vector for the root, or for every rank of the other group.
void GroupTranslator::reduce() {
    const bool has_root = kind(args_.collective) == Kind::reduce;
    const Place whole{Buffer::send, 0,
                      bytes_of(args_.send.types.empty() ? args_.recv : args_.send, 0)};
    if (!has_root) send_each({whole});
    if (has_root && deals_with_root()) send(root(), whole);
    if (has_root && !is_root()) return;
    expect_each();
    out_.problem.recv = {{Buffer::recv, 0, bytes_of(args_.recv, 0)}};
}

// A segment for every rank of the other group, as large as that one says.
void GroupTranslator::reduce_scatter() {
    const Bytes own = bytes_of(args_.recv, static_cast<std::size_t>(context_.rank));
    Bytes offset = 0;
    for (std::size_t r = 0; r < remote_; ++r) {
        const Bytes bytes = sizes_[static_cast<std::size_t>(peer(r))];
        send(peer(r), {Buffer::send, offset, bytes});
        offset += bytes;
    }
    expect_each();
    out_.problem.recv = {{Buffer::recv, 0, own}};
}

Translation GroupTranslator::run() {
    const Kind of = kind(args_.collective);
    Bytes own = 0;
    if (of == Kind::reduce_scatter) {
        own = bytes_of(args_.recv, static_cast<std::size_t>(context_.rank));
        sizes_.resize(static_cast<std::size_t>(context_.ranks_of_all));
    }
    const Facts facts = agree_between_groups(context_, args_);
    if (of == Kind::reduce_scatter) exchange(context_.all_ranks(), own, sizes_);
    auto& problem = out_.problem;
    problem.shape.total = facts.total;
    problem.shape.largest = facts.largest;
    context_.selection().limit_order(problem.shape, facts.order_shows != 0);
    out_.binding.over_host = facts.over_host != 0;
    out_.requested_solver = facts.requested_solver;
    out_.widest = facts.widest;
    out_.on_device = facts.on_device != 0;
    problem.rank = context_.rank_of_all;
    problem.shape.ranks = context_.ranks_of_all;
    out_.binding.send = args_.send.buffer;
    out_.binding.recv = args_.recv.buffer;
    if (of == Kind::barrier) return std::move(out_);
    if (!is_reduction(args_.collective)) {
        problem.shape.kind = Kind::neighbor;
        move();
        return std::move(out_);
    }
    problem.shape.kind = Kind::group_reduce;
    const bool takes_part = !args_.recv.types.empty() || !args_.send.types.empty();
    if (!takes_part) return std::move(out_);
    const Side& typed = args_.recv.types.empty() ? args_.send : args_.recv;
    problem.shape.grain = bind_element(out_.binding, typed.type(0), args_.op);
    of == Kind::reduce_scatter ? reduce_scatter() : reduce();
    return std::move(out_);
}

} // namespace

Translation translate_between_groups(Context& context, const Arguments& arguments) {
    return GroupTranslator(context, arguments).run();
}

} // namespace mpix::collective
