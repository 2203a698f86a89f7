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
        : program_(program), world_rank_(world_rank), drifts_(program.has(skipped, Action::drift)) {
        for (std::size_t i = 0; i < program.items.size(); i++)
            if (program.keeps(skipped, static_cast<int>(i))) add(static_cast<int>(i));
        std::stable_sort(events_.begin(), events_.end(),
                         [](const Event& a, const Event& b) { return a.position < b.position; });
    }
    std::vector<Event> events_;

  private:
    void add(int number) {
        const Item& item = program_.items[at(number)];
        if (item.action == Action::start || item.action == Action::complete) {
            const Operation& operation = program_.operations[at(item.subject)];
            const int member = program_.comms[at(operation.comm)].member_of(world_rank_);
            if (member < 0 || !operation.involves(member)) return;
            const double position = item.action == Action::start ? start(number, operation, member)
                                                                 : completion(number, member);
            events_.push_back({position, number});
            if (item.action == Action::start && operation.is_partitioned())
                add_marks(number, member, position);
        } else {
            events_.push_back({static_cast<double>(number), number});
        }
    }

    // The number of the next item on the same operation with one of these actions.
    int next(int number, std::initializer_list<Action> actions) const {
        const int subject = program_.items[at(number)].subject;
        for (std::size_t i = at(number) + 1; i < program_.items.size(); i++)
            if (is_on_operation(program_.items[i].action) && program_.items[i].subject == subject &&
                std::find(actions.begin(), actions.end(), program_.items[i].action) !=
                    actions.end())
                return static_cast<int>(i);
        return static_cast<int>(program_.items.size());
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

    void add_marks(int number, int member, double started) {
        const double end = next(number, {Action::complete});
        const int prepare = next(number, {Action::prepare});
        const double from = prepare < end ? prepare + 0.1 : started;
        const auto calls = static_cast<int>(marks_of(program_, number, member).size());
        for (int call = 0; call < calls; call++) {
            const auto purpose = static_cast<std::uint64_t>(100 + 2 * call);
            const bool late = chance(number, 50, purpose);
            const double position = late ? between(number, from, end, purpose + 1) : from;
            events_.push_back({position, number, call});
        }
    }

    double completion(int number, int member) const {
        const Item& item = program_.items[at(number)];
        if (item.to == member) return number + 1.5; // after the token that follows
        if (item.from == member || !chance(number, 25, 3)) return number;
        return between(number, number, next(number, {Action::start, Action::free_request}), 4);
    }

    const Program& program_;
    int world_rank_;
    bool drifts_;
};

} // namespace

std::vector<Event> schedule(const Program& program, const std::set<int>& skipped, int world_rank) {
    return Scheduler(program, skipped, world_rank).events_;
}

} // namespace fuzz
