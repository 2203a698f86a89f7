// SPDX-License-Identifier: BSD-3-Clause
//
// What a collective's arguments become: a problem for the planner, and where its rooms lie. With
// the parts of which the translations, within a group and between two, are made.
#pragma once

#include "collective/arguments.hpp"
#include "collective/node_edges.hpp"
#include "comm/agreement.hpp"
#include "datatype/layout.hpp"
#include "plan/problem.hpp"
#include "progress/binding.hpp"

#include <memory>
#include <vector>

namespace mpix::collective {

using collective::Arguments;
using collective::Side;
using comm::Context;
using comm::Facts;
using progress::Binding;
using progress::TypedBlock;

struct Translation {
    plan::Problem problem;
    Binding binding;
    // On every rank alike:
    comm::RequestedSolver requested_solver = comm::no_requested_solver;
    std::int64_t widest = 0;       // count or displacement that delegation would hand to the host
    bool on_device = false;        // a buffer is: only the host can move it
    bool has_same_results = false; // of races
    std::int64_t edges = 0;        // of a rank, one way, if ranks may send them together
    std::unique_ptr<EdgeSums> edge_sums = std::make_unique<EdgeSums>();
};

// The places of the first `blocks` blocks of a side. All are in the dense room, or all are in the
// table of the typed one.
plan::Blocks places(const Side& side, std::size_t blocks, plan::Buffer dense, plan::Buffer typed,
                    std::vector<TypedBlock>& table, datatype::Layouts& layouts);

// Makes the rooms consist of elements of `type`. Returns the grain.
plan::Bytes bind_element(Binding& binding, MPI_Datatype type, MPI_Op op);

// Not flattened.
TypedBlock typed_block(const Side& side, std::size_t block);

} // namespace mpix::collective
