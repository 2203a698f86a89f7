// SPDX-License-Identifier: BSD-3-Clause
//
// A machine as a text tells it: nodes of sockets, of caches, of cores.
#pragma once

#include "plan/nodes.hpp"

#include <array>
#include <string>

namespace mpix::plan {

// As in "node:64 socket:2 cache:2 core:8", from the outermost in; what is left out is one. hwloc's
// words are known too: package, numa, l3, pu.
class Topology {
  public:
    // Throws std::invalid_argument.
    static Topology parse(const std::string& text);

    int nodes() const { return each(Locality::network) / each(Locality::node); }
    int cores() const { return each(Locality::network); }
    int cores_of_node() const { return each(Locality::node); }
    // Of a core, counted through the machine: its node, its socket, its cache.
    int of(Locality locality, int core) const { return core / each(locality); }

    // With a rank on each core, which follow each other or are dealt to the nodes in turn.
    Nodes placement(bool is_cyclic) const;

  private:
    int each(Locality locality) const { return cores_[static_cast<std::size_t>(locality)]; }

    std::array<int, 4> cores_{1, 1, 1, 1}; // of all, of a node, of a socket, at a cache
};

} // namespace mpix::plan
