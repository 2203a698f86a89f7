// SPDX-License-Identifier: BSD-3-Clause
// Arrays hold active requests, inactive ones and MPI_REQUEST_NULL in any order. What a call reports
// is checked: which requests, their statuses, their handles.
#include "completion.hpp"

#include <algorithm>
#include <sched.h>

namespace fuzz {

struct Completion::Array {
    std::vector<MPI_Request> requests;
    std::vector<int> slots; // -1 for MPI_REQUEST_NULL
    std::vector<MPI_Status> statuses;
    bool ignores_statuses = false;

    int count() const { return static_cast<int>(requests.size()); }
    MPI_Status* all_statuses() { return ignores_statuses ? MPI_STATUSES_IGNORE : statuses.data(); }
    MPI_Status* one_status() { return ignores_statuses ? MPI_STATUS_IGNORE : statuses.data(); }
    const MPI_Status* status(int place) const {
        return ignores_statuses ? nullptr : &statuses[static_cast<std::size_t>(place)];
    }
};

void Completion::finish(int number, const MPI_Status* status) {
    Slot& slot = slots_[at(number)];
    if (slot.active == 0) return fail("an inactive request completed");
    slot.active--;
    slot.completed++;
    if (slot.persistent != (slot.request != MPI_REQUEST_NULL))
        fail(slot.persistent ? "a persistent request became null"
                             : "a completed request is not null");
    if (status != nullptr && slot.is_collective && slot.persistent) check_empty(*status);
    if (status != nullptr && slot.incoming != nullptr) check_incoming(*status, *slot.incoming);
    finished_(slot.operation);
}

// ---- Arrays ----

std::vector<int> Completion::active() const {
    std::vector<int> active;
    for (std::size_t i = 0; i < slots_.size(); i++)
        if (slots_[i].active > 0 && !slots_[i].is_bundled) active.push_back(static_cast<int>(i));
    return active;
}

std::vector<int> Completion::some_of(const std::vector<int>& from, Random& random) const {
    std::vector<int> some = from;
    random.shuffle(some);
    if (!some.empty()) some.resize(at(random.between(1, static_cast<long>(some.size()))));
    return some;
}

// The spectators are active too: the call may complete them, but must not depend on it.
Completion::Array Completion::array(const std::vector<int>& some, Random& random, bool spectators) {
    Array array;
    array.slots = some;
    for (std::size_t i = 0; i < slots_.size(); i++) {
        const bool listed = std::find(some.begin(), some.end(), static_cast<int>(i)) != some.end();
        const bool wanted =
            slots_[i].active > 0 ? spectators && random.chance(50) : random.chance(15);
        if (!listed && wanted && !slots_[i].is_bundled) array.slots.push_back(static_cast<int>(i));
    }
    while (random.chance(20)) array.slots.push_back(-1);
    random.shuffle(array.slots);
    for (const int slot : array.slots)
        array.requests.push_back(slot < 0 ? MPI_REQUEST_NULL : slots_[at(slot)].request);
    array.statuses.assign(array.slots.size() + 1, spoiled());
    array.ignores_statuses = random.chance(30);
    return array;
}

void Completion::hand_back(Array& array) {
    for (std::size_t i = 0; i < array.slots.size(); i++)
        if (array.slots[i] >= 0) slots_[at(array.slots[i])].request = array.requests[i];
}

void Completion::take(Array& array, int index, const MPI_Status* status) {
    if (index < 0 || index >= array.count() || array.slots[at(index)] < 0)
        return fail("index " + std::to_string(index) + " is not that of a request");
    finish(array.slots[at(index)], status);
}

// ---- Calls; those that test say whether something completed ----

void Completion::wait(int slot, Random& random) {
    MPI_Status status = spoiled();
    const bool ignores = random.chance(30);
    MUST(MPI_Wait(&slots_[at(slot)].request, ignores ? MPI_STATUS_IGNORE : &status));
    finish(slot, ignores ? nullptr : &status);
}

bool Completion::test(int slot, Random& random) {
    MPI_Status status = spoiled();
    const bool ignores = random.chance(30);
    int flag = -1;
    MUST(MPI_Test(&slots_[at(slot)].request, &flag, ignores ? MPI_STATUS_IGNORE : &status));
    if (flag != 0) finish(slot, ignores ? nullptr : &status);
    return flag != 0;
}

bool Completion::get_status(int slot, Random& random) {
    MPI_Status status = spoiled();
    const bool ignores = random.chance(30);
    int flag = -1;
    MUST(MPI_Request_get_status(slots_[at(slot)].request, &flag,
                                ignores ? MPI_STATUS_IGNORE : &status));
    if (flag == 0) return false;
    if (!ignores && slots_[at(slot)].incoming != nullptr)
        check_incoming(status, *slots_[at(slot)].incoming);
    wait(slot, random);
    return true;
}

void Completion::wait_all(Array array) {
    must_each(MPI_Waitall(array.count(), array.requests.data(), array.all_statuses()),
              array.statuses, "MPI_Waitall");
    hand_back(array);
    for (int i = 0; i < array.count(); i++)
        if (array.slots[at(i)] >= 0 && slots_[at(array.slots[at(i)])].active > 0)
            take(array, i, array.status(i));
}

bool Completion::test_all(Array array) {
    int flag = -1;
    must_each(MPI_Testall(array.count(), array.requests.data(), &flag, array.all_statuses()),
              array.statuses, "MPI_Testall");
    hand_back(array);
    if (flag == 0) return false;
    for (int i = 0; i < array.count(); i++)
        if (array.slots[at(i)] >= 0 && slots_[at(array.slots[at(i)])].active > 0)
            take(array, i, array.status(i));
    return true;
}

bool Completion::any(Array array, bool waits) {
    int index = -5, flag = 1;
    if (waits)
        MUST(MPI_Waitany(array.count(), array.requests.data(), &index, array.one_status()));
    else
        MUST(MPI_Testany(array.count(), array.requests.data(), &index, &flag, array.one_status()));
    hand_back(array);
    if (flag == 0) {
        if (index != MPI_UNDEFINED) fail("Testany without completion gives an index");
        return false;
    }
    if (index == MPI_UNDEFINED)
        fail("no request is active in the eyes of Waitany or Testany");
    else
        take(array, index, array.status(0));
    return true;
}

bool Completion::some(Array array, bool waits) {
    int completed = -5;
    std::vector<int> indices(at(array.count()) + 1, -7);
    if (waits)
        must_each(MPI_Waitsome(array.count(), array.requests.data(), &completed, indices.data(),
                               array.all_statuses()),
                  array.statuses, "MPI_Waitsome");
    else
        must_each(MPI_Testsome(array.count(), array.requests.data(), &completed, indices.data(),
                               array.all_statuses()),
                  array.statuses, "MPI_Testsome");
    hand_back(array);
    if (completed == MPI_UNDEFINED || completed < 0 || (completed == 0 && waits)) {
        fail("Waitsome or Testsome completed " + std::to_string(completed) + " requests");
        return true;
    }
    for (int i = 0; i < completed; i++) take(array, indices[at(i)], array.status(i));
    return completed > 0;
}

// ---- Strategies ----

void Completion::step(const std::vector<int>& due, Random& random) {
    const std::vector<int> chosen = some_of(due, random);
    const auto until = [](auto call) {
        while (!call()) sched_yield();
    };
    switch (random.below(9)) {
    case 0: return wait(chosen[0], random);
    case 1: return until([&] { return test(chosen[0], random); });
    case 2: return until([&] { return get_status(chosen[0], random); });
    case 3: return wait_all(array(chosen, random, false));
    case 4: return until([&] { return test_all(array(chosen, random, false)); });
    case 5: return static_cast<void>(any(array(chosen, random, true), true));
    case 6: return until([&] { return any(array(chosen, random, true), false); });
    case 7: return static_cast<void>(some(array(chosen, random, true), true));
    default: return until([&] { return some(array(chosen, random, true), false); });
    }
}

void Completion::complete(const std::vector<Due>& due, Random random, bool mixed) {
    std::vector<int> left;
    while (true) {
        left.clear();
        for (const auto [slot, rounds] : due)
            if (slots_[at(slot)].completed < rounds &&
                std::find(left.begin(), left.end(), slot) == left.end())
                left.push_back(slot);
        if (left.empty()) return;
        mixed ? step(left, random) : wait(left[0], random);
    }
}

void Completion::poll(Random random) {
    const std::vector<int> all = active();
    if (all.empty()) return;
    const std::vector<int> chosen = some_of(all, random);
    switch (random.below(5)) {
    case 0: return static_cast<void>(test(chosen[0], random));
    case 1: return static_cast<void>(get_status(chosen[0], random));
    case 2: return static_cast<void>(test_all(array(chosen, random, false)));
    case 3: return static_cast<void>(any(array(chosen, random, false), false));
    default: return static_cast<void>(some(array(chosen, random, false), false));
    }
}

} // namespace fuzz
