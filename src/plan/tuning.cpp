// SPDX-License-Identifier: BSD-3-Clause
//
// Reading and writing tables.
#include "plan/tuning.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace mpix::plan {
namespace {

using plan::Model;

constexpr std::pair<std::string_view, double Model::*> constants[] = {
    {"latency", &Model::latency_us},
    {"overhead", &Model::overhead_us},
    {"taking", &Model::taking_us},
    {"per_byte", &Model::per_byte_us},
    {"node.latency", &Model::node_latency_us},
    {"node.overhead", &Model::node_overhead_us},
    {"node.per_byte", &Model::node_per_byte_us},
    {"socket.latency", &Model::socket_latency_us},
    {"socket.overhead", &Model::socket_overhead_us},
    {"socket.per_byte", &Model::socket_per_byte_us},
    {"cache.latency", &Model::cache_latency_us},
    {"cache.overhead", &Model::cache_overhead_us},
    {"cache.per_byte", &Model::cache_per_byte_us},
    {"copy", &Model::copy_us},
    {"reduce", &Model::reduce_us},
    {"crossing", &Model::crossing},
    {"streams", &Model::streams},
    {"gap", &Model::gap_us},
    {"rendezvous", &Model::rendezvous_us},
    {"eager", &Model::eager_bytes},
};

constexpr std::string_view delegate = "delegate";

std::string quoted(std::string_view word) {
    std::string text = "'";
    text.append(word);
    return text += '\'';
}

template<class Number>
bool read(std::string_view word, Number& value) {
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc{} && end == word.data() + word.size();
}

// The words of one line, in order.
class Line {
  public:
    Line(std::string_view text, int number)
        : rest_(text.substr(0, text.find('#'))), number_(number) {}

    // Empty at the end.
    std::string_view next() {
        constexpr std::string_view blank = " \t\r\v\f";
        rest_.remove_prefix(std::min(rest_.find_first_not_of(blank), rest_.size()));
        const std::string_view word = rest_.substr(0, rest_.find_first_of(blank));
        rest_.remove_prefix(word.size());
        return word;
    }

    void end() {
        if (const auto word = next(); !word.empty())
            reject("nothing may follow, but " + quoted(word) + " does");
    }

    [[noreturn]] void reject(const std::string& reason) const { throw Malformed{number_, reason}; }

  private:
    std::string_view rest_;
    int number_;
};

// "8", "8-64" or "8-".
Range read_range(Line& line, const char* of) {
    const std::string_view word = line.next();
    if (word.empty()) line.reject(std::string(of) + " lacks its number or range");
    const std::size_t dash = word.find('-');
    const std::string_view first = word.substr(0, dash);
    const std::string_view last = dash == word.npos ? first : word.substr(dash + 1);
    Range range;
    const bool is_read = read(first, range.least) && (last.empty() || read(last, range.most));
    if (!is_read || range.least < 0 || range.most < 0)
        line.reject(std::string(of) + " " + quoted(word) + " is no number or range");
    if (range.least > range.most) line.reject(std::string(of) + " " + quoted(word) + " is empty");
    return range;
}

const plan::Solver* read_solver(Line& line, Collective collective, std::string_view word) {
    if (word.empty()) line.reject("the solver is missing");
    if (word == delegate) return nullptr;
    const plan::Solver* solver = plan::find_solver(word);
    if (!solver) line.reject(quoted(word) + " is no solver");
    if (solver->kind != kind(collective))
        line.reject(quoted(word) + " is no solver of " + std::string(short_name(collective)));
    return solver;
}

Rule read_rule(Line& line, Collective collective) {
    Rule rule{.collective = collective};
    bool has_ranks = false, has_bytes = false;
    while (true) {
        const std::string_view word = line.next();
        bool is_twice = false;
        if (word == "ranks") {
            is_twice = std::exchange(has_ranks, true);
            rule.ranks = read_range(line, "ranks");
        } else if (word == "bytes") {
            is_twice = std::exchange(has_bytes, true);
            rule.bytes = read_range(line, "bytes");
        } else if (word == "node" || word == "nodes") {
            is_twice = rule.one_node.has_value();
            rule.one_node = word == "node";
        } else {
            rule.solver = read_solver(line, collective, word);
            line.end();
            return rule;
        }
        if (is_twice) line.reject(quoted(word) + " is not the first of its sort");
    }
}

Constant read_constant(Line& line) {
    const std::string_view name = line.next(), text = line.next();
    double value = 0;
    for (const auto& [known, member] : constants) {
        if (known != name) continue;
        if (text.empty()) line.reject(quoted(name) + " lacks its value");
        if (!read(text, value) || !std::isfinite(value) || value <= 0)
            line.reject(quoted(text) + " is no number above 0");
        line.end();
        return {member, value};
    }
    line.reject(name.empty() ? "the constant is missing" : quoted(name) + " is no constant");
}

void read_line(Line& line, Tuning& into) {
    const std::string_view word = line.next();
    if (word.empty()) return;
    if (word == "constant")
        into.constants.push_back(read_constant(line));
    else if (const auto collective = find_collective(word))
        into.rules.push_back(read_rule(line, *collective));
    else
        line.reject(quoted(word) + " is no operation and not 'constant'");
}

std::string to_text(const char* of, const Range& range) {
    if (range == Range{}) return "";
    std::string text = of + std::to_string(range.least);
    if (range.most == range.least) return text;
    return text + '-' + (range.most == Range::no_limit ? "" : std::to_string(range.most));
}

std::string to_text(const Constant& constant) {
    char value[32] = ""; // the shortest text that is read as the same number
    *std::to_chars(value, value + sizeof value - 1, constant.value).ptr = '\0';
    std::string text = "constant ";
    for (const auto& [name, member] : constants)
        if (member == constant.member) text += name;
    return text + ' ' + value + '\n';
}

// The host reduces in an order of its own.
bool can_follow(const Rule& rule, const plan::Shape& shape) {
    return rule.solver ? rule.solver->applicable(shape) : shape.order != plan::Order::fixed;
}

} // namespace

bool Rule::holds(Collective of, const plan::Shape& shape) const {
    // One rank is a node of its own.
    const bool is_one_node = shape.one_node || shape.ranks == 1;
    return of == collective && ranks.holds(shape.ranks) && bytes.holds(shape.largest) &&
           one_node.value_or(is_one_node) == is_one_node;
}

std::optional<const plan::Solver*> Tuning::choose(Collective collective,
                                                  const plan::Shape& shape) const {
    // Between two groups an operation is of another kind.
    if (kind(collective) != shape.kind) return std::nullopt;
    for (auto rule = rules.rbegin(); rule != rules.rend(); ++rule)
        if (rule->holds(collective, shape) && can_follow(*rule, shape)) return rule->solver;
    return std::nullopt;
}

void Tuning::apply_to(Model& model) const {
    for (const Constant& constant : constants) model.*constant.member = constant.value;
}

Tuning parse_tuning(std::string_view text) {
    Tuning tuning;
    for (int number = 1; !text.empty(); ++number) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        Line line(text.substr(0, end), number);
        read_line(line, tuning);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return tuning;
}

std::string to_text(const Rule& rule) {
    std::string text(short_name(rule.collective));
    text += to_text(" ranks ", rule.ranks) + to_text(" bytes ", rule.bytes);
    if (rule.one_node) text += *rule.one_node ? " node" : " nodes";
    return text + ' ' + std::string(rule.solver ? rule.solver->name : delegate) + '\n';
}

std::string to_text(const Tuning& tuning) {
    std::string text;
    for (const Constant& constant : tuning.constants) text += to_text(constant);
    for (const Rule& rule : tuning.rules) text += to_text(rule);
    return text;
}

} // namespace mpix::plan
