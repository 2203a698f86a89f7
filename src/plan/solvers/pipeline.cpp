// SPDX-License-Identifier: BSD-3-Clause
//
// The number of segments that minimises the cost, or that sends none whose receiver is asked first.
#include "plan/solvers/pipeline.hpp"

#include <algorithm>
#include <cmath>

namespace mpix::plan {
namespace {

constexpr int most_segments = 256; // what keeps a plan small

// A rank between two others posts a receive and a send for each segment.
double posting(const Model& model) { return model.overhead_us + model.sending(); }

double byte_us(const Model& model, double work_us) {
    return model.relaying() * model.per_byte_us + work_us;
}

// Where nodes follow each other a vector goes from each to the next once.
bool crosses_once(const Shape& shape, const Model& model) {
    return shape.nodes.count() > 1 && shape.nodes.are_in_order() && !model.is_crowded();
}

// Between the ranks that a segment needs longest from.
Model slowest(const Shape& shape, const Model& model) {
    return crosses_once(shape, model) ? model.between_nodes(1) : model;
}

double to_the_last(const Shape& shape, const Model& model, double bytes, double work) {
    if (!crosses_once(shape, model)) return model.chain(shape.ranks - 1, bytes, work);
    const int nodes = shape.nodes.count();
    return slowest(shape, model).chain(nodes - 1, bytes, work) +
           model.within(shape.nodes.inside_largest().locality)
               .chain(shape.ranks - nodes, bytes, work);
}

double cost_of(const Shape& shape, const Model& model, double work_us, int pieces) {
    const double bytes = static_cast<double>(shape.total) / pieces;
    const Model hop = slowest(shape, model);
    return to_the_last(shape, model, bytes, bytes * work_us) +
           (pieces - 1) * (posting(hop) + hop.asking(bytes) + bytes * byte_us(hop, work_us));
}

} // namespace

int pipeline_segments(const Shape& shape, const Model& model, double work_us) {
    if (shape.is_piece) return 1;
    const auto bytes = static_cast<double>(shape.total);
    const auto elements = static_cast<double>(shape.total / shape.grain);
    const double most = std::min<double>(elements, most_segments);
    const auto pieces = [&](double wanted) {
        return std::max(1, static_cast<int>(std::min(wanted, most)));
    };
    const double hops = std::max(shape.ranks - 2, 0);
    const Model hop = slowest(shape, model);
    const double hop_us = bytes * byte_us(hop, work_us);
    const int quickest = pieces(std::sqrt(hops * hop_us / posting(hop)));
    const int eager = pieces(bytes / model.eager_bytes + 1);
    return cost_of(shape, model, work_us, quickest) <= cost_of(shape, model, work_us, eager)
               ? quickest
               : eager;
}

double cost_of_pipeline(const Shape& shape, const Model& model, double work_us) {
    return cost_of(shape, model, work_us, pipeline_segments(shape, model, work_us));
}

} // namespace mpix::plan
