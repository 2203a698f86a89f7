// SPDX-License-Identifier: BSD-3-Clause
// The buffer of one side, once for each round that may be active at the same time.
#pragma once

#include "oracle.hpp"

namespace fuzz {

class Ring {
  public:
    // `stride` bytes, perhaps negative, from the buffer of one start to that of the next.
    Ring(const Memory& one, int slots, Offset stride);

    Memory& whole() { return memory_; } // the first start's begins at its data()
    void put(int slot, const Memory& one);
    Memory get(int slot) const;
    // All of it stands somewhere else from now on.
    void move();
    // Whether nobody has written to where it stood before.
    bool is_left_alone() const;

  private:
    Offset place(int slot) const { return memory_.start - start_ + slot * stride_; }

    const Offset stride_, start_;
    const std::size_t size_; // of one
    Memory memory_;
    Bytes left_;
};

} // namespace fuzz
