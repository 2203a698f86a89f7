// SPDX-License-Identifier: BSD-3-Clause
// The arguments of any collective call, and how large its buffers are. The table of collectives
// picks what it needs.
#pragma once

#include <algorithm>

#include "common/check.hpp"

namespace mpitest {

// How a side of a collective is laid out, in blocks of one rank each.
enum class Layout { none, own, all, own_irregular, all_irregular, packed_irregular, mesh };

// A datatype, and how many of its elements make one unit: units are what sender and receiver agree
// on.
struct Side {
    MPI_Datatype type = MPI_INT;
    int scale = 1;
};

struct Call {
    const void* send = nullptr;
    void* recv = nullptr;
    MPI_Comm comm = MPI_COMM_WORLD;
    int rank = 0, root = 0;
    MPI_Op op = MPI_SUM;
    int send_count = 0, recv_count = 0;
    MPI_Datatype send_type = MPI_INT, recv_type = MPI_INT;
    std::vector<int> send_counts, send_displs, recv_counts, recv_displs;
    std::vector<int> send_offsets, recv_offsets; // in bytes, for the w forms
    std::vector<MPI_Datatype> send_types, recv_types;
    // the same, as the _c forms want them
    std::vector<MPI_Count> send_counts_c, recv_counts_c;
    std::vector<MPI_Aint> send_displs_c, recv_displs_c, send_offsets_c, recv_offsets_c;

    bool at_root() const { return rank == root; }
};

struct Extent {
    std::size_t step = 0,
                slack = 0; // bytes from one element to the next, and what the last may reach beyond
};

inline Extent extent_of(MPI_Datatype type) {
    MPI_Aint lower = 0, extent = 0, true_lower = 0, true_extent = 0;
    MPI_Type_get_extent(type, &lower, &extent);
    MPI_Type_get_true_extent(type, &true_lower, &true_extent);
    return {static_cast<std::size_t>(extent),
            static_cast<std::size_t>(true_lower < 0 ? 0 : true_lower) +
                static_cast<std::size_t>(true_extent)};
}

// Units that a rank contributes to an irregular collective; some contribute nothing.
inline int irregular(int count, int rank) {
    return count == 0 || rank % 4 == 2 ? 0 : count + 2 * rank;
}

// Units from one rank to another; symmetric where both use the same buffer in place.
inline int mesh_units(int count, int from, int to, bool symmetric) {
    const int weight = symmetric ? from + to : from + 2 * to;
    return count == 0 || weight % 5 == 3 ? 0 : count + weight;
}

// The blocks of one side: counts and displacements in elements, with a hole of one unit between
// blocks, and in reverse order of ranks where `reversed`.
struct Blocks {
    std::vector<int> counts, displs;
    int units = 0;
};

inline Blocks lay_out(const std::vector<int>& units, int scale, int hole, bool reversed) {
    const auto ranks = static_cast<int>(units.size());
    Blocks blocks{std::vector<int>(units.size()), std::vector<int>(units.size())};
    for (int i = 0; i < ranks; i++) {
        const auto r = static_cast<std::size_t>(reversed ? ranks - 1 - i : i);
        blocks.counts[r] = units[r] * scale;
        blocks.displs[r] = blocks.units * scale;
        blocks.units += units[r] + hole;
    }
    return blocks;
}

inline Blocks blocks_of(Layout layout, int count, int scale, bool sends, bool symmetric,
                        MPI_Comm comm) {
    const int ranks = size_of(comm), me = rank_of(comm);
    std::vector<int> units(static_cast<std::size_t>(ranks));
    for (int r = 0; r < ranks; r++) {
        auto& block = units[static_cast<std::size_t>(r)];
        if (layout == Layout::mesh)
            block =
                sends ? mesh_units(count, me, r, symmetric) : mesh_units(count, r, me, symmetric);
        else
            block = irregular(count, r);
    }
    const bool packed = layout == Layout::packed_irregular;
    return lay_out(units, scale, packed ? 0 : 1, !sends && !packed);
}

// Units of a side in all, and the count argument where the layout has just one.
inline int units_of(Layout layout, int count, MPI_Comm comm) {
    switch (layout) {
    case Layout::own: return count;
    case Layout::all: return count * size_of(comm);
    case Layout::own_irregular: return irregular(count, rank_of(comm));
    default: return 0;
    }
}

inline int single_count(Layout layout, int count, MPI_Comm comm) {
    return layout == Layout::own_irregular ? irregular(count, rank_of(comm)) : count;
}

inline bool has_blocks(Layout layout) {
    return layout == Layout::all_irregular || layout == Layout::packed_irregular ||
           layout == Layout::mesh;
}

inline std::size_t bytes_for(int elements, MPI_Datatype type) {
    const Extent extent = extent_of(type);
    return static_cast<std::size_t>(elements) * extent.step + extent.slack;
}

// Fills one side of a call and returns how many bytes its buffer needs.
inline std::size_t prepare_side(Call& call, Layout layout, int count, Side side, bool sends,
                                bool symmetric) {
    (sends ? call.send_type : call.recv_type) = side.type;
    (sends ? call.send_count : call.recv_count) =
        single_count(layout, count, call.comm) * side.scale;
    if (!has_blocks(layout))
        return bytes_for(units_of(layout, count, call.comm) * side.scale, side.type);

    Blocks blocks = blocks_of(layout, count, side.scale, sends, symmetric, call.comm);
    const auto step = static_cast<int>(extent_of(side.type).step);
    auto& offsets = sends ? call.send_offsets : call.recv_offsets;
    for (const int displ : blocks.displs) offsets.push_back(displ * step);
    (sends ? call.send_offsets_c : call.recv_offsets_c).assign(offsets.begin(), offsets.end());
    (sends ? call.send_counts_c : call.recv_counts_c)
        .assign(blocks.counts.begin(), blocks.counts.end());
    (sends ? call.send_displs_c : call.recv_displs_c)
        .assign(blocks.displs.begin(), blocks.displs.end());
    (sends ? call.send_types : call.recv_types).assign(blocks.counts.size(), side.type);
    (sends ? call.send_counts : call.recv_counts) = std::move(blocks.counts);
    (sends ? call.send_displs : call.recv_displs) = std::move(blocks.displs);
    return bytes_for(blocks.units * side.scale, side.type);
}

} // namespace mpitest
