// SPDX-License-Identifier: BSD-3-Clause
//
// A tuning table: which solver runs where, and the constants of the cost model. It is text, as
// docs/tuning.md describes it, and made of values: it knows no MPI, no file and no environment.
#pragma once

#include "plan/collective.hpp"
#include "plan/solver.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpix::plan {

struct Range {
    static constexpr std::int64_t no_limit = INT64_MAX;

    std::int64_t least = 0;
    std::int64_t most = no_limit;

    bool holds(std::int64_t value) const { return least <= value && value <= most; }
    friend bool operator==(const Range&, const Range&) = default;
};

struct Rule {
    Collective collective = Collective::barrier;
    Range ranks{};
    Range bytes{};                   // of the largest block
    std::optional<bool> one_node{};  // whether all ranks share memory; nothing: either
    const plan::Solver* solver = {}; // null delegates

    bool holds(Collective of, const plan::Shape& shape) const;
};

struct Constant {
    double plan::Model::*member;
    double value;
};

struct Tuning {
    std::vector<Rule> rules;
    std::vector<Constant> constants;

    // The solver of the last rule that holds and can be followed, null to delegate. Nothing if
    // there is none.
    std::optional<const plan::Solver*> choose(Collective collective,
                                              const plan::Shape& shape) const;
    void apply_to(plan::Model& model) const;
};

struct Malformed {
    int line; // from 1 on
    std::string reason;
};

// Throws Malformed.
Tuning parse_tuning(std::string_view text);

// As they are parsed: a line each.
std::string to_text(const Rule& rule);
std::string to_text(const Tuning& tuning);

} // namespace mpix::plan
