// SPDX-License-Identifier: BSD-3-Clause
// A bundle lives for one round; its members stay.
#include "bundles.hpp"

#include "report.hpp"

#include <algorithm>
#include <numeric>
#include <sched.h>

namespace fuzz {

// ---- A request of functions ----

MPI_Request Bundle::make_generalized(Random& random) {
    generalized_ = {};
    generalized_.polls = static_cast<int>(random.between(0, 20));
    const auto start = [](void* of) {
        static_cast<Generalized*>(of)->started++;
        return MPI_SUCCESS;
    };
    const auto poll = [](void* of, int* flag) {
        *flag = static_cast<Generalized*>(of)->polls-- <= 0;
        return MPI_SUCCESS;
    };
    const auto query = [](void* of, MPI_Status*) {
        static_cast<Generalized*>(of)->queried++;
        return MPI_SUCCESS;
    };
    const auto free = [](void* of) {
        static_cast<Generalized*>(of)->freed++;
        return MPI_SUCCESS;
    };
    MUST(MPIX_Pgrequest_init(start, poll, query, free, nullptr, &generalized_,
                             &generalized_.request));
    return generalized_.request;
}

// ---- Bundles ----

namespace {

bool have_common(const std::vector<int>& some, const std::vector<int>& others) {
    return std::ranges::find_first_of(some, others) != some.end();
}

} // namespace

MPI_Request Bundle::make(const std::vector<Unit>& units, Random& random) {
    std::vector<std::size_t> order(units.size()), place(units.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    random.shuffle(order);
    std::vector<MPI_Request> requests;
    for (const std::size_t unit : order) {
        place[unit] = requests.size();
        requests.push_back(units[unit].request);
    }
    MPI_Request made = MPI_REQUEST_NULL;
    MUST(
        MPIX_Bundle_init(static_cast<int>(requests.size()), requests.data(), MPI_INFO_NULL, &made));
    for (std::size_t later = 0; later < units.size(); later++)
        for (std::size_t earlier = 0; earlier < later; earlier++)
            if (!have_common(units[later].operations, units[earlier].operations) &&
                random.chance(20))
                MUST(MPIX_Bundle_after(made, static_cast<int>(place[later]),
                                       static_cast<int>(place[earlier])));
    return made;
}

void Bundle::start(const std::vector<Slot*>& slots, Random random) {
    std::vector<Unit> units;
    for (const Slot* slot : slots) units.push_back({slot->request, {slot->operation}});
    // What has no operations does not come between the two ends of one, which wait for each other.
    const auto insert = [&](long place, Unit unit) {
        auto at = units.begin() + place;
        while (unit.operations.empty() && at != units.begin() && at != units.end() &&
               have_common(std::prev(at)->operations, at->operations))
            ++at;
        units.insert(at, std::move(unit));
    };
    const auto count = [&] { return static_cast<long>(units.size()); };
    if (random.chance(25)) insert(random.between(0, count()), {make_generalized(random), {}});
    if (random.chance(30)) {
        const long begin = random.between(0, count()), end = random.between(begin, count());
        const auto first = units.begin() + begin, last = units.begin() + end;
        Unit inner{make({first, last}, random), {}};
        for (auto it = first; it != last; ++it)
            inner.operations.insert(inner.operations.end(), it->operations.begin(),
                                    it->operations.end());
        requests_ = {inner.request};
        units.erase(first, last);
        insert(begin, std::move(inner));
    }
    requests_.insert(requests_.begin(), make(units, random));
    if (generalized_.request != MPI_REQUEST_NULL) requests_.push_back(generalized_.request);
    MUST(MPI_Start(requests_.data()));
}

void Bundle::complete(Random random) {
    MPI_Request* const request = requests_.data();
    MPI_Status status = spoiled();
    int flag = 0, index = -1;
    switch (random.below(4)) {
    case 0: MUST(MPI_Wait(request, &status)); break;
    case 1: MUST(MPI_Waitany(1, request, &index, &status)); break;
    case 2: MUST(MPI_Waitsome(1, request, &flag, &index, &status)); break;
    default:
        for (; flag == 0; sched_yield()) MUST(MPI_Test(request, &flag, &status));
        break;
    }
    check_empty(status);
    for (MPI_Request& of : requests_) MUST(MPI_Request_free(&of));
    requests_.clear();
    if (generalized_.request == MPI_REQUEST_NULL) return;
    if (generalized_.started != 1 || generalized_.polls != -1 || generalized_.queried != 1 ||
        generalized_.freed != 1)
        fail("functions of a generalized request were not called as they should");
    generalized_ = {};
}

} // namespace fuzz
