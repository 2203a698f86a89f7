// SPDX-License-Identifier: BSD-3-Clause
//
// Their table, made of the operations that there are and what is counted of each.
#include "intercept/performance_variables.hpp"

#include "automatic/planned.hpp"
#include "intercept/handles.hpp"
#include "library/counted_operations.hpp"
#include "progress/engine.hpp"
#include "shmem/segment.hpp"

namespace mpix::intercept::tools {
namespace {

using progress::Counters;

struct Quantity {
    const char* name;
    const char* description;
    int var_class;
    std::int64_t Counters::*counter;
};
constexpr Quantity quantities[] = {
    {"inits", "requests and plans made", MPI_T_PVAR_CLASS_COUNTER, &Counters::inits},
    {"starts", "rounds started", MPI_T_PVAR_CLASS_COUNTER, &Counters::starts},
    {"bytes_sent", "bytes sent", MPI_T_PVAR_CLASS_AGGREGATE, &Counters::bytes},
    {"time", "seconds from Start to the completion of the last step", MPI_T_PVAR_CLASS_TIMER,
     &Counters::nanoseconds},
};

struct Level {
    const char* name;
    const char* description;
    std::int64_t (*value)();
};
const Level levels[] = {
    {"mpix_requests", "requests of the library that there are",
     [] { return static_cast<std::int64_t>(handles().count()); }},
    {"mpix_pending", "messages and other steps that active plans wait for",
     [] { return static_cast<std::int64_t>(progress::engine().pending()); }},
    {"mpix_kept_plans", "plans that communicators keep for plain collectives",
     [] {
         return static_cast<std::int64_t>(automatic::Planned::kept.load(std::memory_order_relaxed));
     }},
    {"mpix_shared_memory", "bytes of memory that this process shares with its node",
     [] { return static_cast<std::int64_t>(shmem::segment_size()); }},
};

void add(std::vector<PerformanceVariable>& all, const std::string& operation) {
    const std::string what = operation.empty() ? "all operations" : operation;
    for (const Quantity& quantity : quantities)
        all.push_back({.name = "mpix_" + operation + (operation.empty() ? "" : "_") + quantity.name,
                       .description = what + ": " + quantity.description,
                       .var_class = quantity.var_class,
                       .verbosity = operation.empty() ? int{MPI_T_VERBOSITY_USER_BASIC}
                                                      : int{MPI_T_VERBOSITY_USER_DETAIL},
                       .operation = operation,
                       .counter = quantity.counter});
}

std::vector<PerformanceVariable> make_all() {
    std::vector<PerformanceVariable> all;
    add(all, "");
    for (const Level& level : levels)
        all.push_back({.name = level.name,
                       .description = level.description,
                       .var_class = MPI_T_PVAR_CLASS_LEVEL,
                       .verbosity = MPI_T_VERBOSITY_USER_BASIC,
                       .operation = {},
                       .level = level.value});
    for (const std::string& operation : library::counted_operations()) add(all, operation);
    return all;
}

} // namespace

std::int64_t PerformanceVariable::value() const {
    return is_level() ? level() : library::counted(operation, counter);
}

const std::vector<PerformanceVariable>& performance_variables() {
    static const auto& all = *new std::vector(make_all()); // never destroyed
    return all;
}

} // namespace mpix::intercept::tools
