// SPDX-License-Identifier: BSD-3-Clause
//
// Two-level alltoall: what a node has for another goes to one of its ranks, from there in one
// message to one rank of the other node, and to those that it is for. Every rank of a node deals
// with its share of the other nodes. J. L. Traff, A. Rougier, "MPI collectives and datatypes for
// hierarchical all-to-all communication", EuroMPI 2014.
#include "plan/packing.hpp"
#include "plan/solvers/levels.hpp"

namespace mpix::plan::alltoall_two_level {
namespace {

bool applicable(const Shape& shape) { return shape.regular && has_levels(shape); }

double cost(const Shape& shape, const Model& model) {
    const int mates = shape.nodes.largest(), nodes = shape.nodes.count();
    const auto block = static_cast<double>(shape.largest);
    const double to_others = block * (shape.ranks - mates);
    const int messages = (nodes - 1 + mates - 1) / mates; // of a rank to other nodes
    const Model within = model.within(shape.nodes.inside_largest().locality),
                across = model.between_nodes(mates);
    // Out to the mates, and in from them, beside what they have for each other.
    const double hop = within.latency_us + (nodes - 1) * within.exchanging() +
                       within.of_everyone(to_others * within.crossing * within.per_byte_us);
    return no_overlap * (2 * hop + block * mates * within.per_byte_us +
                         within.of_everyone(to_others * within.copy_us) +
                         across.message(block * mates * mates) + messages * across.exchanging() +
                         block * mates * mates * (messages - 1) * across.per_byte_us);
}

class Exchange {
  public:
    Exchange(const Problem& problem, Builder& plan)
        : problem_(problem), plan_(plan), levels_(problem, false), block_(problem.shape.largest) {}

    void build() {
        for (int node = 0; node < levels_.nodes(); ++node)
            if (node != levels_.node) collect(node);
        send_to_mates();
        for (const int node : own_nodes()) forward(node);
        receive_from_mates();
        for (const int node : own_nodes()) distribute(node);
        for (int node = 0; node < levels_.nodes(); ++node)
            if (node != levels_.node) receive(node);
    }

  private:
    RankList ranks(int node) const { return levels_.ranks(node); }
    // The rank of one node that deals with the other.
    int dealer(int node, int other) const {
        return levels_.rank_at(node, (node + other) % levels_.size(node));
    }
    std::vector<int> own_nodes() const {
        std::vector<int> found;
        for (int node = 0; node < levels_.nodes(); ++node)
            if (node != levels_.node && dealer(levels_.node, node) == levels_.rank)
                found.push_back(node);
        return found;
    }
    Bytes bytes(std::size_t blocks) const { return block_ * static_cast<Bytes>(blocks); }

    void send_to_mates() {
        for (const int mate : levels_.mates()) {
            const auto to = static_cast<std::size_t>(mate);
            Place block = problem_.send[to];
            if (mate == levels_.rank) {
                plan_.copy(block, problem_.recv[to]);
                continue;
            }
            if (block == problem_.recv[to]) {
                block = plan_.scratch(block.bytes);
                plan_.copy(problem_.send[to], block);
            }
            plan_.send(mate, block);
        }
    }

    void receive_from_mates() {
        for (const int mate : levels_.mates())
            if (mate != levels_.rank)
                plan_.recv(mate, problem_.recv[static_cast<std::size_t>(mate)]);
    }

    // What this rank has for the ranks of another node, to the dealer.
    void collect(int node) {
        const int dealing = dealer(levels_.node, node);
        if (dealing == levels_.rank) return;
        const Blocks blocks = places_of(ranks(node), problem_.send);
        const Place whole = joined(plan_, blocks);
        pack(plan_, blocks, whole);
        plan_.send(dealing, whole);
    }

    // What all mates have for another node: the blocks of a mate in a row.
    void forward(int node) {
        const RankList& mates = levels_.mates();
        const Bytes row = bytes(ranks(node).size());
        const Place out = plan_.scratch(row * static_cast<Bytes>(mates.size()));
        for (std::size_t i = 0; i < mates.size(); ++i) {
            const Place rows = out.part(row * static_cast<Bytes>(i), row);
            if (mates[i] == levels_.rank)
                pack(plan_, places_of(ranks(node), problem_.send), rows);
            else
                plan_.recv(mates[i], rows);
        }
        plan_.send(dealer(node, levels_.node), out);
    }

    // What came from another node: a row has a block for each mate.
    void distribute(int node) {
        const RankList& mates = levels_.mates();
        const Bytes row = bytes(mates.size());
        const std::size_t rows = ranks(node).size();
        const Place in = plan_.scratch(row * static_cast<Bytes>(rows));
        plan_.recv(dealer(node, levels_.node), in);
        for (std::size_t i = 0; i < mates.size(); ++i) {
            Blocks column;
            for (std::size_t k = 0; k < rows; ++k)
                column.push_back(
                    in.part(row * static_cast<Bytes>(k) + block_ * static_cast<Bytes>(i), block_));
            if (mates[i] == levels_.rank) {
                plan_.copy(moves(column, places_of(ranks(node), problem_.recv)));
                continue;
            }
            const Place whole = joined(plan_, column);
            pack(plan_, column, whole);
            plan_.send(mates[i], whole);
        }
    }

    void receive(int node) {
        const int dealing = dealer(levels_.node, node);
        if (dealing == levels_.rank) return;
        const Blocks blocks = places_of(ranks(node), problem_.recv);
        const Place whole = joined(plan_, blocks);
        plan_.recv(dealing, whole);
        unpack(plan_, whole, blocks);
    }

    const Problem& problem_;
    Builder& plan_;
    Levels levels_;
    Bytes block_;
};

void build(const Problem& problem, Builder& plan) { Exchange(problem, plan).build(); }

} // namespace

extern const Solver solver{"alltoall_two_level", Kind::alltoall, applicable, cost, build};

} // namespace mpix::plan::alltoall_two_level
