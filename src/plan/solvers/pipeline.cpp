// SPDX-License-Identifier: BSD-3-Clause
//
// The number of segments that minimises the cost, or that sends none whose receiver is asked first.
#include "plan/solvers/pipeline.hpp"

#include <algorithm>
#include <cmath>

namespace mpix::plan {
namespace {

constexpr int most_segments = 256; // what keeps a plan small

// Of one rank after the other. Where nodes follow each other a vector goes from each to the next
// once, and once more where it begins within one.
struct Route {
    Model across, inside;
    int crossings, hops; // the latter within nodes

    Route(const Shape& shape, const Model& model)
        : across(model), inside(model), crossings(shape.ranks - 1), hops(0) {
        const int nodes = shape.nodes.count();
        if (nodes < 2 || model.is_crowded() || !shape.nodes.are_in_order()) return;
        across = model.between_nodes(1);
        inside = model.within(shape.nodes.inside_largest().locality);
        crossings = nodes - (shape.nodes.position(shape.root) == 0 ? 1 : 0);
        hops = shape.ranks - 1 - crossings;
    }

    double first(double bytes, double work_us) const {
        const double work = bytes * work_us;
        return across.chain(crossings, bytes, work) +
               (hops > 0 ? inside.chain(hops, bytes, work) : 0);
    }
    // What the slowest rank needs for one more segment.
    double next(double bytes, double work_us) const {
        return longer([&](const Model& model) {
            return posting(model) + model.asking(bytes) + bytes * byte_us(model, work_us);
        });
    }
    double posting_next() const { return longer(posting); }
    // The bytes of all hops, less those of the slowest.
    double filling(double bytes, double work_us) const {
        const auto of = [&](const Model& model) { return bytes * byte_us(model, work_us); };
        return crossings * of(across) + hops * of(inside) - longer(of);
    }

  private:
    // A rank between two others posts a receive and a send for each segment.
    static double posting(const Model& model) { return model.overhead_us + model.sending(); }
    static double byte_us(const Model& model, double work_us) {
        return model.relaying() * model.per_byte_us + work_us;
    }
    template<class Of>
    double longer(Of of) const {
        return hops > 0 ? std::max(of(across), of(inside)) : of(across);
    }
};

double cost_of(const Shape& shape, const Route& route, double work_us, int pieces) {
    const double bytes = static_cast<double>(shape.total) / pieces;
    return route.first(bytes, work_us) + (pieces - 1) * route.next(bytes, work_us);
}

} // namespace

int pipeline_segments(const Shape& shape, const Model& model, double work_us) {
    if (shape.is_piece) return 1;
    const Route route(shape, model);
    const auto bytes = static_cast<double>(shape.total);
    const auto elements = static_cast<double>(shape.total / shape.grain);
    const double most = std::min<double>(elements, most_segments);
    const auto pieces = [&](double wanted) {
        return std::max(1, static_cast<int>(std::min(wanted, most)));
    };
    const double filling = std::max(route.filling(bytes, work_us), 0.0);
    const int quickest = pieces(std::sqrt(filling / route.posting_next()));
    const int eager = pieces(bytes / model.eager_bytes + 1);
    return cost_of(shape, route, work_us, quickest) <= cost_of(shape, route, work_us, eager)
               ? quickest
               : eager;
}

double cost_of_pipeline(const Shape& shape, const Model& model, double work_us) {
    return cost_of(shape, Route(shape, model), work_us, pipeline_segments(shape, model, work_us));
}

} // namespace mpix::plan
