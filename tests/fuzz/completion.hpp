// SPDX-License-Identifier: BSD-3-Clause
// The requests of one rank, and every way to complete them.
#pragma once

#include "random.hpp"
#include "statuses.hpp"

#include <functional>
#include <vector>

namespace fuzz {

struct Slot {
    MPI_Request request = MPI_REQUEST_NULL;
    int operation = -1;
    int active = 0;    // rounds
    int completed = 0; // rounds
    bool is_bundled = false;
    bool persistent = false;
    bool is_collective = false;
    const Incoming* incoming = nullptr; // of a receive
};

class Completion {
  public:
    using Finished = std::function<void(int operation)>;

    // `finished` is called once for every slot that completes.
    Completion(std::vector<Slot>& slots, Finished finished)
        : slots_(slots), finished_(std::move(finished)) {}

    // Returns once so many rounds of each slot are complete; others may complete meanwhile.
    struct Due {
        int slot, rounds;
    };
    void complete(const std::vector<Due>& due, Random random, bool mixed);
    // One call that does not wait.
    void poll(Random random);
    // A round of it is complete, says the status if there is one.
    void finish(int slot, const MPI_Status* status);

  private:
    struct Array;

    void step(const std::vector<int>& due, Random& random);
    Array array(const std::vector<int>& some, Random& random, bool spectators);
    std::vector<int> some_of(const std::vector<int>& from, Random& random) const;
    std::vector<int> active() const;

    void wait(int slot, Random& random);
    bool test(int slot, Random& random);
    bool get_status(int slot, Random& random);
    void wait_all(Array array);
    bool test_all(Array array);
    bool any(Array array, bool waits);
    bool some(Array array, bool waits);

    void take(Array& array, int index, const MPI_Status* status);
    void hand_back(Array& array);

    std::vector<Slot>& slots_;
    Finished finished_;
};

} // namespace fuzz
