// SPDX-License-Identifier: BSD-3-Clause
//
// Reading the text: a number counts what is in each of the levels around it.
#include "plan/topology.hpp"

#include <charconv>
#include <cstdint>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

namespace mpix::plan {
namespace {

constexpr std::int64_t most_cores = 1 << 22;

// What a word's number counts the parts of: so many nodes are in the network.
constexpr std::pair<std::string_view, Locality> words[] = {
    {"node", Locality::network},   {"machine", Locality::network}, {"socket", Locality::node},
    {"package", Locality::node},   {"pack", Locality::node},       {"numa", Locality::node},
    {"numanode", Locality::node},  {"cache", Locality::socket},    {"l3", Locality::socket},
    {"l3cache", Locality::socket}, {"l2", Locality::cache},        {"core", Locality::cache},
    {"pu", Locality::cache}};

[[noreturn]] void reject(const std::string& word) {
    throw std::invalid_argument("'" + word +
                                "' is not a level and its number, as node:4, from the outermost "
                                "in: node, socket, cache, core");
}

std::pair<Locality, int> parse_word(const std::string& word) {
    const std::size_t colon = word.find(':');
    if (colon == std::string::npos) reject(word);
    const std::string_view name = std::string_view(word).substr(0, colon);
    const char* const end = word.data() + word.size();
    int count = 0;
    const auto [rest, error] = std::from_chars(word.data() + colon + 1, end, count);
    if (error != std::errc() || rest != end || count < 1) reject(word);
    for (const auto& [known, around] : words)
        if (name == known) return {around, count};
    reject(word);
}

} // namespace

Topology Topology::parse(const std::string& text) {
    Topology topology;
    std::istringstream all(text);
    Locality before = Locality::network;
    for (std::string word; all >> word;) {
        const auto [around, count] = parse_word(word);
        if (around < before) reject(word);
        before = around;
        for (std::size_t level = 0; level <= static_cast<std::size_t>(around); ++level) {
            const std::int64_t cores = std::int64_t{topology.cores_[level]} * count;
            if (cores > most_cores)
                throw std::invalid_argument("'" + text + "' has too many cores");
            topology.cores_[level] = static_cast<int>(cores);
        }
    }
    return topology;
}

Nodes Topology::placement(bool is_cyclic) const {
    const auto at = [&](Locality locality, Nodes inner) {
        const int around = cores_[static_cast<std::size_t>(locality) - 1];
        const bool divides = each(locality) > 1 && each(locality) < around;
        if (locality != Locality::node && !divides) return inner;
        std::vector<int> of_ranks;
        of_ranks.reserve(static_cast<std::size_t>(cores()));
        for (int rank = 0; rank < cores(); ++rank) {
            const int dealt = rank % nodes() * cores_of_node() + rank / nodes();
            of_ranks.push_back(of(locality, is_cyclic ? dealt : rank));
        }
        return Nodes(of_ranks, locality, std::move(inner));
    };
    return at(Locality::node, at(Locality::socket, at(Locality::cache, {})));
}

} // namespace mpix::plan
