// SPDX-License-Identifier: BSD-3-Clause
//
// What a bundle starts and completes. Its members stay requests of the program, which may start one
// by itself while no bundle that has it is active. Under the engine's guard.
#pragma once

#include "host/symbols.hpp"

#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace mpix::progress {

class Operation;

// Those that have a request as a member.
struct Bundles {
    std::vector<const Operation*> all;

    bool any_active() const;
};

// A message that the host runs. The bundle has a request of its own, because a host may change a
// handle when it is started, and free one whose message fails.
struct HostMessage {
    std::function<int(MPI_Request*)> make; // none: a message for nobody
    std::function<bool()> is_active;
    MPI_Request request = MPI_REQUEST_NULL;

    int renew() { return make(&request); }
};

struct Member {
    std::shared_ptr<Bundles> bundles;     // of the member: no two members have the same
    Operation* operation = nullptr;       // or
    std::unique_ptr<HostMessage> message; // that
    bool is_light = false;                // starting it needs no more than its own state

    bool is_active() const;
};

struct Members {
    explicit Members(std::vector<Member> members) : all(std::move(members)) {}
    ~Members();
    Members(const Members&) = delete;
    Members& operator=(const Members&) = delete;

    // What a member waits for: another one.
    struct Order {
        int later, earlier;
    };

    std::vector<Member> all;
    std::vector<Order> orders;
    bool are_shared = false; // some have been members of other bundles too
};

} // namespace mpix::progress
