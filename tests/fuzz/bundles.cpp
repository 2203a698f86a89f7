// SPDX-License-Identifier: BSD-3-Clause
// A bundle lives for one round; its members stay.
#include "bundles.hpp"

#include "report.hpp"

#include <numeric>
#include <sched.h>

namespace fuzz {

void Bundle::start(const std::vector<Slot*>& slots, Random random) {
    std::vector<std::size_t> order(slots.size()), place(slots.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    random.shuffle(order);
    std::vector<MPI_Request> requests;
    for (const std::size_t slot : order) {
        place[slot] = requests.size();
        requests.push_back(slots[slot]->request);
    }
    const auto count = static_cast<int>(requests.size());
    MUST(MPIX_Bundle_init(count, requests.data(), MPI_INFO_NULL, &request_));
    for (std::size_t later = 0; later < slots.size(); later++)
        for (std::size_t earlier = 0; earlier < later; earlier++)
            if (slots[later]->operation != slots[earlier]->operation && random.chance(20))
                MUST(MPIX_Bundle_after(request_, static_cast<int>(place[later]),
                                       static_cast<int>(place[earlier])));
    MUST(MPI_Start(&request_));
}

void Bundle::complete(Random random) {
    MPI_Status status = spoiled();
    int flag = 0, index = -1;
    switch (random.below(4)) {
    case 0: MUST(MPI_Wait(&request_, &status)); break;
    case 1: MUST(MPI_Waitany(1, &request_, &index, &status)); break;
    case 2: MUST(MPI_Waitsome(1, &request_, &flag, &index, &status)); break;
    default:
        for (; flag == 0; sched_yield()) MUST(MPI_Test(&request_, &flag, &status));
        break;
    }
    check_empty(status);
    MUST(MPI_Request_free(&request_));
}

} // namespace fuzz
