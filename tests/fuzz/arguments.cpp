// SPDX-License-Identifier: BSD-3-Clause
// Who sends how much to whom, and then the sides of every rank.
#include "arguments.hpp"

#include "messages.hpp"
#include "reductions.hpp"
#include "sides.hpp"

namespace fuzz {
namespace {

using Matrix = std::vector<std::vector<long>>; // units from a member to another

// The sides of the operations that only move data between members.
class Movement {
  public:
    Movement(Random& random, Types& types, const Communicator& comm, Operation& operation)
        : random_(random), comm_(comm), operation_(operation), shape_(facts(operation.kind)),
          maker_(random, types, pick_signature(random), random.chance(35)),
          in_place_(shape_.in_place != InPlace::nowhere && !comm.is_inter() && random.chance(30)) {}

    void give() {
        draw_units();
        for (int member = 0; member < comm_.size(); member++) {
            Arguments& arguments = operation_.arguments[at(member)];
            arguments.send = side(member, true);
            arguments.recv = side(member, false);
            if (in_place_) put_in_place(member, arguments);
        }
    }

  private:
    Side side(int member, bool sends) {
        if (!takes_part(member, sends)) {
            Side side;
            side.use = !comm_.is_inter() && random_.chance(25) ? Use::junk : Use::ignored;
            return side;
        }
        const Shape shape = sends ? shape_.send : shape_.recv;
        return maker_.make(shape, blocks(member, shape, sends), !sends);
    }

    bool takes_part(int member, bool sends) const {
        if (!shape_.rooted) return true;
        const bool is_root = member == operation_.root;
        if (shape_.root_receives() != sends) return is_root;
        const bool faces =
            !comm_.is_inter() || comm_.group_of(member) != comm_.group_of(operation_.root);
        return faces && !(operation_.kind == Kind::bcast && is_root);
    }

    std::vector<long> blocks(int member, Shape shape, bool sends) const {
        const std::vector<int> peers = comm_.peers_of(member);
        const auto units = [&](int peer) {
            return sends ? units_[at(member)][at(peer)] : units_[at(peer)][at(member)];
        };
        if (shape == Shape::single)
            return {units(shape_.rooted && member != operation_.root ? operation_.root : peers[0])};
        std::vector<long> all;
        for (const int peer : peers) all.push_back(units(peer));
        return all;
    }

    void draw_units() {
        const auto size = at(comm_.size());
        units_.assign(size, std::vector<long>(size));
        long regular[2];
        for (long& units : regular) units = pick_units(random_, maker_.unit_size(), comm_.size());
        if (shape_.rooted) regular[1] = regular[0];
        const bool of_sender = shape_.send == Shape::single;
        std::vector<long> own(size);
        for (long& units : own) units = irregular(regular[0]);
        for (std::size_t i = 0; i < size; i++)
            for (std::size_t j = 0; j < size; j++) {
                long& units = units_[i][j];
                if (!shape_.irregular)
                    units = regular[comm_.group_of(static_cast<int>(i))];
                else if (shape_.recv == Shape::single || of_sender)
                    units = own[of_sender ? i : j];
                else
                    units = in_place_ && j < i ? units_[j][i] : irregular(regular[0]);
                units -= units % operation_.granularity;
            }
    }

    long irregular(long units) {
        return random_.chance(15) ? 0 : units / 2 + random_.between(0, units / 2 + 2);
    }

    void put_in_place(int member, Arguments& arguments) {
        if (shape_.rooted && member != operation_.root) return;
        Side& side = shape_.in_place == InPlace::recv ? arguments.recv : arguments.send;
        side.use = Use::in_place;
        side.spoiled = random_.chance(40);
    }

    Random& random_;
    const Communicator& comm_;
    Operation& operation_;
    const KindFacts& shape_;
    SideMaker maker_;
    bool in_place_;
    Matrix units_;
};

// Units travel along edges: block k of a sender is for its k-th destination.
void give_neighborhood(Random& random, Types& types, const Communicator& comm,
                       Operation& operation) {
    const KindFacts& shape = facts(operation.kind);
    SideMaker maker(random, types, pick_signature(random), random.chance(35));
    const long regular = pick_units(random, maker.unit_size(), 6);
    const auto draw = [&] {
        const bool is_empty = shape.irregular && random.chance(15);
        long units = is_empty ? 0 : regular;
        if (shape.irregular && !is_empty) units = regular / 2 + random.between(0, regular / 2 + 2);
        return units - units % operation.granularity;
    };
    Matrix units(at(comm.size()));
    for (int member = 0; member < comm.size(); member++) {
        const std::size_t outgoing = comm.destinations[at(member)].size();
        units[at(member)].resize(shape.send == Shape::single ? 1 : outgoing);
        for (long& block : units[at(member)]) block = draw();
        operation.arguments[at(member)].send = maker.make(shape.send, units[at(member)], false);
    }
    for (int member = 0; member < comm.size(); member++) {
        std::vector<long> incoming;
        for (const Edge& edge : comm.edges[at(member)]) {
            const long block = shape.send == Shape::single ? 0 : edge.block;
            incoming.push_back(edge.peer < 0 ? draw() : units[at(edge.peer)][at(block)]);
        }
        operation.arguments[at(member)].recv = maker.make(shape.recv, incoming, true);
    }
}

} // namespace

void give_arguments(Random& random, Types& types, const Communicator& comm, Operation& operation) {
    operation.arguments.assign(at(comm.size()), {});
    if (operation.kind == Kind::message) return give_message(random, types, operation);
    if (facts(operation.kind).neighbors) return give_neighborhood(random, types, comm, operation);
    if (!facts(operation.kind).reduces) return Movement(random, types, comm, operation).give();
    give_reduction(random, types, comm, operation);
}

} // namespace fuzz
