// SPDX-License-Identifier: BSD-3-Clause
//
// The plan of a bundle: its members in their order, except where one has to wait for another.
#include "channel/bundle.hpp"

#include "channel/local.hpp"
#include "host/failure.hpp"
#include "plan/builder.hpp"

#include <optional>
#include <queue>

namespace mpix::channel {
namespace {

using plan::StepId;
using progress::Members;

// The graph of members, by number.
struct Graph {
    explicit Graph(const Members& members)
        : before(members.all.size()), after(members.all.size()), missing(members.all.size()) {
        for (const auto [later, earlier] : members.orders) {
            before[static_cast<std::size_t>(later)].push_back(earlier);
            after[static_cast<std::size_t>(earlier)].push_back(later);
            ++missing[static_cast<std::size_t>(later)];
        }
    }

    std::vector<std::vector<int>> before, after;
    std::vector<int> missing; // that come before it
};

// None if there is a circle.
std::optional<plan::Plan> plan_of(const Members& members) {
    Graph graph(members);
    std::priority_queue<int, std::vector<int>, std::greater<>> ready;
    for (std::size_t i = 0; i < members.all.size(); ++i)
        if (graph.missing[i] == 0) ready.push(static_cast<int>(i));
    plan::Builder builder(1, 1);
    std::vector<StepId> steps(members.all.size());
    std::size_t planned = 0;
    for (; !ready.empty(); ++planned) {
        const auto number = static_cast<std::size_t>(ready.top());
        ready.pop();
        std::vector<StepId> needs;
        for (const int earlier : graph.before[number])
            needs.push_back(steps[static_cast<std::size_t>(earlier)]);
        steps[number] = builder.member(static_cast<std::int32_t>(number), needs);
        for (const int later : graph.after[number])
            if (--graph.missing[static_cast<std::size_t>(later)] == 0) ready.push(later);
    }
    if (planned < members.all.size()) return {};
    return std::move(builder).finish({}, 0);
}

// Others that have the same member.
void note_rivals(progress::Operation& bundle, const progress::Bundles& rivals) {
    for (const progress::Operation* rival : rivals.all)
        bundle.members()->are_shared = rival->members()->are_shared = true;
}

} // namespace

std::unique_ptr<progress::Operation> make_bundle(std::vector<progress::Member> members) {
    auto operation = std::make_unique<progress::Operation>(progress::About{
        .name = "MPIX_Bundle_init",
        .error_communicator = nowhere(),
        .members = std::make_unique<Members>(std::move(members)),
    });
    bind_local(*operation, *plan_of(*operation->members()));
    for (progress::Member& member : operation->members()->all) {
        if (member.message && member.message->make) host::check_raised(member.message->renew());
        note_rivals(*operation, *member.bundles);
        member.bundles->all.push_back(operation.get());
    }
    return operation;
}

bool order(progress::Operation& bundle, int later, int earlier) {
    std::vector<Members::Order>& orders = bundle.members()->orders;
    orders.push_back({later, earlier});
    std::optional<plan::Plan> plan = plan_of(*bundle.members());
    if (plan)
        bundle.reorder(std::move(*plan));
    else
        orders.pop_back();
    return plan.has_value();
}

} // namespace mpix::channel
