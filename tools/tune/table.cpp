// SPDX-License-Identifier: BSD-3-Clause
#include "tools/tune/table.hpp"

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <sstream>

namespace mpix::tune {

namespace {

// The last size that is nearer to the smaller one.
std::int64_t between(std::size_t smaller, std::size_t larger) {
    return static_cast<std::int64_t>(
        std::sqrt(static_cast<double>(smaller) * static_cast<double>(larger)));
}

plan::Range range(std::span<const std::size_t> sizes, std::size_t i) {
    const bool is_last = i + 1 == sizes.size();
    return {i == 0 ? 0 : between(sizes[i - 1], sizes[i]) + 1,
            is_last ? static_cast<std::int64_t>(sizes[i]) : between(sizes[i], sizes[i + 1])};
}

} // namespace

std::vector<plan::Rule> rules(plan::Collective collective, int ranks, bool one_node,
                              std::span<const std::size_t> sizes,
                              std::span<const Finding> findings) {
    std::vector<plan::Rule> rules;
    bool continues = false;
    for (std::size_t i = 0; i < findings.size(); ++i) {
        const Finding& finding = findings[i];
        const plan::Range bytes = sizes.empty() ? plan::Range{} : range(sizes, i);
        const bool is_changed = finding.fastest != finding.usual;
        if (is_changed && continues && Solver{rules.back().solver} == finding.fastest)
            rules.back().bytes.most = bytes.most;
        else if (is_changed)
            rules.push_back({collective, {ranks, ranks}, bytes, one_node, finding.fastest.solver});
        continues = is_changed;
    }
    return rules;
}

std::string obstacle(const std::string& file, bool append) {
    std::ifstream before(file);
    std::ostringstream text;
    if (append && before) text << before.rdbuf();
    try {
        plan::parse_tuning(text.str());
    } catch (const plan::Malformed& malformed) {
        return file + ": line " + std::to_string(malformed.line) + ": " + malformed.reason;
    }
    const std::ofstream after(file, std::ios::app);
    return after ? "" : file + ": " + std::strerror(errno);
}

bool write(const std::string& file, bool append, const std::string& heading,
           const std::vector<plan::Rule>& rules) {
    std::ofstream to(file, append ? std::ios::app : std::ios::trunc);
    to << "# " << heading << '\n';
    for (const plan::Rule& rule : rules) to << to_text(rule);
    to.close();
    return !to.fail();
}

} // namespace mpix::tune
