// SPDX-License-Identifier: BSD-3-Clause
// All ranks have one function, one datatype and counts that agree; only the buffers differ.
#include "reductions.hpp"

#include "sides.hpp"

#include <algorithm>

namespace fuzz {
namespace {

void pick_function(Random& random, Types& types, Operation& operation) {
    if (random.chance(45)) {
        operation.function = random.pick({Function::user_sum, Function::user_affine});
        operation.says_commutative = commutes(operation.function) && random.chance(70);
        const Base base = random.pick({Base::integer, Base::real, Base::long_int});
        Signature signature(at(random.chance(40) ? 1 : random.between(2, 6)), base);
        if (random.chance(30)) signature[0] = Base::integer;
        operation.element = types.make(random, signature, static_cast<int>(random.between(0, 2)));
        return;
    }
    Base base = Base::integer;
    do {
        operation.function = static_cast<Function>(random.below(12));
        base = random.chance(30) ? random.pick({Base::integer, Base::real, Base::long_int})
                                 : static_cast<Base>(random.below(17));
    } while (!defined_on(operation.function, base));
    operation.element = Types::named(base);
}

// Counts of a reduce_scatter over the ranks of a group, with a given sum.
std::vector<long> split(Random& random, long total, long parts, bool evenly) {
    std::vector<long> counts(at(parts), total / parts);
    if (evenly) return counts;
    long left = total;
    for (std::size_t i = 0; i + 1 < counts.size(); i++)
        left -= counts[i] =
            random.chance(15) ? 0 : random.between(0, 2 * left / parts + 1) % (left + 1);
    counts.back() = left;
    return counts;
}

class Reducing {
  public:
    Reducing(Random& random, Types& types, const Communicator& comm, Operation& operation)
        : random_(random), comm_(comm), operation_(operation),
          maker_(random, types, operation.element),
          in_place_(!comm.is_inter() && random.chance(30)) {}

    void give() {
        const long group = comm_.first_group, other = comm_.size() - group;
        count_ = pick_units(random_, maker_.unit_size(), comm_.size());
        count_ -= count_ % operation_.granularity;
        if (operation_.kind == Kind::reduce_scatter_block) count_ *= group * std::max(other, 1L);
        const bool evenly = operation_.kind == Kind::reduce_scatter_block;
        counts_[0] = split(random_, count_, group, evenly);
        if (comm_.is_inter()) counts_[1] = split(random_, count_, other, evenly);
        for (int member = 0; member < comm_.size(); member++) give_to(member);
    }

  private:
    void give_to(int member) {
        Arguments& arguments = operation_.arguments[at(member)];
        const std::vector<long>& counts = counts_[comm_.group_of(member)];
        const bool scatters = facts(operation_.kind).send != Shape::single;
        const long received = scatters ? counts[at(comm_.rank_of(member))] : count_;
        if (sends(member))
            arguments.send = maker_.make(facts(operation_.kind).send,
                                         scatters ? counts : std::vector<long>{count_}, false);
        else
            arguments.send.use = Use::ignored; // one group of two
        if (receives(member))
            arguments.recv = maker_.make(Shape::single, {received}, true);
        else
            arguments.recv.use = !comm_.is_inter() && random_.chance(25) ? Use::junk : Use::ignored;
        if (in_place_ && receives(member)) arguments.send.use = Use::in_place;
        // A reduction has one count and one datatype, and they matter where only one side does.
        for (Side* side : {&arguments.send, &arguments.recv}) {
            if (side->use != Use::ignored && side->use != Use::junk) continue;
            side->type = operation_.element;
            side->count = count_;
        }
        arguments.recv.counts = counts;
    }

    bool sends(int member) const {
        return !comm_.is_inter() || operation_.kind != Kind::reduce ||
               comm_.group_of(member) != comm_.group_of(operation_.root);
    }
    bool receives(int member) const {
        return operation_.kind != Kind::reduce || member == operation_.root;
    }

    Random& random_;
    const Communicator& comm_;
    Operation& operation_;
    SideMaker maker_;
    bool in_place_;
    long count_ = 0;
    std::vector<long> counts_[2];
};

} // namespace

void give_reduction(Random& random, Types& types, const Communicator& comm, Operation& operation) {
    pick_function(random, types, operation);
    Reducing(random, types, comm, operation).give();
}

} // namespace fuzz
