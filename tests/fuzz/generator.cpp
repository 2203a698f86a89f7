// SPDX-License-Identifier: BSD-3-Clause
// The items of a program, in the order that every rank keeps to except where it may drift:
// whatever a rank waits for has been started further up. So no legal MPI can stand still.
#include "generator.hpp"

#include "arguments.hpp"
#include "communicators.hpp"
#include "messages.hpp"
#include "partitions.hpp"
#include "quirks.hpp"

#include <algorithm>

namespace fuzz {
namespace {

class Generator {
  public:
    Generator(Program& program, const Conditions& conditions)
        : program_(program), conditions_(conditions), random_(program.seed) {}

    void run() {
        program_.comms.push_back(world(conditions_.ranks));
        comms_.push_back({});
        for (const Action feature :
             {Action::polls, Action::drift, Action::early_free, Action::mixture, Action::rebind})
            if (random_.chance(80)) add(feature);
        for (long i = random_.below(3); i > 0; i--) make();
        for (long steps = random_.between(15, 100); steps > 0; steps--) step();
        while (!where(true).empty()) complete_all();
        while (!active_bundles_.empty()) complete_bundle();
    }

  private:
    struct Space {
        bool any_tag = false; // a wildcard takes whatever is sent there
        bool is_used = false; // something else is sent there
    };
    struct CommState {
        bool alive = true;
        Space messages, channels;
        int handle_users = 0; // operations that need the handle after their initialisation
    };
    struct OperationState {
        bool alive = true;
        int active = 0, started = 0; // rounds
        bool is_bundled = false;
    };

    void add(Action action, int subject = -1, int round = 0, int from = -1, int to = -1) {
        program_.items.push_back({action, subject, round, from, to});
    }

    void step() {
        switch (random_.weighted({6, 18, 34, 26, 14, 4, 4, 8, 8})) {
        case 0: return make();
        case 1: return initialise();
        case 2: return random_.chance(40) ? start_all() : start_one();
        case 3: return random_.chance(40) ? complete_all() : complete_one();
        case 4: return block();
        case 5: return free_request();
        case 6: return free_comm(alive_comm());
        case 7: return start_bundle();
        default: return complete_bundle();
        }
    }

    int alive_comm() {
        std::vector<int> alive;
        for (std::size_t c = 0; c < comms_.size(); c++)
            if (comms_[c].alive) alive.push_back(static_cast<int>(c));
        return random_.chance(30) ? alive.back() : random_.pick(alive);
    }

    void make() {
        if (comms_.size() >= 6) return;
        const int parent = random_.chance(60) ? 0 : alive_comm();
        Communicator made = derive(random_, program_.comms, parent);
        if (made.is_inter() && !made.copied) { // the leaders talk over the parent
            if (comms_[at(parent)].messages.any_tag) return;
            comms_[at(parent)].messages.is_used = true;
        }
        program_.comms.push_back(std::move(made));
        comms_.push_back({});
        add(Action::make, static_cast<int>(comms_.size()) - 1);
    }

    void free_comm(int comm) {
        if (comm == 0 || !comms_[at(comm)].alive || comms_[at(comm)].handle_users > 0) return;
        comms_[at(comm)].alive = false;
        add(Action::free_comm, comm);
    }

    // ---- Operations ----

    Kind pick_kind(const Communicator& comm) {
        if (comm.has_topology() && random_.chance(50))
            return static_cast<Kind>(static_cast<long>(Kind::neighbor_allgather) +
                                     random_.below(5));
        while (true) {
            const Kind kind = static_cast<Kind>(random_.below(17));
            if (!comm.is_inter() || (kind != Kind::scan && kind != Kind::exscan)) return kind;
        }
    }

    void initialise() {
        if (program_.operations.size() >= 14) return;
        Operation operation;
        operation.comm = alive_comm();
        const Communicator& comm = program_.comms[at(operation.comm)];
        operation.rounds = static_cast<int>(random_.between(1, 6));
        operation.slot = static_cast<int>(program_.operations.size());
        if (random_.chance(25)) operation.form = Form::persistent_c;
        if (random_.chance(25)) {
            if (!address(operation, comm)) return;
        } else {
            operation.kind = pick_kind(comm);
            if (random_.chance(12) && !comm.is_inter()) {
                operation.form = Form::nonblocking;
                operation.kind =
                    random_.pick({Kind::barrier, Kind::bcast, Kind::allreduce, Kind::allgather});
            }
            if (facts(operation.kind).rooted)
                operation.root = static_cast<int>(random_.below(comm.size()));
            if (may_be_partitioned(operation, comm) && random_.chance(30))
                operation.form = Form::partitioned;
        }
        if (operation.is_partitioned()) operation.granularity = random_.pick({1L, 2L, 6L, 12L});
        give_arguments(random_, program_.types, comm, operation);
        if (operation.is_partitioned()) divide(random_, comm, operation);
        if (conditions_.plain && operation.kind != Kind::message) make_plain(operation);
        if (operation.message.mode == Mode::buffered && !operation.message.is_channel() &&
            bsend_is_wrong(conditions_, program_, operation))
            operation.message.mode = Mode::standard;
        if (delegate_is_wrong(conditions_, program_, operation)) return;
        introduce(std::move(operation));
    }

    bool may_be_partitioned(const Operation& operation, const Communicator& comm) const {
        return !conditions_.plain && !operation.is_called() && !comm.is_inter() &&
               operation.kind != Kind::barrier;
    }

    // The host does the first call, and all nonblocking ones that never run on plans: not here.
    void make_plain(Operation& operation) {
        const bool has_nonblocking_plans =
            !facts(operation.kind).neighbors && operation.kind != Kind::gatherv &&
            operation.kind != Kind::scatterv && operation.kind != Kind::alltoallv &&
            operation.kind != Kind::alltoallw && !program_.comms[at(operation.comm)].is_inter();
        const bool waits = !has_nonblocking_plans || random_.chance(60);
        const bool is_wrong = waits ? blocking_is_wrong(conditions_, program_, operation) ||
                                          blocking_in_place_is_wrong(conditions_, operation)
                                    : nonblocking_is_wrong(conditions_, program_, operation);
        if (random_.chance(70) && !is_wrong)
            operation.form = waits ? Form::blocking : Form::nonblocking;
    }

    void introduce(Operation operation) {
        const auto number = static_cast<int>(program_.operations.size());
        const int comm = operation.comm;
        const bool is_collective = operation.kind != Kind::message;
        const bool needs_handle = !is_collective || operation.is_called();
        const bool checked = is_collective && !blocking_is_wrong(conditions_, program_, operation);
        program_.operations.push_back(std::move(operation));
        operations_.push_back({});
        if (checked) add(Action::check, number);
        add(Action::init, number);
        if (needs_handle) comms_[at(comm)].handle_users++;
        if (random_.chance(15)) free_comm(comm);
    }

    // Partitioned messages and channels have matching spaces of their own.
    bool address(Operation& operation, const Communicator& comm) {
        const auto slot = 100 + operation.slot;
        operation.kind = Kind::message;
        const int path = conditions_.plain ? 0 : random_.weighted({55, 20, 25});
        if (path == 1) {
            operation.form = Form::partitioned;
            operation.message = pick_partitioned(random_, comm, slot);
            return true;
        }
        CommState& state = comms_[at(operation.comm)];
        Space& space = path == 2 ? state.channels : state.messages;
        if (space.any_tag) return false;
        const bool alone = !space.is_used && operation.comm != 0;
        operation.message = path == 2
                                ? pick_channel(random_, comm, slot, alone, conditions_.checked)
                                : pick_message(random_, comm, slot, alone);
        Message& message = operation.message;
        if (path == 0 && (message.from < 0 || message.to < 0) &&
            persistent_null_is_wrong(conditions_))
            message.persistent_send = message.persistent_recv = false;
        (message.any_tag ? space.any_tag : space.is_used) = true;
        return true;
    }

    // Operations that may be completed, or started.
    std::vector<int> where(bool active) const {
        std::vector<int> found;
        for (std::size_t o = 0; o < operations_.size(); o++) {
            const OperationState& state = operations_[o];
            const Operation& operation = program_.operations[o];
            const bool may_start =
                state.active < operation.message.slack && state.started < operation.rounds;
            if (state.alive && !state.is_bundled && (active ? state.active > 0 : may_start))
                found.push_back(static_cast<int>(o));
        }
        return found;
    }

    void start(int operation) {
        OperationState& state = operations_[at(operation)];
        state.active++;
        add(Action::start, operation, state.started);
        if (program_.operations[at(operation)].message.mode == Mode::ready)
            add(Action::ready, operation, state.started);
        if (program_.operations[at(operation)].is_partitioned() && random_.chance(15))
            add(Action::prepare, operation, state.started);
        state.started++;
    }
    void start_one() {
        const std::vector<int> ready = where(false);
        if (!ready.empty()) start(random_.pick(ready));
    }
    void start_all() {
        for (const int operation : where(false)) start(operation);
    }

    // ---- Bundles ----

    static bool may_be_bundled(const Operation& operation) {
        const Message& message = operation.message;
        if (operation.kind != Kind::message) return !operation.is_called();
        return message.persistent_send && message.persistent_recv && message.mode != Mode::ready;
    }

    void start_bundle() {
        std::vector<int> ready;
        for (const int operation : where(false))
            if (operations_[at(operation)].active == 0 &&
                may_be_bundled(program_.operations[at(operation)]))
                ready.push_back(operation);
        random_.shuffle(ready);
        ready.resize(std::min(ready.size(), at(random_.between(1, 4))));
        if (ready.empty()) return;
        std::vector<Member> members;
        for (const int operation : ready) {
            OperationState& state = operations_[at(operation)];
            members.push_back({operation, state.started++});
            state.active++;
            state.is_bundled = true;
        }
        active_bundles_.push_back(static_cast<int>(program_.bundles.size()));
        program_.bundles.push_back(std::move(members));
        add(Action::start_bundle, active_bundles_.back());
    }

    void complete_bundle() {
        if (active_bundles_.empty()) return;
        const int bundle = random_.pick(active_bundles_);
        std::erase(active_bundles_, bundle);
        for (const Member& member : program_.bundles[at(bundle)]) {
            operations_[at(member.operation)].active--;
            operations_[at(member.operation)].is_bundled = false;
        }
        add(Action::complete_bundle, bundle);
    }

    // Perhaps one member completes at once and then answers another, which waits for the answer
    // before it completes.
    void complete(int operation) {
        OperationState& state = operations_[at(operation)];
        const int round = state.started - state.active--;
        const Operation& of = program_.operations[at(operation)];
        const Communicator& comm = program_.comms[at(of.comm)];
        const bool answered = comm.size() > 1 && of.kind != Kind::message && random_.chance(20);
        if (!answered) return add(Action::complete, operation, round);
        const int from = static_cast<int>(random_.below(comm.size()));
        const int to = static_cast<int>(from + 1 + random_.below(comm.size() - 1)) % comm.size();
        add(Action::complete, operation, round, from, to);
        add(Action::token, 0, 0, comm.members[at(from)], comm.members[at(to)]);
    }
    void complete_one() {
        const std::vector<int> active = where(true);
        if (!active.empty()) complete(random_.pick(active));
    }
    void complete_all() {
        std::vector<int> active = where(true);
        random_.shuffle(active);
        for (const int operation : active) complete(operation);
    }

    void free_request() {
        std::vector<int> inactive;
        for (std::size_t o = 0; o < operations_.size(); o++)
            if (operations_[o].alive && operations_[o].active == 0)
                inactive.push_back(static_cast<int>(o));
        if (inactive.empty()) return;
        const int operation = random_.pick(inactive);
        const Operation& of = program_.operations[at(operation)];
        operations_[at(operation)].alive = false;
        if (of.kind == Kind::message || of.is_called()) comms_[at(of.comm)].handle_users--;
        add(Action::free_request, operation);
    }

    // ---- Blocking calls ----

    void block() {
        const int number = alive_comm();
        const Communicator& comm = program_.comms[at(number)];
        const Action action = random_.pick({Action::barrier, Action::allreduce, Action::bcast,
                                            Action::duplicate, Action::sendrecv, Action::token});
        if (action == Action::token) {
            const auto from = random_.below(conditions_.ranks);
            const auto to = random_.below(conditions_.ranks);
            if (from != to) add(action, 0, 0, static_cast<int>(from), static_cast<int>(to));
            return;
        }
        if (comm.is_inter() && (action == Action::bcast || action == Action::sendrecv)) return;
        if (action == Action::sendrecv) {
            if (comms_[at(number)].messages.any_tag) return;
            comms_[at(number)].messages.is_used = true;
        }
        add(action, number);
    }

    Program& program_;
    const Conditions& conditions_;
    Random random_;
    std::vector<CommState> comms_;
    std::vector<OperationState> operations_;
    std::vector<int> active_bundles_;
};

} // namespace

Program generate(std::uint64_t seed, const Conditions& conditions) {
    Program program;
    program.seed = seed;
    program.ranks = conditions.ranks;
    Generator(program, conditions).run();
    return program;
}

} // namespace fuzz
