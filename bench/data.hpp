// SPDX-License-Identifier: BSD-3-Clause
//
// The buffers of one operation at one size. Every element says which rank wrote it, before which
// operation and where, so that an answer is checked by arithmetic alone.
#pragma once

#include "operations.hpp"

#include <cstddef>
#include <vector>

namespace mpix::bench {

class Data {
  public:
    Data(const Operation& operation, Place place, std::size_t bytes);

    Buffers buffers();
    // Rewrites what is sent, on every rank alike, so that they come to the operation together.
    void rewrite(int serial);
    // Whether the operation after rewrite(serial) left the right answer here.
    bool right(int serial) const;

  private:
    const Operation& operation_;
    Place place_;
    std::size_t block_;
    std::vector<double> send_;
    std::vector<double> receive_;
};

} // namespace mpix::bench
