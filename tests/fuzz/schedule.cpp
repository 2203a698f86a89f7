// SPDX-License-Identifier: BSD-3-Clause
// A start and the marks of its partitions may come as late as the item that completes the round; a
// completion as late as the next use of the request. Each choice hangs on its item alone, so that
// it stays when others are left out.
#include "schedule.hpp"

#include "partitions.hpp"

#include <algorithm>

namespace fuzz {
namespace {

class Scheduler {
  public:
    Scheduler(const Program& program, const std::set<int>& skipped, int world_rank)
        : program_(program), skipped_(skipped), world_rank_(world_rank),
          drifts_(program.has(skipped, Action::drift)) {
        for (std::size_t i = 0; i < program.items.size(); i++)
            if (program.keeps(skipped, static_cast<int>(i))) add(static_cast<int>(i));
        std::stable_sort(events_.begin(), events_.end(),
                         [](const Event& a, const Event& b) { return a.position < b.position; });
    }
    std::vector<Event> events_;

  private:
    void add(int number) {
        const Item& item = program_.items[at(number)];
        double position = number;
        if (item.action == Action::start || item.action == Action::complete) {
            const int member = member_of(item.subject);
            if (member < 0) return;
            const Operation& operation = program_.operations[at(item.subject)];
            position = item.action == Action::start ? start(number, operation, member)
                                                    : completion(number, member);
        }
        events_.push_back({position, number});
        if (item.action == Action::start) add_marks(number, item.subject, position);
        if (item.action == Action::start_bundle)
            for (const Member& member : program_.bundles[at(item.subject)])
                add_marks(number, member.operation, position);
    }

    // Of the operation's communicator; -1 where this rank has no part in it.
    int member_of(int operation) const {
        const Operation& of = program_.operations[at(operation)];
        const int member = program_.comms[at(of.comm)].member_of(world_rank_);
        return member >= 0 && of.involves(member) ? member : -1;
    }

    // The number of the next item on the same operation with one of these actions.
    int next(int number, std::initializer_list<Action> actions) const {
        return next(number, program_.items[at(number)].subject, actions);
    }
    int next(int number, int operation, std::initializer_list<Action> actions) const {
        for (std::size_t i = at(number) + 1; i < program_.items.size(); i++)
            if (program_.is_on(program_.items[i], operation) &&
                std::find(actions.begin(), actions.end(), alone(program_.items[i].action)) !=
                    actions.end())
                return static_cast<int>(i);
        return static_cast<int>(program_.items.size());
    }
    static Action alone(Action action) {
        if (action == Action::start_bundle) return Action::start;
        return action == Action::complete_bundle ? Action::complete : action;
    }

    // Somewhere between, both ends excluded.
    double between(int number, double from, double to, std::uint64_t purpose) const {
        const auto draw = hash(program_.seed, number, world_rank_, purpose) % 1000;
        return from + (to - from) * (static_cast<double>(draw) + 1.0) / 1002.0;
    }
    bool chance(int number, unsigned percent, std::uint64_t purpose) const {
        return drifts_ && hash(program_.seed, number, world_rank_, purpose) % 100 < percent;
    }

    double start(int number, const Operation& operation, int member) const {
        if (operation.is_called()) return number; // in one order on all ranks
        const int end = next(number, {Action::start, Action::complete});
        const int ready = next(number, {Action::ready}), prepare = next(number, {Action::prepare});
        double from = number, to = std::min(end, prepare);
        if (ready < end && member == operation.message.from) from = ready + 0.1;
        if (ready < end && member == operation.message.to) to = ready;
        return chance(number, 35, 1) ? between(number, from, to, 2) : from;
    }

    void add_marks(int number, int operation, double started) {
        const int member = member_of(operation);
        if (member < 0 || !program_.operations[at(operation)].is_partitioned() ||
            !is_there(operation))
            return;
        const double end = next(number, operation, {Action::complete});
        const int prepare = next(number, operation, {Action::prepare});
        const double from = prepare < end ? prepare + 0.1 : started;
        const auto calls = static_cast<int>(marks_of(program_, operation, number, member).size());
        for (int call = 0; call < calls; call++) {
            const auto purpose = static_cast<std::uint64_t>(100 + 2 * call);
            const bool late = chance(number, 50, purpose);
            const double position = late ? between(number, from, end, purpose + 1) : from;
            events_.push_back({position, number, call, operation});
        }
    }
    bool is_there(int operation) const {
        return program_.keeps(skipped_, program_.init_of(operation));
    }

    double completion(int number, int member) const {
        const Item& item = program_.items[at(number)];
        if (item.to == member) return number + 1.5; // after the token that follows
        if (item.from == member || !chance(number, 25, 3)) return number;
        return between(number, number, next(number, {Action::start, Action::free_request}), 4);
    }

    const Program& program_;
    const std::set<int>& skipped_;
    int world_rank_;
    bool drifts_;
};

} // namespace

std::vector<Event> schedule(const Program& program, const std::set<int>& skipped, int world_rank) {
    return Scheduler(program, skipped, world_rank).events_;
}

} // namespace fuzz
