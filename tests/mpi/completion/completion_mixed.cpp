// SPDX-License-Identifier: BSD-3-Clause
// Waitall, Waitany, Waitsome and their Test forms over arrays that mix our requests, the host's,
// null and inactive ones.
#include "common/completion.hpp"

using namespace mpitest;

namespace {

constexpr int slots = static_cast<int>(Mixture::slots);

// What each completed slot's status must say; collectives' and sends' statuses say nothing that MPI
// defines.
void check_status(const Mixture& mixture, std::size_t slot, const MPI_Status& status) {
    INFO("slot " << slot);
    if (slot == Mixture::persistent_recv || slot == Mixture::irecv) {
        int count = -1;
        MPI_Get_count(&status, MPI_INT, &count);
        CHECK(status.MPI_SOURCE == mixture.ring.previous);
        CHECK(status.MPI_TAG == (slot == Mixture::irecv ? 32 : 31));
        CHECK(count == 1);
    }
    if (!Mixture::can_complete(slot)) CHECK(is_empty(status));
}

std::vector<MPI_Status> spoiled_statuses() {
    return std::vector<MPI_Status>(Mixture::slots, spoiled_status());
}

// Completes the mixture with a call that reports some of the slots each time, each exactly once.
template<class Some>
void drain_some(Mixture& mixture, Some some) {
    std::vector<int> seen(Mixture::slots, 0);
    for (int completed = 0; completed < Mixture::active;) {
        int count = -5, indices[slots];
        auto statuses = spoiled_statuses();
        CHECK_MPI(some(mixture.requests, &count, indices, statuses.data()));
        CHECK(count >= 0);
        if (count < 0) return;
        for (int i = 0; i < count; i++) {
            const auto slot = static_cast<std::size_t>(indices[i]);
            CHECK(Mixture::can_complete(slot));
            if (slot >= seen.size()) return;
            CHECK(seen[slot]++ == 0);
            check_status(mixture, slot, statuses[static_cast<std::size_t>(i)]);
        }
        completed += count;
        pause_briefly();
    }
}

template<class Any>
void drain_any(Mixture& mixture, Any any) {
    std::vector<int> seen(Mixture::slots, 0);
    for (int completed = 0; completed < Mixture::active;) {
        int index = -5;
        MPI_Status status = spoiled_status();
        if (!any(mixture.requests, &index, &status)) continue;
        const auto slot = static_cast<std::size_t>(index);
        CHECK(Mixture::can_complete(slot));
        if (index < 0 || slot >= seen.size()) return;
        CHECK(seen[slot]++ == 0);
        check_status(mixture, slot, status);
        completed++;
    }
}

} // namespace

TEST_CASE("Waitall completes a mixed array") {
    Mixture mixture;
    for (int round = 0; round < 4; round++) {
        mixture.start(round);
        auto statuses = spoiled_statuses();
        CHECK_MPI(MPI_Waitall(slots, mixture.requests,
                              round % 2 == 0 ? statuses.data() : MPI_STATUSES_IGNORE));
        mixture.check_data(round);
        mixture.check_handles();
        if (round % 2 != 0) continue;
        for (std::size_t slot = 0; slot < Mixture::slots; slot++)
            check_status(mixture, slot, statuses[slot]);
    }
}

TEST_CASE("Testall completes a mixed array all at once or not at all") {
    Mixture mixture;
    for (int round = 0; round < 4; round++) {
        mixture.start(round);
        int done = 0;
        auto statuses = spoiled_statuses();
        while (done == 0) {
            CHECK_MPI(MPI_Testall(slots, mixture.requests, &done, statuses.data()));
            if (done == 0) CHECK(mixture.requests[Mixture::irecv] != MPI_REQUEST_NULL);
            pause_briefly();
        }
        mixture.check_data(round);
        mixture.check_handles();
        for (std::size_t slot = 0; slot < Mixture::slots; slot++)
            check_status(mixture, slot, statuses[slot]);
    }
}

TEST_CASE("Waitsome reports every active request of a mixed array once") {
    Mixture mixture;
    for (int round = 0; round < 4; round++) {
        mixture.start(round);
        drain_some(mixture,
                   [](MPI_Request* requests, int* count, int* indices, MPI_Status* statuses) {
                       return MPI_Waitsome(slots, requests, count, indices, statuses);
                   });
        mixture.check_data(round);
        mixture.check_handles();
        int count = -1, indices[slots];
        CHECK_MPI(MPI_Waitsome(slots, mixture.requests, &count, indices, MPI_STATUSES_IGNORE));
        CHECK(count == MPI_UNDEFINED);
    }
}

TEST_CASE("Testsome reports every active request of a mixed array once") {
    Mixture mixture;
    for (int round = 0; round < 4; round++) {
        mixture.start(round);
        drain_some(mixture,
                   [](MPI_Request* requests, int* count, int* indices, MPI_Status* statuses) {
                       return MPI_Testsome(slots, requests, count, indices, statuses);
                   });
        mixture.check_data(round);
        mixture.check_handles();
        int count = -1, indices[slots];
        CHECK_MPI(MPI_Testsome(slots, mixture.requests, &count, indices, MPI_STATUSES_IGNORE));
        CHECK(count == MPI_UNDEFINED);
    }
}

TEST_CASE("Waitany reports every active request of a mixed array once") {
    Mixture mixture;
    for (int round = 0; round < 4; round++) {
        mixture.start(round);
        drain_any(mixture, [](MPI_Request* requests, int* index, MPI_Status* status) {
            CHECK_MPI(MPI_Waitany(slots, requests, index, status));
            return true;
        });
        mixture.check_data(round);
        mixture.check_handles();
        int index = -1;
        MPI_Status status = spoiled_status();
        CHECK_MPI(MPI_Waitany(slots, mixture.requests, &index, &status));
        CHECK(index == MPI_UNDEFINED);
        CHECK(is_empty(status));
    }
}

TEST_CASE("Testany reports every active request of a mixed array once") {
    Mixture mixture;
    for (int round = 0; round < 4; round++) {
        mixture.start(round);
        drain_any(mixture, [](MPI_Request* requests, int* index, MPI_Status* status) {
            int done = 0;
            CHECK_MPI(MPI_Testany(slots, requests, index, &done, status));
            if (done == 0) CHECK(*index == MPI_UNDEFINED);
            pause_briefly();
            return done != 0;
        });
        mixture.check_data(round);
        mixture.check_handles();
        int index = -1, done = 0;
        MPI_Status status = spoiled_status();
        CHECK_MPI(MPI_Testany(slots, mixture.requests, &index, &done, &status));
        CHECK(done == 1);
        CHECK(index == MPI_UNDEFINED);
        CHECK(is_empty(status));
    }
}

TEST_CASE("the array calls work without statuses") {
    Mixture mixture;
    mixture.start(9);
    int done = 0, index = -1, count = 0, indices[slots];
    CHECK_MPI(MPI_Waitany(slots, mixture.requests, &index, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Testany(slots, mixture.requests, &index, &done, MPI_STATUS_IGNORE));
    CHECK_MPI(MPI_Waitsome(slots, mixture.requests, &count, indices, MPI_STATUSES_IGNORE));
    CHECK_MPI(MPI_Testsome(slots, mixture.requests, &count, indices, MPI_STATUSES_IGNORE));
    done = 0;
    while (done == 0) {
        CHECK_MPI(MPI_Testall(slots, mixture.requests, &done, MPI_STATUSES_IGNORE));
        pause_briefly();
    }
    mixture.check_data(9);
    mixture.check_handles();
}
