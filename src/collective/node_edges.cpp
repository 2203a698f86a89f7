// SPDX-License-Identifier: BSD-3-Clause
//
// One exchange within each node, of lists as long as the longest of all ranks. Before it and after
// it all ranks say whether they had the memory.
#include "collective/node_edges.hpp"

#include "comm/exchange.hpp"
#include "plan/crossing.hpp"

#include <cstring>
#include <new>

namespace mpix::collective {
namespace {

using plan::Edge;
using plan::Edges;

// Of one rank, as it travels: then come so many edges out, and so many in.
struct Header {
    std::int64_t out = 0, in = 0;
    std::int64_t is_alike = 0;
};

void agree_on(const comm::Context& context, EdgeSums& sums) {
    constexpr int words = sizeof(EdgeSums) / sizeof(std::int64_t);
    static_assert(words * sizeof(std::int64_t) == sizeof(EdgeSums));
    comm::combine(context.all_ranks(), &sums, words, MPI_INT64_T, MPI_MAX);
    if (sums.failed != 0)
        throw host::Failure{host::error_code(MPI_ERR_OTHER, "a rank has no memory for its plan")};
}

class Sharing {
  public:
    Sharing(const comm::Context& context, std::int64_t most, EdgeSums& sums, plan::Problem& problem)
        : context_(context), sums_(sums), problem_(problem), nodes_(problem.shape.nodes),
          bytes_(sizeof(Header) + 2 * static_cast<std::size_t>(most) * sizeof(Edge)) {}

    void run() {
        try_to([this] { prepare(); });
        comm::exchange({.comm = context_.everyone(),
                        .self = self_,
                        .count = static_cast<int>(mates_.size()),
                        .list = mates_.data()},
                       own_.data(), bytes_, all_.data());
        try_to([this] { read(); });
        problem_.shape.crossing = sums_.crossing;
    }

  private:
    template<class Work>
    void try_to(Work work) {
        try {
            work();
        } catch (const std::bad_alloc&) {
            sums_.failed = 1;
        }
        agree_on(context_, sums_);
    }

    void prepare() {
        const plan::RankList mates = nodes_.ranks(node());
        mates_.assign(mates.begin(), mates.end());
        self_ = nodes_.position(problem_.rank);
        const Edges edges = edges_of(problem_);
        own_.resize(bytes_);
        all_.resize(bytes_ * mates_.size());
        const Header header{static_cast<std::int64_t>(edges.out.size()),
                            static_cast<std::int64_t>(edges.in.size()), edges.is_alike};
        std::memcpy(own_.data(), &header, sizeof header);
        put(edges.in, put(edges.out, own_.data() + sizeof header));
    }
    static std::byte* put(const std::vector<Edge>& edges, std::byte* at) {
        const std::size_t bytes = edges.size() * sizeof(Edge);
        if (bytes > 0) std::memcpy(at, edges.data(), bytes);
        return at + bytes;
    }

    void read() {
        problem_.mates.reserve(mates_.size());
        for (std::size_t i = 0; i < mates_.size(); ++i) {
            const std::byte* from = all_.data() + i * bytes_;
            Header header;
            std::memcpy(&header, from, sizeof header);
            from += sizeof header;
            Edges& edges = problem_.mates.emplace_back();
            edges.is_alike = header.is_alike != 0;
            from = get(edges.out, header.out, from);
            get(edges.in, header.in, from);
        }
        sums_.crossing = crossing_of(nodes_, node(), problem_.mates);
    }
    static const std::byte* get(std::vector<Edge>& edges, std::int64_t count,
                                const std::byte* from) {
        edges.resize(static_cast<std::size_t>(count));
        const std::size_t bytes = edges.size() * sizeof(Edge);
        if (bytes > 0) std::memcpy(edges.data(), from, bytes);
        return from + bytes;
    }

    int node() const { return nodes_.of(problem_.rank); }

    const comm::Context& context_;
    EdgeSums& sums_;
    plan::Problem& problem_;
    const plan::Nodes& nodes_;
    std::size_t bytes_;
    std::vector<int> mates_;
    int self_ = 0;
    std::vector<std::byte> own_, all_;
};

} // namespace

void share_edges(comm::Context& context, std::int64_t most, EdgeSums& sums,
                 plan::Problem& problem) {
    constexpr std::int64_t most_of_node = 1 << 19; // 16 MiB of lists
    const plan::Nodes& nodes = problem.shape.nodes;
    if (problem.shape.one_node || nodes.count() < 2 || nodes.largest() < 2 || most < 1) return;
    if (most * nodes.largest() > most_of_node) return;
    Sharing(context, most, sums, problem).run();
}

} // namespace mpix::collective
