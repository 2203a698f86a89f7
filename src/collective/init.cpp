// SPDX-License-Identifier: BSD-3-Clause
//
// Planning one operation.
#include "collective/init.hpp"

#include "base/settings.hpp"
#include "collective/delegation.hpp"
#include "collective/node_edges.hpp"
#include "collective/translate.hpp"
#include "collective/trial.hpp"
#include "comm/agreement.hpp"
#include "comm/connect.hpp"
#include "datatype/handle_references.hpp"
#include "host/failure.hpp"
#include "plan/planner.hpp"
#include "progress/host_progress.hpp"

#include <climits>
#include <cstdio>
#include <new>

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

// Null `solver`: the host does it.
std::unique_ptr<Operation> bind(const std::shared_ptr<Communicator>& communicator,
                                const Arguments& arguments, Translation translation,
                                const plan::Solver* solver) {
    progress::Delegate delegate;
    if (!solver) {
        check_width(translation.widest);
        delegate = delegate_to_host(communicator->context(), arguments);
    }
    const comm::Selection& selection = communicator->context().selection();
    plan::Plan plan = solver ? plan::build(*solver, translation.problem,
                                           selection.model(translation.problem.shape))
                             : plan::delegated();
    return bind_plan(communicator, arguments, std::move(plan), translation.problem,
                     std::move(translation.binding), {}, std::move(delegate));
}

Translation translate_and_place(Context& context, const Arguments& arguments) {
    Translation translation = translate(context, arguments);
    context.node_peers().place(translation.problem.shape, translation.binding.over_host);
    return translation;
}

// Null delegates. A trial makes plans of its own: what is made here is translated again then.
const plan::Solver* choose(Context& context, const Arguments& arguments, Translation& translation) {
    if (translation.on_device || !translation.binding.reduction.is_possible()) return nullptr;
    const plan::Shape& shape = translation.problem.shape;
    const comm::Selection::Choice choice =
        context.selection().choose(arguments.collective, shape, translation.requested_solver);
    Trial trial(context, arguments, shape);
    if (!choice.is_guess || !trial.applies()) return choice.solver;
    if (!trial.is_known()) {
        trial.run(*choice.solver, [](const Arguments& of) { return make_operation(of); });
        translation = translate_and_place(context, arguments);
    }
    if (!trial.is_host_quicker()) return choice.solver;
    context.host_trials().count_delegated();
    return nullptr;
}

std::unique_ptr<Operation> make(const std::shared_ptr<Communicator>& communicator,
                                const Arguments& arguments) {
    Context& context = communicator->context();
    Translation translation = translate_and_place(context, arguments);
    share_edges(context, translation.edges, *translation.edge_sums, translation.problem);
    const plan::Solver* const solver = choose(context, arguments, translation);
    return bind(communicator, arguments, std::move(translation), solver);
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
    if (!arguments.is_trial) announce(*operation, problem);
    return operation;
}

void announce(Operation& operation, const plan::Problem& problem) noexcept {
    try {
        print(operation, problem);
        if (base::settings().MPIX_STATS) operation.measure();
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
