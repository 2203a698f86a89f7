// SPDX-License-Identifier: BSD-3-Clause
//
// Planning one operation.
#include "run/init.hpp"

#include "plan/planner.hpp"
#include "run/delegation.hpp"
#include "run/process.hpp"
#include "run/settings.hpp"

#include <cstdio>
#include <string_view>

namespace mpix::run {
namespace {

// True if `word` is one of the comma-separated words of `list`.
bool names(std::string_view list, std::string_view word) {
    while (!list.empty()) {
        const std::size_t end = std::min(list.find(','), list.size());
        if (list.substr(0, end) == word) return true;
        list.remove_prefix(std::min(end + 1, list.size()));
    }
    return false;
}

// The solver that every rank chooses; null delegates. MPIX_PLAN narrows the choice for the kinds
// it names a solver of.
const plan::Solver* choose(const plan::Shape& shape, const plan::Model& model) {
    const std::string& wanted = settings().MPIX_PLAN;
    if (names(wanted, "delegate")) return nullptr;
    const auto is_wanted = [&](const plan::Solver& solver) { return names(wanted, solver.name); };
    if (!wanted.empty())
        if (const plan::Solver* solver = plan::choose(shape, model, is_wanted)) return solver;
    return plan::choose(shape, model, [](const plan::Solver&) { return true; });
}

void print(const Operation& operation, const plan::Problem& problem) {
    const std::string& verbose = settings().MPIX_VERBOSE;
    if (names(verbose, "plan:all") || (names(verbose, "plan") && problem.rank == 0))
        std::fputs(
            ("mpix: " + to_text(operation.plan(), problem, to_text(operation.transport()))).c_str(),
            stderr);
}

Retained retain(const Arguments& arguments) {
    Retained retained;
    for (const MPI_Datatype type : arguments.send.types) retained.keep_type(type);
    for (const MPI_Datatype type : arguments.recv.types) retained.keep_type(type);
    if (arguments.op != MPI_OP_NULL) retained.keep_op(arguments.op);
    return retained;
}

} // namespace

std::unique_ptr<Operation> make_operation(const Arguments& arguments) {
    begin_progress();
    const std::shared_ptr<Context> context = Context::of(arguments.comm);
    Translation translation = translate(*context, arguments);
    plan::Shape& shape = translation.problem.shape;
    shape.one_node = context->mates().everyone() && !translation.binding.over_host;
    if (!shape.one_node && !translation.binding.over_host) shape.nodes = context->mates().nodes();
    const plan::Model model = shape.one_node ? plan::Model::of_node() : plan::Model{};
    const plan::Solver* solver = choose(shape, model);
    // Before anything that may fail on this rank alone: the tags stay the same on all.
    Tags tags = context->take_tags(plan::Builder::lanes);
    Operation::Delegate delegate;
    if (!solver) delegate = delegate_to_host(*context, arguments);
    plan::Plan plan = solver ? plan::build(*solver, translation.problem, model) : plan::delegated();
    auto operation = std::make_unique<Operation>(
        arguments, std::move(plan), std::move(translation.binding), context, std::move(tags),
        retain(arguments), std::move(delegate));
    print(*operation, translation.problem);
    if (settings().MPIX_STATS) operation->measure();
    return operation;
}

} // namespace mpix::run
