// SPDX-License-Identifier: BSD-3-Clause
//
// Planning one operation.
#include "collective/init.hpp"

#include "base/settings.hpp"
#include "collective/delegation.hpp"
#include "collective/node_edges.hpp"
#include "collective/racing.hpp"
#include "collective/translate.hpp"
#include "comm/agreement.hpp"
#include "comm/connect.hpp"
#include "datatype/handle_references.hpp"
#include "host/failure.hpp"
#include "plan/planner.hpp"
#include "plan/rivals.hpp"
#include "progress/host_progress.hpp"

#include <climits>
#include <cstdio>
#include <new>
#include <optional>

namespace mpix::collective {
namespace {

using progress::Operation;
using progress::Partitions;

void print(const Operation& operation, const plan::Problem& problem) {
    const std::string& verbose = base::settings().MPIX_VERBOSE;
    if (base::is_listed(verbose, "plan:all") ||
        (base::is_listed(verbose, "plan") && problem.rank == 0))
        std::fputs(("mpix: " + to_text(operation.plan(), problem,
                                       to_text(operation.steps().links().transport())))
                       .c_str(),
                   stderr);
}

void print_ways(const Context& context, const plan::Shape& shape) {
    if (context.rank != 0 || !base::is_listed(base::settings().MPIX_VERBOSE, "ways")) return;
    const std::string ways = plan::costs_to_text(shape, context.selection().model(shape));
    std::fputs(("mpix: by the model: " + ways + "\n").c_str(), stderr);
}

datatype::HandleReferences retain(const Arguments& arguments) {
    datatype::HandleReferences references;
    for (const MPI_Datatype type : arguments.send.types) references.keep_type(type);
    for (const MPI_Datatype type : arguments.recv.types) references.keep_type(type);
    if (arguments.op != MPI_OP_NULL) references.keep_op(arguments.op);
    return references;
}

// Throws where the host's calls have no room for it.
void check_width(std::int64_t widest) {
    if (widest > INT_MAX)
        throw host::Failure{
            host::error_code(MPI_ERR_COUNT, "count or displacement " + std::to_string(widest) +
                                                " is too large to delegate to the host")};
}

// Null: the host does it.
const plan::Solver* choose(Context& context, const Arguments& arguments,
                           const Translation& translation, bool& is_guess) {
    if (translation.on_device || !translation.binding.reduction.is_possible()) return nullptr;
    const plan::Shape& shape = translation.problem.shape;
    print_ways(context, shape);
    const comm::Selection::Choice choice =
        context.selection().choose(arguments.collective, shape, translation.requested_solver);
    is_guess = choice.is_guess && choice.solver;
    return choice.solver;
}

struct Decision {
    const plan::Solver* solver; // null: the host does it
    bool has_rival = false, races_host = false;
};

// Where the model has guessed another way may be quicker. Takes no memory: the others wait for the
// host's part.
Decision decide(const Context& context, const Arguments& arguments, const Translation& translation,
                const plan::Solver* guess, const plan::Model& model) {
    const plan::Shape& shape = translation.problem.shape;
    const double expected_us = plan::cost(*guess, shape, model);
    if (!may_race(context, arguments, shape, expected_us)) return {guess};
    if (!may_race_host(context, arguments, translation.widest)) return {guess, arguments.moves};
    const std::optional<comm::RequestedSolver> known =
        translation.has_same_results ? quickest(context, arguments, shape) : std::nullopt;
    if (!known) return {guess, true, true};
    const plan::Solver* const solver = comm::solver_of(*known);
    return {!solver || solver->applicable(shape) ? solver : guess};
}

plan::Plan build(const Decision& by, const plan::Problem& problem, const plan::Model& model) {
    if (!by.solver) return plan::delegated(problem.shape.kind);
    plan::Plan plan = plan::build(*by.solver, problem, model);
    const plan::Solver* const rival =
        by.has_rival ? plan::find_rival(*by.solver, problem.shape, model) : nullptr;
    if (rival) add_rival(plan, plan::build(*rival, problem, model));
    if (by.races_host) add_rival(plan, plan::delegated(problem.shape.kind));
    return plan;
}

// Null `solver`: the host does it.
std::unique_ptr<Operation> bind(const std::shared_ptr<Communicator>& communicator,
                                const Arguments& arguments, Translation translation,
                                const plan::Solver* solver, bool is_guess) {
    Context& context = communicator->context();
    const plan::Problem& problem = translation.problem;
    const plan::Model model = context.selection().model(problem.shape);
    Decision by{solver};
    if (is_guess) by = decide(context, arguments, translation, solver, model);
    Delegation delegation;
    if (by.races_host || !by.solver) {
        check_width(translation.widest);
        delegation = delegate_to_host(context, arguments);
        if (is_guess) delegation.ranks->place = take_place(context, arguments, problem.shape);
    }
    auto operation = bind_plan(communicator, arguments, build(by, problem, model), problem,
                               std::move(translation.binding), {}, std::move(delegation.start));
    if (by.races_host)
        operation->race(
            make_race(communicator, arguments, problem.shape, operation->plan(), delegation.ranks));
    return operation;
}

Translation translate_and_place(Context& context, const Arguments& arguments) {
    Translation translation = translate(context, arguments);
    context.node_peers().place(translation.problem.shape, translation.binding.over_host);
    return translation;
}

std::unique_ptr<Operation> make(const std::shared_ptr<Communicator>& communicator,
                                const Arguments& arguments) {
    Context& context = communicator->context();
    Translation translation = translate_and_place(context, arguments);
    share_edges(context, translation.edges, *translation.edge_sums, translation.problem);
    bool is_guess = false;
    const plan::Solver* const solver = choose(context, arguments, translation, is_guess);
    return bind(communicator, arguments, std::move(translation), solver, is_guess);
}

} // namespace

std::unique_ptr<Operation> bind_plan(const std::shared_ptr<Communicator>& communicator,
                                     const Arguments& arguments, plan::Plan plan,
                                     const plan::Problem& problem, Binding binding,
                                     std::unique_ptr<Partitions> partitions,
                                     progress::Delegate delegate) {
    auto operation =
        std::make_unique<Operation>(progress::About{.name = name(arguments.call()),
                                                    .error_communicator = communicator,
                                                    .references = retain(arguments),
                                                    .buffers = collective::buffers_of(arguments),
                                                    .checked_arrays = arguments.checked_arrays,
                                                    .partitions = std::move(partitions)});
    Context& context = communicator->context();
    const bool is_wanted = !binding.over_host;
    operation->bind(
        std::move(plan), std::move(binding), context.tags(),
        [&](const plan::Plan& of, const progress::Links::Source& source) {
            return comm::connect(context, of, is_wanted, source);
        },
        std::move(delegate));
    announce(*operation, problem);
    return operation;
}

void announce(Operation& operation, const plan::Problem& problem) noexcept {
    try {
        print(operation, problem);
        operation.measure();
    } catch (const std::bad_alloc&) { // it is neither printed nor counted
    }
}

void fail_with_others(MPI_Comm comm) noexcept {
    try {
        progress::begin_progress();
        agree_to_fail(Communicator::of(comm)->context());
    } catch (...) { // they cannot be told
    }
}

std::unique_ptr<Operation> make_operation(const Arguments& arguments) {
    return make_operation(arguments, make);
}

std::unique_ptr<Operation> make_operation(const Arguments& arguments, MakeOperation make_on) {
    progress::begin_progress();
    const std::shared_ptr<Communicator> communicator = Communicator::of(arguments.comm);
    Context& context = communicator->context();
    const std::uint64_t plan_before = context.plan();
    try {
        return make_on(communicator, arguments);
    } catch (...) {
        if (context.plan() != plan_before)
            context.node_peers().give_up(context.plan());
        else
            agree_to_fail(context);
        throw;
    }
}

} // namespace mpix::collective
