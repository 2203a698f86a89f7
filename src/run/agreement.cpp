// SPDX-License-Identifier: BSD-3-Clause
//
// A field must be equal on all ranks if its maximum equals its minimum, which is the negated
// maximum of the negated field: one allreduce answers both. Only where they differ a second
// exchange finds out who.
#include "run/agreement.hpp"

#include "run/arguments.hpp"
#include "run/failure.hpp"

#include <array>
#include <string>

namespace mpix::run {
namespace {

struct Field {
    const char* name;
    std::int64_t Facts::*value;
    int error_class;
};

constexpr Field equal_fields[] = {
    {"operation", &Facts::collective, MPI_ERR_OTHER},
    {"root", &Facts::root, MPI_ERR_ROOT},
    {"commutativity of op", &Facts::commutative, MPI_ERR_OP},
    {"total size in bytes", &Facts::bytes, MPI_ERR_COUNT},
};
constexpr std::size_t equals = std::size(equal_fields);

std::string text_of(const Field& field, std::int64_t value) {
    if (field.value == &Facts::collective) return name(static_cast<Collective>(value));
    return std::to_string(value);
}

[[noreturn]] void disagree(Context& context, const Facts& facts, const Field& field) {
    const auto values = exchange(context, facts.*field.value);
    std::size_t other = 0;
    while (values[other] == values[0]) ++other;
    const std::string text = std::string(name(static_cast<Collective>(facts.collective))) + ": " +
                             field.name + " differs: rank 0 has " + text_of(field, values[0]) +
                             ", rank " + std::to_string(other) + " has " +
                             text_of(field, values[other]);
    throw Failure{host::error_code(field.error_class, text)};
}

} // namespace

void agree(Context& context, Facts& facts) {
    if (context.ranks == 1) return;
    std::array<std::int64_t, 2 * equals + 2> values;
    for (std::size_t i = 0; i < equals; ++i) {
        values[2 * i] = facts.*equal_fields[i].value;
        values[2 * i + 1] = -values[2 * i];
    }
    values[2 * equals] = facts.total;
    values[2 * equals + 1] = facts.largest;
    MPI_Request request = MPI_REQUEST_NULL;
    check(HOST(Iallreduce)(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()),
                           MPI_INT64_T, MPI_MAX, context.shadow(), &request));
    check(wait_for(request));
    for (std::size_t i = 0; i < equals; ++i)
        if (values[2 * i] != -values[2 * i + 1]) disagree(context, facts, equal_fields[i]);
    facts.total = values[2 * equals];
    facts.largest = values[2 * equals + 1];
}

std::vector<std::int64_t> exchange(Context& context, std::int64_t own) {
    std::vector<std::int64_t> all(static_cast<std::size_t>(context.ranks));
    MPI_Request request = MPI_REQUEST_NULL;
    check(HOST(Iallgather)(&own, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, context.shadow(),
                           &request));
    check(wait_for(request));
    return all;
}

} // namespace mpix::run
