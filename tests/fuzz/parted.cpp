// SPDX-License-Identifier: BSD-3-Clause
// What has arrived stays so, and holds its data from then on.
#include "parted.hpp"

#include "completion.hpp"

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

MPI_Info make_joining_info(Random random) {
    MPI_Info info = MPI_INFO_NULL;
    if (random.chance(40)) return info;
    MUST(MPI_Info_create(&info));
    const auto set = [&](const char* key, std::initializer_list<const char*> values) {
        if (random.chance(70)) MUST(MPI_Info_set(info, key, random.pick(values)));
    };
    set("mpix_min_message_bytes", {"1", "40", "1000", "100000000"});
    set("mpix_max_messages", {"1", "2", "7", "1000"});
    return info;
}

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

std::string Parted::see(int number, bool has_arrived, const Oracle& oracle, const Memory& expected,
                        const Memory& recv) {
    const Partition& partition = asked_[at(number)];
    const std::string name = "partition " + std::to_string(number);
    if (!has_arrived) return seen_[at(number)] ? name + " had arrived, and has not" : "";
    seen_[at(number)] = true;
    if (!partition.in_recv || oracle.agree(partition.block, expected, recv)) return "";
    return name + " has arrived, and holds other data";
}

std::string Parted::ask(const Oracle& oracle, const Memory& expected, const Memory& recv,
                        MPI_Request& request, Random random) {
    if (random.chance(10)) keep(request, random);
    if (!kept_.requests.empty() && random.chance(40))
        return ask_kept(oracle, expected, recv, random);
    const auto number = static_cast<int>(random.below(static_cast<long>(asked_.size())));
    return see(number, call_ask(asked_, number, request, random), oracle, expected, recv);
}

// ---- Requests for a partition ----

void Parted::keep(MPI_Request request, Random random) {
    constexpr std::size_t most = 5;
    if (asked_.empty() || kept_.requests.size() == most) return;
    const auto number = static_cast<int>(random.below(static_cast<long>(asked_.size())));
    MPI_Request made = MPI_REQUEST_NULL;
    MUST(MPIX_Partition_request(request, number, &made));
    kept_.numbers.push_back(number);
    kept_.requests.push_back(made);
}

std::string Parted::ask_kept(const Oracle& oracle, const Memory& expected, const Memory& recv,
                             Random& random) {
    std::vector<MPI_Request>& requests = kept_.requests;
    const auto count = static_cast<int>(requests.size());
    int found = 0, place = static_cast<int>(random.below(count));
    std::vector<int> places(requests.size());
    std::vector<MPI_Status> statuses(requests.size(), spoiled());
    switch (random.below(4)) {
    case 0:
        MUST(MPI_Testsome(count, requests.data(), &found, places.data(), statuses.data()));
        break;
    case 1:
        MUST(MPI_Testany(count, requests.data(), places.data(), &found, statuses.data()));
        if (places[0] == MPI_UNDEFINED) found = 0; // there was none that could arrive any more
        break;
    case 2: // for good
        MUST(MPI_Request_free(&requests[at(place)]));
        requests.erase(requests.begin() + place);
        kept_.numbers.erase(kept_.numbers.begin() + place);
        return "";
    default: { // what was completed before stays so
        MUST(MPI_Test(&requests[at(place)], &found, statuses.data()));
        if (found) check_empty(statuses[0]);
        return see(kept_.numbers[at(place)], found != 0, oracle, expected, recv);
    }
    }
    if (found == MPI_UNDEFINED) found = 0;
    for (int i = 0; i < found; i++) {
        check_empty(statuses[at(i)]);
        const std::string wrong =
            see(kept_.numbers[at(places[at(i)])], true, oracle, expected, recv);
        if (!wrong.empty()) return wrong;
    }
    return "";
}

void Parted::complete_kept(Random random) {
    const auto count = static_cast<int>(kept_.requests.size());
    switch (random.below(3)) {
    case 0: break;
    case 1: MUST(MPI_Waitall(count, kept_.requests.data(), MPI_STATUSES_IGNORE)); break;
    default:
        for (MPI_Request& request : kept_.requests) {
            int flag = 0;
            MUST(MPI_Test(&request, &flag, MPI_STATUS_IGNORE));
            if (!flag) fail("the request for a partition of a complete operation is not complete");
        }
        break;
    }
}

void Parted::free_kept() {
    for (MPI_Request& request : kept_.requests) MUST(MPI_Request_free(&request));
    kept_ = {};
}

} // namespace fuzz
