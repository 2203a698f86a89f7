// SPDX-License-Identifier: BSD-3-Clause
#include "arguments.hpp"

#include "plan/tuning.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>

namespace mpix::simulate {

using plan::Bytes;
using plan::Kind;

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts(1);
    for (const char character : text) {
        if (character == ',')
            parts.emplace_back();
        else
            parts.back() += character;
    }
    return parts;
}

Kind parse_kind(const std::string& text) {
    constexpr std::array all{Kind::barrier,        Kind::bcast,    Kind::gather, Kind::scatter,
                             Kind::allgather,      Kind::alltoall, Kind::reduce, Kind::allreduce,
                             Kind::reduce_scatter, Kind::scan,     Kind::exscan};
    const auto found = std::ranges::find_if(all, [&](Kind kind) { return name(kind) == text; });
    if (found == all.end()) throw std::invalid_argument("'" + text + "' is no operation");
    return *found;
}

Bytes parse_bytes(const std::string& text) {
    Bytes bytes = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, bytes);
    const std::string unit(rest, end);
    if (error != std::errc() || bytes < 1 || (!unit.empty() && unit != "K" && unit != "M"))
        throw std::invalid_argument("'" + text + "' is no number of bytes");
    return unit.empty() ? bytes : bytes << (unit == "K" ? 10 : 20);
}

int parse_number(const std::string& text) {
    int number = 0;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc() || rest != end || number < 1)
        throw std::invalid_argument("'" + text + "' is no number from 1 on");
    return number;
}

void set_constant(plan::Model& model, std::string word) {
    std::replace(word.begin(), word.end(), '=', ' ');
    try {
        plan::parse_tuning("constant " + word).apply_to(model);
    } catch (const plan::Malformed& malformed) {
        throw std::invalid_argument(malformed.reason);
    }
}

std::string Words::value() {
    const std::string option = words_[at_];
    std::string word;
    if (!next(word)) throw std::invalid_argument(option + " needs a value");
    return word;
}

} // namespace mpix::simulate
