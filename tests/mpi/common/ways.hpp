// SPDX-License-Identifier: BSD-3-Clause
// Every way to complete an array of requests, as one table, and what each said of each request.
#pragma once

#include <algorithm>

#include "common/completion.hpp"

namespace mpitest {

using Requests = std::vector<MPI_Request>;

// What completing an array of requests said of each; the code of one that was not active may stay
// MPI_ERR_PENDING.
struct Outcome {
    explicit Outcome(std::size_t size) : statuses(size, spoiled_status()), codes(size) {
        codes.assign(size, MPI_ERR_PENDING);
    }
    void note(int index, int code, const MPI_Status& status) {
        const auto i = static_cast<std::size_t>(index);
        CHECK(i < codes.size());
        if (i >= codes.size()) return;
        CHECK(codes[i] == MPI_ERR_PENDING); // told once
        codes[i] = code;
        statuses[i] = status;
    }
    // The same for an array of statuses; `indices` is null for all.
    void note(int count, const int* indices, int code, const std::vector<MPI_Status>& seen) {
        for (int i = 0; i < count; i++) {
            const MPI_Status& status = seen[static_cast<std::size_t>(i)];
            const int index = indices == nullptr ? i : indices[i];
            const int own = code == MPI_SUCCESS ? code : status.MPI_ERROR;
            if (indices != nullptr || is_pending(index)) note(index, own, status);
        }
    }
    bool is_pending(int index) const {
        return codes[static_cast<std::size_t>(index)] == MPI_ERR_PENDING;
    }
    bool has_pending() const {
        return std::find(codes.begin(), codes.end(), MPI_ERR_PENDING) != codes.end();
    }

    std::vector<MPI_Status> statuses;
    std::vector<int> codes;
};

// One call, repeated until nothing in the array is active.
struct Completion {
    const char* name;
    void (*complete)(Requests&, Outcome&);
};

template<class IsDone>
void complete_singly(Requests& requests, Outcome& outcome, IsDone is_done) {
    for (std::size_t i = 0; i < requests.size(); i++) {
        MPI_Status status = spoiled_status();
        int code = MPI_SUCCESS;
        while (!is_done(requests[i], code, status) && code == MPI_SUCCESS) pause_briefly();
        outcome.note(static_cast<int>(i), code, status);
    }
}

template<class IsDone>
void complete_all(Requests& requests, Outcome& outcome, IsDone is_done) {
    const int count = static_cast<int>(requests.size());
    while (outcome.has_pending()) {
        std::vector<MPI_Status> seen(requests.size(), spoiled_status());
        int code = MPI_SUCCESS;
        const bool done = is_done(count, requests.data(), code, seen.data());
        if (done || code != MPI_SUCCESS) outcome.note(count, nullptr, code, seen);
        pause_briefly();
    }
}

template<class Any>
void complete_any(Requests& requests, Outcome& outcome, Any any) {
    const int count = static_cast<int>(requests.size());
    for (bool active = true; active;) {
        MPI_Status status = spoiled_status();
        int index = -5, flag = 1;
        const int code = any(count, requests.data(), index, flag, status);
        if (index != MPI_UNDEFINED) outcome.note(index, code, status);
        active = index != MPI_UNDEFINED || flag == 0;
        pause_briefly();
    }
}

template<class Some>
void complete_some(Requests& requests, Outcome& outcome, Some some) {
    std::vector<int> indices(requests.size());
    for (int count = 0; count != MPI_UNDEFINED;) {
        std::vector<MPI_Status> seen(requests.size(), spoiled_status());
        const int code = some(static_cast<int>(requests.size()), requests.data(), count,
                              indices.data(), seen.data());
        if (count != MPI_UNDEFINED) outcome.note(count, indices.data(), code, seen);
        pause_briefly();
    }
}

inline const Completion completions[] = {
    {"Wait",
     [](Requests& requests, Outcome& outcome) {
         complete_singly(requests, outcome,
                         [](MPI_Request& request, int& code, MPI_Status& status) {
                             code = MPI_Wait(&request, &status);
                             return true;
                         });
     }},
    {"Test",
     [](Requests& requests, Outcome& outcome) {
         complete_singly(requests, outcome,
                         [](MPI_Request& request, int& code, MPI_Status& status) {
                             int flag = 0;
                             code = MPI_Test(&request, &flag, &status);
                             return flag != 0;
                         });
     }},
    {"Request_get_status and Wait",
     [](Requests& requests, Outcome& outcome) {
         complete_singly(requests, outcome,
                         [](MPI_Request& request, int& code, MPI_Status& status) {
                             int flag = 0;
                             const int peek = MPI_Request_get_status(request, &flag, &status);
                             flag = flag != 0 || peek != MPI_SUCCESS;
                             if (flag != 0) code = MPI_Wait(&request, &status);
                             return flag != 0;
                         });
     }},
    {"Waitall",
     [](Requests& requests, Outcome& outcome) {
         complete_all(requests, outcome, [](int n, MPI_Request* all, int& code, MPI_Status* seen) {
             code = MPI_Waitall(n, all, seen);
             return true;
         });
     }},
    {"Testall",
     [](Requests& requests, Outcome& outcome) {
         complete_all(requests, outcome, [](int n, MPI_Request* all, int& code, MPI_Status* seen) {
             int flag = 0;
             code = MPI_Testall(n, all, &flag, seen);
             return flag != 0;
         });
     }},
    {"Waitany",
     [](Requests& requests, Outcome& outcome) {
         complete_any(requests, outcome,
                      [](int n, MPI_Request* all, int& index, int&, MPI_Status& status) {
                          return MPI_Waitany(n, all, &index, &status);
                      });
     }},
    {"Testany",
     [](Requests& requests, Outcome& outcome) {
         complete_any(requests, outcome,
                      [](int n, MPI_Request* all, int& index, int& flag, MPI_Status& status) {
                          return MPI_Testany(n, all, &index, &flag, &status);
                      });
     }},
    {"Waitsome",
     [](Requests& requests, Outcome& outcome) {
         complete_some(requests, outcome,
                       [](int n, MPI_Request* all, int& count, int* indices, MPI_Status* seen) {
                           return MPI_Waitsome(n, all, &count, indices, seen);
                       });
     }},
    {"Testsome",
     [](Requests& requests, Outcome& outcome) {
         complete_some(requests, outcome,
                       [](int n, MPI_Request* all, int& count, int* indices, MPI_Status* seen) {
                           return MPI_Testsome(n, all, &count, indices, seen);
                       });
     }},
};

inline Outcome complete(const Completion& way, Requests& requests) {
    Outcome outcome(requests.size());
    way.complete(requests, outcome);
    return outcome;
}

inline void check_received(const Outcome& outcome, std::size_t slot, int source, int tag) {
    INFO("slot " << slot);
    int count = -1;
    MPI_Get_count(&outcome.statuses[slot], MPI_INT, &count);
    CHECK(outcome.codes[slot] == MPI_SUCCESS);
    CHECK(outcome.statuses[slot].MPI_SOURCE == source);
    CHECK(outcome.statuses[slot].MPI_TAG == tag);
    CHECK(count == 1);
}

} // namespace mpitest
