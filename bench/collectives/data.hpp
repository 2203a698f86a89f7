// SPDX-License-Identifier: BSD-3-Clause
//
// The buffers of one operation at one size.
#pragma once

#include "bench/collectives/operations.hpp"
#include "bench/common/memory.hpp"

#include <cstddef>
#include <vector>

namespace mpix::bench {

class Data {
  public:
    Data(const Operation& operation, Place place, std::size_t bytes, Memory memory,
         bool integers = false);

    // False if there is no such memory on this rank.
    bool exists() const { return send_ && receive_; }
    Buffers buffers();
    // Rewrites what is sent, on every rank alike, so that they come to the operation together.
    void rewrite(int serial);
    // Whether the operation after rewrite(serial) left the right answer here.
    bool right(int serial) const;

  private:
    // As the v and w forms take them: equal blocks in the order of ranks.
    struct Layout {
        std::vector<int> counts, places, byte_places;
        std::vector<MPI_Aint> wide_places;
        std::vector<MPI_Datatype> types;
    };
    static Layout lay_out(int blocks, int count, MPI_Datatype type);
    MPI_Datatype type() const { return integers_ ? MPI_INT64_T : MPI_DOUBLE; }

    const Operation& operation_;
    Place place_;
    bool integers_;     // of as many bytes as a double
    std::size_t block_; // elements
    std::size_t sent_;
    Room send_;
    Room receive_;
    Layout layout_;
};

} // namespace mpix::bench
