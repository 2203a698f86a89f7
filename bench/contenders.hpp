// SPDX-License-Identifier: BSD-3-Clause
//
// The four that run against each other: three of the host, and mpix.
#pragma once

#include "operations.hpp"

#include <array>
#include <functional>
#include <memory>
#include <string_view>

namespace mpix::bench {

enum class Verdict {
    right,
    wrong,   // it ran, and an answer or a return code was wrong
    missing, // the host has no such operation
    skipped, // known to end or hang the program, see contenders.cpp
};

struct Contender {
    std::string_view name;
    Verdict verdict = Verdict::missing;
    std::function<int()> run{}; // one whole operation, from its start to its completion
    std::shared_ptr<MPI_Request> request{};
};

constexpr std::size_t contender_count = 4;
constexpr std::size_t mpix_contender = 3;
using Contenders = std::array<Contender, contender_count>;

// Collective: makes the persistent requests. They must be gone before the buffers are.
Contenders make_contenders(const Operation& operation, const HostLibrary& host, const Ranks& ranks,
                           const Buffers& buffers);

} // namespace mpix::bench
