// SPDX-License-Identifier: BSD-3-Clause
//
// From MPI arguments to a problem and its binding. Nothing here chooses an algorithm.
#include "collective/translate.hpp"

#include "collective/blocks.hpp"
#include "collective/device_buffers.hpp"
#include "collective/intergroup.hpp"
#include "collective/neighborhood.hpp"
#include "comm/exchange.hpp"
#include "datatype/layout.hpp"
#include "plan/blocks.hpp"
#include "progress/engine.hpp"

#include <algorithm>

namespace mpix::collective {
namespace {

using comm::SizeCheck;
using plan::Blocks;
using plan::Buffer;
using plan::Bytes;
using plan::Collective;
using plan::Kind;
using plan::Place;

// Of a neighbourhood: to all neighbours.
bool sends_one_block(Collective collective) {
    return collective == Collective::neighbor_allgather ||
           collective == Collective::neighbor_allgatherv;
}

class Translator {
  public:
    Translator(Context& context, const Arguments& arguments)
        : context_(context), args_(arguments), ranks_(static_cast<std::size_t>(context.ranks)),
          rank_(static_cast<std::size_t>(context.rank)) {}

    Translation run();

  private:
    bool is_root() const { return context_.rank == args_.root; }
    Blocks send(std::size_t blocks) {
        return places(args_.send, blocks, Buffer::send, Buffer::send_blocks,
                      out_.binding.send_blocks, layouts_);
    }
    Blocks recv(std::size_t blocks) {
        return places(args_.recv, blocks, Buffer::recv, Buffer::recv_blocks,
                      out_.binding.recv_blocks, layouts_);
    }
    void bcast();
    void gather();
    void scatter();
    void allgather();
    void alltoall();
    void reduce();
    void reduce_scatter();
    void neighbor();
    void element();
    void sizes_from(Bytes own);
    bool in_parts() const {
        return args_.collective == Collective::gatherv || args_.collective == Collective::scatterv;
    }
    void share();

    Context& context_;
    const Arguments& args_;
    const std::size_t ranks_;
    const std::size_t rank_;
    Translation out_;
    datatype::Layouts layouts_;
    Facts facts_;
    SizeCheck size_check_;
    Bytes own_size_ = 0;
};

void Translator::bcast() {
    // The one buffer is `recv` in the arguments; the root reads it.
    auto& binding = out_.binding;
    if (!is_root()) {
        out_.problem.recv = recv(1);
    } else {
        binding.send = args_.recv.buffer;
        out_.problem.send =
            places(args_.recv, 1, Buffer::send, Buffer::send_blocks, binding.send_blocks, layouts_);
    }
    facts_.bytes = facts_.total = facts_.largest = bytes_of(args_.recv, 0);
}

void Translator::gather() {
    if (is_root()) out_.problem.recv = recv(ranks_);
    if (args_.send.in_place)
        out_.problem.send = {out_.problem.recv[rank_]};
    else
        out_.problem.send = send(1);
    sizes_from(out_.problem.send[0].bytes);
}

void Translator::scatter() {
    if (is_root()) out_.problem.send = send(ranks_);
    if (!args_.recv.in_place) out_.problem.recv = recv(1);
    sizes_from(args_.recv.in_place ? out_.problem.send[rank_].bytes : out_.problem.recv[0].bytes);
}

// Gather and scatter: a rank knows its own block. In the v forms share() asks the others for
// theirs.
void Translator::sizes_from(Bytes own) {
    own_size_ = own;
    if (in_parts()) return;
    out_.problem.sizes = plan::Sizes::regular(own, 0, ranks_);
    facts_.bytes = facts_.total = own * static_cast<Bytes>(ranks_);
    facts_.largest = own;
}

void Translator::allgather() {
    auto& problem = out_.problem;
    problem.recv = recv(ranks_);
    problem.send = args_.send.in_place ? Blocks{problem.recv[rank_]} : send(1);
    problem.sizes = plan::sizes(problem.recv);
    facts_.bytes = facts_.total = sum_of(problem.sizes);
    facts_.largest = largest_of(problem.sizes);
}

void Translator::alltoall() {
    out_.problem.recv = recv(ranks_);
    out_.problem.send = args_.send.in_place ? out_.problem.recv : send(ranks_);
    const plan::Sizes sizes = plan::sizes(out_.problem.send);
    facts_.total = sum_of(sizes);
    facts_.largest = largest_of(sizes);
    if (args_.collective == Collective::alltoall)
        facts_.bytes = facts_.total;
    else
        facts_.edges = context_.ranks;
}

// Reductions keep whole elements: their rooms are made of the datatype.
void Translator::element() {
    const Side& side =
        args_.collective == Collective::reduce && !is_root() ? args_.send : args_.recv;
    out_.problem.shape.grain = bind_element(out_.binding, side.type(0), args_.op);
    out_.problem.shape.commutative = describe_reduction(facts_, args_.op, side.type(0));
}

void Translator::reduce() {
    element();
    const bool receives = args_.collective != Collective::reduce || is_root();
    const Side& side = receives ? args_.recv : args_.send;
    const Bytes bytes = side.count(0) * out_.binding.element->size;
    if (receives) out_.problem.recv = {{Buffer::recv, 0, bytes}};
    out_.problem.send = {{args_.send.in_place ? Buffer::recv : Buffer::send, 0, bytes}};
    facts_.bytes = facts_.total = facts_.largest = bytes;
}

void Translator::reduce_scatter() {
    element();
    auto& problem = out_.problem;
    const Buffer from = args_.send.in_place ? Buffer::recv : Buffer::send;
    const Bytes element = out_.binding.element->size;
    if (args_.recv.counts.size() == 1)
        problem.sizes = plan::Sizes::regular(args_.recv.count(0) * element, 0, ranks_);
    else
        for (std::size_t r = 0; r < ranks_; ++r)
            problem.sizes.push_back(args_.recv.count(r) * element);
    facts_.bytes = facts_.total = sum_of(problem.sizes);
    facts_.largest = largest_of(problem.sizes);
    problem.send = slices({from, 0, facts_.total}, problem.sizes);
    problem.recv = {{Buffer::recv, 0, problem.sizes[rank_]}};
}

void Translator::neighbor() {
    const Neighborhood near = neighborhood(args_.comm);
    const bool one_block = sends_one_block(args_.collective);
    const auto sends = send(one_block ? 1 : near.outdegree);
    const auto recvs = recv(near.indegree);
    for (const Neighbor& edge : near.destinations) {
        out_.problem.destinations.push_back(edge.rank);
        out_.problem.send.push_back(sends[one_block ? 0 : edge.block]);
    }
    for (const Place& place : out_.problem.send) {
        facts_.total += place.bytes;
        facts_.largest = std::max(facts_.largest, place.bytes);
    }
    for (const Neighbor& edge : near.sources) {
        out_.problem.sources.push_back(edge.rank);
        out_.problem.recv.push_back(recvs[edge.block]);
    }
    const auto& problem = out_.problem;
    facts_.edges = static_cast<std::int64_t>(std::max(problem.send.size(), problem.recv.size()));
    for (std::size_t i = 0; i < problem.send.size(); ++i)
        size_check_.send(problem.destinations[i], problem.send[i].bytes);
    for (std::size_t i = 0; i < problem.recv.size(); ++i)
        size_check_.expect(problem.sources[i], problem.recv[i].bytes);
}

// Every rank leaves with the same shape.
void Translator::share() {
    facts_.collective = args_.call().number();
    if (has_root(args_.collective)) facts_.root = args_.root;
    if (is_in_place_everywhere(args_.collective)) facts_.in_place = args_.send.in_place;
    if (!is_neighbor(args_.collective)) size_check_ = pair_blocks(context_, args_);
    facts_.over_host = args_.over_host || !out_.binding.is_dense();
    facts_.requested_solver = args_.requested_solver;
    facts_.widest = widest(args_);
    facts_.on_device = is_on_device(args_);
    {
        const progress::Engine::Guard guard(progress::engine());
        context_.race_results().settle();
    }
    facts_.results = context_.race_results().fingerprint();
    facts_.less_results = -facts_.results;
    facts_.delegated = context_.race_results().delegated();
    std::vector<Bytes> sizes; // there is memory for them before the others are involved
    if (in_parts()) sizes.resize(static_cast<std::size_t>(context_.ranks_of_all));
    agree(context_, facts_, size_check_);
    out_.requested_solver = facts_.requested_solver;
    out_.widest = facts_.widest;
    out_.on_device = facts_.on_device != 0;
    out_.has_same_results = facts_.has_same_results();
    context_.race_results().agree_on_delegated(facts_.delegated);
    out_.binding.over_host = facts_.over_host != 0;
    if (in_parts()) {
        exchange(context_.all_ranks(), own_size_, sizes);
        out_.problem.sizes = sizes;
        facts_.total = sum_of(out_.problem.sizes);
        facts_.largest = largest_of(out_.problem.sizes);
    }
    out_.edges = facts_.edges;
    auto& shape = out_.problem.shape;
    shape.kind = kind(args_.collective);
    shape.alike = sends_one_block(args_.collective) && !args_.is_partitioned;
    shape.ranks = context_.ranks;
    shape.root = args_.root;
    shape.total = facts_.total;
    shape.largest = facts_.largest;
    context_.selection().limit_order(shape, facts_.order_shows != 0);
    shape.regular = are_alike(out_.problem.sizes) && args_.collective != Collective::alltoallv &&
                    args_.collective != Collective::alltoallw;
}

Translation Translator::run() {
    out_.problem.rank = context_.rank;
    out_.binding.send = args_.send.buffer;
    out_.binding.recv = args_.recv.buffer;
    out_.binding.moves = args_.moves;
    switch (kind(args_.collective)) {
    case Kind::barrier: break;
    case Kind::bcast: bcast(); break;
    case Kind::gather: gather(); break;
    case Kind::scatter: scatter(); break;
    case Kind::allgather: allgather(); break;
    case Kind::alltoall: alltoall(); break;
    case Kind::reduce_scatter: reduce_scatter(); break;
    case Kind::neighbor: neighbor(); break;
    default: reduce(); break;
    }
    share();
    return std::move(out_);
}

} // namespace

Translation translate(Context& context, const Arguments& arguments) {
    if (context.is_inter) return translate_between_groups(context, arguments);
    return Translator(context, arguments).run();
}

} // namespace mpix::collective
