// SPDX-License-Identifier: BSD-3-Clause
// Events one by one, but adjacent starts and adjacent completions as one batch in any order and
// grouping.
#include "runner.hpp"

#include "bundles.hpp"
#include "live.hpp"
#include "schedule.hpp"
#include "text.hpp"
#include "traffic.hpp"

#include <algorithm>
#include <limits>
#include <memory>

namespace fuzz {
namespace {

class Runner {
  public:
    Runner(const Program& program, const Conditions& conditions, const Options& options,
           int world_rank)
        : program_(program), options_(options), world_rank_(world_rank),
          events_(schedule(program, options.skipped, world_rank)),
          polls_(program.has(options.skipped, Action::polls)),
          frees_early_(program.has(options.skipped, Action::early_free)),
          keeps_arrays_(conditions.checked), mixes_(program.has(options.skipped, Action::mixture)),
          rebinds_(program.has(options.skipped, Action::rebind)),
          comms_(program.comms.size(), MPI_COMM_NULL), live_(program.operations.size()),
          slots_(2 * program.operations.size()), bundles_(program.bundles.size()),
          completion_(slots_, [this](int operation) { finished(operation); }) {
        comms_[0] = MPI_COMM_WORLD;
    }

    void run() {
        for (std::size_t i = 0; i < events_.size();) {
            const std::size_t end = batch_end(i);
            const int number = events_[i].item;
            be_at(brief(program_, number));
            const std::vector<Event> batch(events_.begin() + static_cast<std::ptrdiff_t>(i),
                                           events_.begin() + static_cast<std::ptrdiff_t>(end));
            const Action action = program_.items[at(number)].action;
            if (batch[0].mark >= 0)
                mark(batch[0]);
            else if (action == Action::start)
                start(batch);
            else if (action == Action::complete)
                complete(batch);
            else
                single(number);
            if (polls_) poll(draw(number, 2001 + batch[0].mark));
            i = end;
        }
        clean_up();
    }

  private:
    Action action(std::size_t event) const {
        return program_.items[at(events_[event].item)].action;
    }
    std::uint64_t draw(int item, int purpose) const {
        return hash(program_.seed, item, world_rank_, purpose);
    }
    Slot* slots_of(int operation) { return &slots_[2 * at(operation)]; }

    std::size_t batch_end(std::size_t begin) const {
        std::size_t end = begin + 1;
        if (action(begin) != Action::start && action(begin) != Action::complete) return end;
        while (end < events_.size() && action(end) == action(begin) && joins(begin, end)) end++;
        return end;
    }
    // Of a channel with slack one start follows the other.
    bool joins(std::size_t begin, std::size_t end) const {
        if (events_[begin].mark >= 0 || events_[end].mark >= 0) return false;
        if (is_ordered(events_[begin].item) || is_ordered(events_[end].item)) return false;
        for (std::size_t i = begin; i < end; i++)
            if (action(end) == Action::start && subject(i) == subject(end)) return false;
        return draw(events_[end].item, 8) % 100 < 80;
    }
    int subject(std::size_t event) const { return program_.items[at(events_[event].item)].subject; }
    // The start of a nonblocking collective has its place among the blocking ones.
    bool is_ordered(int number) const {
        const Item& item = program_.items[at(number)];
        return item.action == Action::start && program_.operations[at(item.subject)].is_called();
    }

    int member_of(int operation) const {
        return program_.comms[at(program_.operations[at(operation)].comm)].member_of(world_rank_);
    }

    void single(int number) {
        const Item& item = program_.items[at(number)];
        switch (item.action) {
        case Action::make:
            comms_[at(item.subject)] = make_comm(program_, item.subject, comms_, world_rank_);
            break;
        case Action::free_comm: free_comm(item.subject); break;
        case Action::check:
        case Action::init: initialise(number, item.subject, item.action == Action::check); break;
        case Action::free_request: free_request(item.subject); break;
        case Action::ready: tell_ready(item.subject); break;
        case Action::prepare: prepare(item.subject); break;
        case Action::start_bundle: start_bundle(number, item.subject); break;
        case Action::complete_bundle: complete_bundle(number, item.subject); break;
        case Action::polls:
        case Action::drift:
        case Action::early_free:
        case Action::mixture:
        case Action::rebind: break;
        default:
            block(program_, number, item.subject < 0 ? MPI_COMM_NULL : comms_[at(item.subject)],
                  world_rank_);
            break;
        }
    }

    void initialise(int number, int operation, bool only_blocking) {
        const int member = member_of(operation);
        if (member < 0) return;
        const MPI_Comm comm = comms_[at(program_.operations[at(operation)].comm)];
        if (only_blocking) return Live::check_blocking(program_, operation, member, comm);
        if (!program_.operations[at(operation)].involves(member)) return;
        live_[at(operation)] = std::make_unique<Live>(program_, operation, member, comm);
        live_[at(operation)]->initialise(slots_of(operation),
                                         frees_early_ && draw(number, 1) % 2 == 0,
                                         keeps_arrays_ || draw(number, 4) % 2 == 0);
    }

    // In any order; persistent requests alone or several in a call.
    void start(const std::vector<Event>& batch) {
        Random random(draw(batch[0].item, 2));
        std::vector<int> order;
        for (const Event& event : batch) order.push_back(event.item);
        random.shuffle(order);
        std::vector<Slot*> together;
        for (const int number : order) {
            const Item& item = program_.items[at(number)];
            be_at(brief(program_, number));
            Slot* slots = slots_of(item.subject);
            if (rebinds_ && draw(number, 13) % 5 == 0) live_[at(item.subject)]->rebind(slots);
            live_[at(item.subject)]->prepare(item.round, slots);
            if (live_[at(item.subject)]->starts_by_call())
                live_[at(item.subject)]->start_by_call(slots);
            for (int i = 0; i < 2; i++) {
                if (slots[i].request == MPI_REQUEST_NULL || !slots[i].persistent) continue;
                if (random.chance(40))
                    MUST(MPI_Start(&slots[i].request));
                else
                    together.push_back(&slots[i]);
            }
            if (random.chance(30)) start_all(together);
        }
        start_all(together);
    }

    static void start_all(std::vector<Slot*>& together) {
        std::vector<MPI_Request> requests;
        for (const Slot* slot : together) requests.push_back(slot->request);
        if (requests.empty()) return;
        MUST(MPI_Startall(static_cast<int>(requests.size()), requests.data()));
        for (std::size_t i = 0; i < requests.size(); i++) together[i]->request = requests[i];
        together.clear();
    }

    void start_bundle(int number, int bundle) {
        std::vector<Slot*> members;
        for (const auto [operation, round] : program_.bundles[at(bundle)]) {
            if (!live_[at(operation)]) continue;
            Slot* slots = slots_of(operation);
            live_[at(operation)]->prepare(round, slots);
            for (int i = 0; i < 2; i++)
                if (slots[i].operation == operation) members.push_back(&slots[i]);
        }
        for (Slot* slot : members) slot->is_bundled = true;
        bundles_[at(bundle)].start(members, Random(draw(number, 2)));
    }
    void complete_bundle(int number, int bundle) {
        bundles_[at(bundle)].complete(Random(draw(number, 3)));
        for (const auto [operation, round] : program_.bundles[at(bundle)])
            for (int i = 0; i < 2; i++)
                if (slots_of(operation)[i].operation == operation) {
                    slots_of(operation)[i].is_bundled = false;
                    completion_.finish(2 * operation + i, nullptr);
                }
    }

    void mark(const Event& event) {
        Live& live = *live_[at(event.operation)];
        const auto calls = marks_of(program_, event.operation, event.item, live.member());
        live.mark(calls[at(event.mark)], draw(event.item, 1000 + event.mark),
                  slots_of(event.operation));
    }
    // Tests of any requests, or questions for the partitions of all operations.
    void poll(std::uint64_t variant) {
        if (variant % 100 < 25) completion_.poll(Random(hash(variant, 10)));
        if (variant % 100 < 15 || variant % 100 > 75) return;
        for (std::size_t o = 0; o < live_.size(); o++)
            if (live_[o]) live_[o]->ask(hash(variant, o), slots_of(static_cast<int>(o)));
    }
    void prepare(int operation) {
        if (live_[at(operation)]) live_[at(operation)]->prepare_buffers(slots_of(operation));
    }

    void complete(const std::vector<Event>& batch) {
        std::vector<Completion::Due> due;
        for (const Event& event : batch) {
            const Item& item = program_.items[at(event.item)];
            for (int i = 0; i < 2; i++)
                if (slots_of(item.subject)[i].operation == item.subject)
                    due.push_back(
                        {2 * item.subject + i, live_[at(item.subject)]->started(item.round)});
        }
        completion_.complete(due, Random(draw(batch[0].item, 3)), mixes_);
    }

    void finished(int operation) {
        int completed = std::numeric_limits<int>::max();
        for (int i = 0; i < 2; i++)
            if (slots_of(operation)[i].operation == operation)
                completed = std::min(completed, slots_of(operation)[i].completed);
        live_[at(operation)]->check(completed, options_.broken == operation);
    }

    void free_request(int operation) {
        if (!live_[at(operation)]) return;
        live_[at(operation)]->release(slots_of(operation));
        live_[at(operation)].reset();
    }

    // The receiver of a ready send has started; the sender waits to hear it.
    void tell_ready(int operation) {
        const Operation& of = program_.operations[at(operation)];
        const Communicator& comm = program_.comms[at(of.comm)];
        const int from = comm.members[at(of.message.from)], to = comm.members[at(of.message.to)];
        const int tag = ready_tag + operation;
        if (world_rank_ == to) MUST(MPI_Send(nullptr, 0, MPI_INT, from, tag, MPI_COMM_WORLD));
        if (world_rank_ == from)
            MUST(MPI_Recv(nullptr, 0, MPI_INT, to, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE));
    }

    void free_comm(int comm) {
        if (comm > 0 && comms_[at(comm)] != MPI_COMM_NULL) MUST(MPI_Comm_free(&comms_[at(comm)]));
    }

    void clean_up() {
        be_at("the end");
        for (std::size_t i = 0; i < slots_.size(); i++)
            if (slots_[i].active) fail("slot " + std::to_string(i) + " is active at the end");
        for (std::size_t o = 0; o < live_.size(); o++) free_request(static_cast<int>(o));
        for (std::size_t c = comms_.size(); c-- > 1;) free_comm(static_cast<int>(c));
    }

    const Program& program_;
    const Options& options_;
    int world_rank_;
    std::vector<Event> events_;
    bool polls_, frees_early_, keeps_arrays_, mixes_, rebinds_;
    std::vector<MPI_Comm> comms_;
    std::vector<std::unique_ptr<Live>> live_;
    std::vector<Slot> slots_;
    std::vector<Bundle> bundles_;
    Completion completion_;
};

} // namespace

void run(const Program& program, const Conditions& conditions, const Options& options,
         int world_rank) {
    Runner(program, conditions, options, world_rank).run();
}

} // namespace fuzz
