// SPDX-License-Identifier: BSD-3-Clause
// Requests for the single partitions of an operation, and how they are completed.
#pragma once

#include <chrono>

#include "common/ways.hpp"
#include "partitioned/pairs.hpp"
#include "partitioned/partitioned_marks.hpp"

namespace mpitest {

// A request for each partition, or for those of a list.
class PartRequests {
  public:
    PartRequests(MPI_Request operation, int partitions) {
        for (int part = 0; part < partitions; part++) add(operation, part);
    }
    PartRequests(const PartRequests&) = delete;
    PartRequests& operator=(const PartRequests&) = delete;
    ~PartRequests() {
        for (MPI_Request& request : requests) free_request(request);
    }
    void add(MPI_Request operation, int part) {
        requests.push_back(MPI_REQUEST_NULL);
        CHECK_MPI(MPIX_Partition_request(operation, part, &requests.back()));
        CHECK(requests.back() != MPI_REQUEST_NULL);
        CHECK(requests.back() != operation);
    }
    int size() const { return static_cast<int>(requests.size()); }

    Requests requests;
};

inline int size_of_receives(const PartedOperation& operation) {
    return static_cast<int>(operation.receives().size());
}

// From each rank to the next, in messages of one partition each.
struct OnePair : RingPair {
    explicit OnePair(int parts = 6, int ints = 4)
        : RingPair({parts, ints}, {parts, ints}, Info{"mpix_min_message_bytes", "1"}) {}
};

// Whether it has completed; who has not stays active.
inline bool test(MPI_Request& request) {
    int flag = -1, peek = -1;
    MPI_Status status = spoiled_status();
    const MPI_Request before = request;
    CHECK_MPI(MPI_Request_get_status(request, &peek, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Test(&request, &flag, &status));
    CHECK(request == before);
    if (peek == 1) CHECK(flag == 1);
    if (flag == 1) CHECK(is_empty(status));
    return flag == 1;
}

inline bool completes(MPI_Request& request) {
    const auto begin = std::chrono::steady_clock::now();
    while (!test(request)) {
        pause_briefly();
        if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(20)) return false;
    }
    return true;
}

inline void wait_empty(MPI_Request& request) {
    MPI_Status status = spoiled_status();
    CHECK_MPI(MPI_Wait(&request, &status));
    CHECK(is_empty(status));
}

// Waitany until nothing is active: the partitions, in the order in which they came.
template<class See>
void take_each(Requests& requests, See see) {
    std::vector<int> seen(requests.size());
    while (true) {
        int index = -5;
        MPI_Status status = spoiled_status();
        CHECK_MPI(MPI_Waitany(static_cast<int>(requests.size()), requests.data(), &index, &status));
        CHECK(is_empty(status));
        if (index < 0) {
            CHECK(index == MPI_UNDEFINED);
            break;
        }
        CHECK(seen[static_cast<std::size_t>(index)]++ == 0);
        see(index);
    }
    CHECK(std::count(seen.begin(), seen.end(), 1) == static_cast<std::ptrdiff_t>(seen.size()));
}

} // namespace mpitest
