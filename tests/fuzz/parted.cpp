// SPDX-License-Identifier: BSD-3-Clause
// What has arrived stays so, and holds its data from then on.
#include "parted.hpp"

#include <numeric>
#include <thread>

namespace fuzz {
namespace {

bool is_one_segment(const std::vector<Partition>& side) {
    return side.front().segment == side.back().segment;
}

bool is_range(const std::vector<int>& numbers) {
    for (std::size_t i = 1; i < numbers.size(); i++)
        if (numbers[i] != numbers[i - 1] + 1) return false;
    return true;
}

void call_mark(const std::vector<Partition>& side, const std::vector<int>& numbers,
               MPI_Request& request, Random& random) {
    const auto count = static_cast<int>(numbers.size());
    const bool one_by_one = random.chance(count == 1 ? 70 : 20);
    if (is_range(numbers) && !one_by_one && random.chance(70)) {
        MUST(MPI_Pready_range(numbers.front(), numbers.back(), request));
    } else if (!one_by_one) {
        std::vector<int> list = numbers; // some hosts' mpi.h forget the const
        MUST(MPI_Pready_list(count, list.data(), request));
    } else if (random.chance(50)) {
        for (const int number : numbers) MUST(MPI_Pready(number, request));
    } else {
        for (const int number : numbers) {
            const Partition& partition = side[at(number)];
            const int dest = is_one_segment(side) ? MPIX_ALL_DESTS : partition.segment;
            MUST(MPIX_Pready_extended(partition.index, dest, &request));
        }
    }
}

// Whether a partition has arrived.
bool call_ask(const std::vector<Partition>& side, int number, MPI_Request& request,
              Random& random) {
    int flag = -1, place = -1;
    switch (random.below(4)) {
    case 0: {
        const Partition& partition = side[at(number)];
        const int source = is_one_segment(side) ? MPIX_ALL_SOURCES : partition.segment;
        MUST(MPIX_Parrived_extended(&request, partition.index, source, &flag));
        return flag != 0;
    }
    case 1: MUST(MPIX_Parrived_any(request, 1, &number, &place, &flag)); return flag != 0;
    case 2: MUST(MPIX_Parrived_some(request, 1, &number, &flag, &place)); return flag != 0;
    default: MUST(MPI_Parrived(request, number, &flag)); return flag != 0;
    }
}

} // namespace

Parted::Parted(const Program& program, int number, int member)
    : marked_(marked_by(program, program.operations[at(number)], member)),
      asked_(asked_by(program, program.operations[at(number)], member)), seen_(asked_.size()) {}

void Parted::begin(const Oracle& oracle, int member, int round, Memory& send) {
    seen_.assign(seen_.size(), false);
    sent_ = oracle.before(member, round, Which::send);
    const Memory other = oracle.before(member, -1, Which::send);
    for (const Partition& partition : marked_)
        if (!partition.in_recv) oracle.copy(partition.block, other, send);
}

void Parted::mark(const Oracle& oracle, const std::vector<int>& numbers, Memory& send,
                  MPI_Request& request, Random random) {
    const auto mark = [&] {
        for (const int number : numbers)
            if (!marked_[at(number)].in_recv) oracle.copy(marked_[at(number)].block, sent_, send);
        call_mark(marked_, numbers, request, random);
    };
    if (random.chance(10))
        std::thread(mark).join();
    else
        mark();
}

std::string Parted::ask(const Oracle& oracle, const Memory& expected, const Memory& recv,
                        MPI_Request& request, Random random) {
    const auto number = static_cast<int>(random.below(static_cast<long>(asked_.size())));
    const Partition& partition = asked_[at(number)];
    const std::string name = "partition " + std::to_string(number);
    if (!call_ask(asked_, number, request, random))
        return seen_[at(number)] ? name + " had arrived, and has not" : "";
    seen_[at(number)] = true;
    if (!partition.in_recv || oracle.agree(partition.block, expected, recv)) return "";
    return name + " has arrived, and holds other data";
}

} // namespace fuzz
