// SPDX-License-Identifier: BSD-3-Clause
//
// A field must be equal on all ranks if its maximum equals its minimum, which is the negated
// maximum of the negated field; a sum beside the maxima balances what is sent against what is
// expected. One allreduce with an operation of our own answers it all. Only where it finds a
// difference further exchanges find out who.
#include "comm/agreement.hpp"

#include "comm/selection.hpp"
#include "datatype/ops.hpp"
#include "plan/collective.hpp"

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <string>

namespace mpix::comm {
namespace {

struct Field {
    const char* name;
    std::int64_t Facts::*value;
    int error_class;
};

constexpr Field equal_fields[] = {
    {"operation", &Facts::collective, MPI_ERR_OTHER},
    {"root", &Facts::root, MPI_ERR_ROOT},
    {"op", &Facts::op, MPI_ERR_OP},
    {"MPI_IN_PLACE", &Facts::in_place, MPI_ERR_BUFFER},
    {"size of datatype in bytes", &Facts::element, MPI_ERR_TYPE},
    {"total size in bytes", &Facts::bytes, MPI_ERR_COUNT},
    {"info mpix_plan", &Facts::requested_solver, MPI_ERR_INFO},
    {"info assertions", &Facts::assertions, MPI_ERR_INFO},
    {"number of partitions", &Facts::root_partitions, MPI_ERR_COUNT},
    {"number of partitions", &Facts::partitions, MPI_ERR_COUNT},
};
constexpr std::size_t equals = std::size(equal_fields);

constexpr std::int64_t Facts::*maxima[] = {
    &Facts::total,     &Facts::largest,     &Facts::over_host,    &Facts::widest,
    &Facts::tags,      &Facts::min_message, &Facts::few_messages, &Facts::on_device,
    &Facts::edges,     &Facts::order_shows, &Facts::results,      &Facts::less_results,
    &Facts::delegated, &Facts::failed};

// What travels: the equal fields and their negatives, the maxima, and the sum as the last.
constexpr std::size_t maxima_at = 2 * equals, plan_at = maxima_at + std::size(maxima),
                      sum_at = plan_at + 1;
constexpr std::size_t tags_at = maxima_at + 4, failed_at = plan_at - 1;
static_assert(maxima[tags_at - maxima_at] == &Facts::tags);
static_assert(maxima[failed_at - maxima_at] == &Facts::failed);
using Values = std::array<std::int64_t, sum_at + 1>;

void combine_values(void* in, void* inout, int* count, MPI_Datatype*) {
    const auto* from = static_cast<const Values*>(in);
    auto* into = static_cast<Values*>(inout);
    for (int i = 0; i < *count; ++i) {
        for (std::size_t field = 0; field < sum_at; ++field)
            into[i][field] = std::max(into[i][field], from[i][field]);
        // Unsigned: it wraps.
        into[i][sum_at] = static_cast<std::int64_t>(static_cast<std::uint64_t>(into[i][sum_at]) +
                                                    static_cast<std::uint64_t>(from[i][sum_at]));
    }
}

// The operation and the type of Values, made at the first agreement.
struct Combination {
    MPI_Op op = MPI_OP_NULL;
    MPI_Datatype type = MPI_DATATYPE_NULL;
};
std::mutex combination_mutex;
Combination made_combination;

Combination combination() {
    const std::lock_guard lock(combination_mutex);
    Combination& made = made_combination;
    if (made.type == MPI_DATATYPE_NULL) {
        HOST(Op_create)(combine_values, 1, &made.op);
        HOST(Type_contiguous)(static_cast<int>(sum_at + 1), MPI_INT64_T, &made.type);
        HOST(Type_commit)(&made.type);
    }
    return made;
}

std::string text_of(const Context& context, const Field& field, std::int64_t value) {
    if (field.value == &Facts::collective) return name(plan::Call::of_number(value));
    if (field.value == &Facts::op) return datatype::op_name(value);
    if (field.value == &Facts::in_place) return value ? "it" : "it not";
    if (field.value == &Facts::requested_solver) return std::string(name_of(value));
    if (field.value == &Facts::root && context.is_inter)
        return context.name_of(static_cast<int>(value));
    return std::to_string(value);
}

[[noreturn]] void disagree(const Context& context, const Facts& facts, const Field& field) {
    const auto values = exchange(context.all_ranks(), facts.*field.value);
    std::size_t one = 0;
    while (values[one] == unsaid) ++one;
    std::size_t other = one;
    while (values[other] == values[one] || values[other] == unsaid) ++other;
    const auto says = [&](std::size_t rank) {
        return context.name_of(static_cast<int>(rank)) + " has " +
               text_of(context, field, values[rank]);
    };
    const std::string text = std::string(name(plan::Call::of_number(facts.collective))) + ": " +
                             field.name + " differs: " + says(one) + ", " + says(other);
    throw host::Failure{host::error_code(field.error_class, text)};
}

void check_blocks(const Context& context, const Facts& facts, std::uint64_t sum,
                  const SizeCheck& size_check) {
    if (sum == 0) return;
    const std::string call = name(plan::Call::of_number(facts.collective));
    throw host::Failure{
        host::error_code(MPI_ERR_COUNT, call + ": " + size_check.mismatch(context))};
}

// Combines the values with those of the other ranks, and begins a plan.
void combine_all(Context& context, Values& values) {
    values[plan_at] = static_cast<std::int64_t>(context.next_plan());
    const auto [op, type] = combination();
    combine(context.all_ranks(), values.data(), 1, type, op);
    context.begin_plan(static_cast<std::uint64_t>(values[plan_at]), values[tags_at]);
}

bool differs(const Values& values, std::size_t field) {
    const std::int64_t most = values[2 * field];
    return most != unsaid && most != -values[2 * field + 1];
}

} // namespace

void agree(Context& context, Facts& facts, const SizeCheck& size_check) {
    if (context.ranks_of_all == 1) {
        context.begin_plan(context.next_plan(), facts.tags);
        return check_blocks(context, facts, size_check.fingerprint(0), size_check);
    }
    // Not on the stack: any thread that moves the host writes them.
    const auto held = std::make_unique<Values>();
    Values& values = *held;
    for (std::size_t i = 0; i < equals; ++i) {
        const std::int64_t value = facts.*equal_fields[i].value;
        values[2 * i] = value;
        values[2 * i + 1] = value == unsaid ? unsaid : -value;
    }
    for (std::size_t i = 0; i < std::size(maxima); ++i) values[maxima_at + i] = facts.*maxima[i];
    values[sum_at] = static_cast<std::int64_t>(size_check.fingerprint(context.rank_of_all));
    combine_all(context, values);
    if (values[failed_at] > 0)
        throw host::Failure{
            host::error_code(MPI_ERR_OTHER, "another rank could not make its plan")};
    for (std::size_t i = 0; i < equals; ++i)
        if (differs(values, i)) disagree(context, facts, equal_fields[i]);
    check_blocks(context, facts, static_cast<std::uint64_t>(values[sum_at]), size_check);
    for (std::size_t i = 0; i < equals; ++i) facts.*equal_fields[i].value = values[2 * i];
    for (std::size_t i = 0; i < std::size(maxima); ++i) facts.*maxima[i] = values[maxima_at + i];
}

// There may be no memory.
void agree_to_fail(Context& context) noexcept {
    static Values values;
    static std::mutex one_at_a_time;
    if (context.ranks_of_all == 1) return;
    try {
        const std::lock_guard lock(one_at_a_time);
        for (std::size_t i = 0; i < maxima_at; ++i) values[i] = unsaid;
        for (std::size_t i = maxima_at; i < plan_at; ++i) values[i] = 0;
        values[failed_at] = 1;
        values[sum_at] = 0;
        combine_all(context, values);
    } catch (...) { // the host has refused it many times
    }
}

void end_agreements() {
    if (made_combination.type == MPI_DATATYPE_NULL) return;
    HOST(Type_free)(&made_combination.type);
    HOST(Op_free)(&made_combination.op);
}

} // namespace mpix::comm
