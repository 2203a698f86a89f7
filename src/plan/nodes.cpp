// SPDX-License-Identifier: BSD-3-Clause
//
// Counting ranks by node.
#include "plan/nodes.hpp"

#include <algorithm>

namespace mpix::plan {
namespace {

std::vector<int> sizes(const Shape& shape) {
    std::vector<int> counts(static_cast<std::size_t>(count_nodes(shape)));
    for (const int node : shape.nodes) ++counts[static_cast<std::size_t>(node)];
    return counts;
}

} // namespace

int count_nodes(const Shape& shape) {
    return shape.nodes.empty() ? 0 : *std::ranges::max_element(shape.nodes) + 1;
}

int largest_node(const Shape& shape) { return std::ranges::max(sizes(shape)); }
int smallest_node(const Shape& shape) { return std::ranges::min(sizes(shape)); }

} // namespace mpix::plan
