// SPDX-License-Identifier: BSD-3-Clause
// Partitions divide the elements of a block evenly. Only reductions want the same ones on several
// ranks.
#include "partitions.hpp"

#include <algorithm>
#include <numeric>

namespace fuzz {
namespace {

constexpr int most_parts = 24;

int pick_parts(Random& random, long elements) {
    if (elements == 0) return static_cast<int>(random.between(1, 3));
    std::vector<int> divisors;
    for (int parts = 1; parts <= most_parts; parts++)
        if (elements % parts == 0) divisors.push_back(parts);
    return random.pick(divisors);
}

std::vector<int> pick_each(Random& random, Shape shape, const std::vector<Block>& blocks) {
    const bool has_arrays = shape != Shape::single && shape != Shape::tiled;
    std::vector<int> parts;
    for (const Block& block : blocks)
        parts.push_back(has_arrays || parts.empty() ? pick_parts(random, block.count) : parts[0]);
    return parts;
}

// In a reduce the root may have other partitions than all others.
void divide_reduction(Random& random, const Communicator& comm, Operation& operation) {
    const Shape shape = facts(operation.kind).send;
    const std::vector<Block>& blocks = operation.arguments[0].send.blocks;
    const std::vector<int> everywhere = pick_each(random, shape, blocks);
    const std::vector<int> at_root = pick_each(random, shape, blocks);
    for (int member = 0; member < comm.size(); member++) {
        Arguments& arguments = operation.arguments[at(member)];
        arguments.send.parts = member == operation.root ? at_root : everywhere;
        const std::size_t own = shape == Shape::single ? 0 : at(member);
        arguments.recv.parts = {arguments.send.parts[own]};
    }
}

void add(std::vector<Partition>& list, const Side& side, std::size_t segment, bool in_recv) {
    const int parts = side.parts[segment];
    Block block = side.blocks[segment];
    block.count /= parts;
    for (int index = 0; index < parts; index++)
        list.push_back({static_cast<int>(segment), index, in_recv, block});
}
void add_all(std::vector<Partition>& list, const Side& side, bool in_recv) {
    for (std::size_t s = 0; s < side.blocks.size(); s++) add(list, side, s, in_recv);
}

// Each partition begins where the one before it ends.
std::vector<Partition> placed(std::vector<Partition> list, const Types& types) {
    for (Partition& partition : list)
        partition.block.place +=
            partition.index * partition.block.count * types[partition.block.type].layout.extent();
    return list;
}

} // namespace

void divide(Random& random, const Communicator& comm, Operation& operation) {
    const KindFacts& kind = facts(operation.kind);
    if (kind.reduces) return divide_reduction(random, comm, operation);
    for (Arguments& arguments : operation.arguments) {
        arguments.send.parts = pick_each(random, kind.send, arguments.send.blocks);
        arguments.recv.parts = pick_each(random, kind.recv, arguments.recv.blocks);
    }
}

std::vector<Partition> marked_by(const Program& program, const Operation& operation, int member) {
    const KindFacts& kind = facts(operation.kind);
    const auto& [send, recv] = operation.arguments[at(member)];
    std::vector<Partition> list;
    const bool in_place = send.use == Use::in_place;
    if (send.use == Use::given || (in_place && kind.reduces))
        add_all(list, send, in_place);
    else if (in_place && kind.send == Shape::single) // its own segment
        add(list, recv, at(member), true);
    else if (in_place)
        add_all(list, recv, true);
    return placed(std::move(list), program.types);
}

std::vector<Partition> asked_by(const Program& program, const Operation& operation, int member) {
    const auto& [send, recv] = operation.arguments[at(member)];
    std::vector<Partition> list;
    if (recv.use == Use::given) add_all(list, recv, true);
    if (recv.use == Use::in_place) add(list, send, at(member), false);
    return placed(std::move(list), program.types);
}

std::vector<std::vector<int>> marks_of(const Program& program, int operation, int item,
                                       int member) {
    const auto count = marked_by(program, program.operations[at(operation)], member).size();
    Random random(hash(program.seed, item, operation, member));
    std::vector<int> order(count);
    std::iota(order.begin(), order.end(), 0);
    if (random.chance(30)) std::reverse(order.begin(), order.end());
    if (random.chance(40)) random.shuffle(order);
    const long most = random.pick({1L, 4L, static_cast<long>(count)});
    std::vector<std::vector<int>> calls;
    for (std::size_t next = 0; next < count;) {
        const auto size = std::min(at(random.between(1, most)), count - next);
        const auto begin = order.begin() + static_cast<std::ptrdiff_t>(next);
        calls.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(size));
        next += size;
    }
    return calls;
}

} // namespace fuzz
