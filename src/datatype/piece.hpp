// SPDX-License-Identifier: BSD-3-Clause
//
// The algebra of flattened datatypes: runs of bytes, repeated at strides, in the order of the type
// map. It knows no MPI.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace mpix::datatype {

struct Body;

// Repetitions of one run of bytes, or of a body whose offsets begin at the repetition. A piece has
// at least one repetition, and a stride only if there are more. One without bytes is empty. Every
// level knows its size, so that a byte of the packed stream could be found by division.
struct Piece {
    std::int64_t offset = 0;
    std::int64_t count = 1;
    std::int64_t stride = 0; // from one repetition to the next
    std::int64_t bytes = 0;  // of data in a repetition
    std::shared_ptr<const Body> body;

    std::int64_t size() const { return count * bytes; }
    bool is_run() const { return count == 1 && !body; }
};

using Pieces = std::vector<Piece>;

// Several pieces or one that is repeated, or else runs of one length at irregular places.
struct Body {
    Pieces pieces;
    std::vector<std::int64_t> places;
};

// The data cannot be said in a bounded number of pieces, or nobody knows where they are.
struct NotFlat {};

Piece run_of(std::int64_t bytes);

// `count` times `piece`. Allocates only where `piece` is repeated itself at another step.
Piece repeat(Piece piece, std::int64_t count, std::int64_t stride);

// Pieces after one another in one type map.
class Sequence {
  public:
    // Throws NotFlat when there are too many.
    void add(Piece piece, std::int64_t at);
    Piece piece() const;

  private:
    Pieces pieces_;
    std::size_t weight_ = 0; // pieces on all levels
};

} // namespace mpix::datatype
