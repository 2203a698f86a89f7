// SPDX-License-Identifier: BSD-3-Clause
//
// Lines of slots that several channels to one process share, when their messages are short: those
// that are started one after the other, as of a bundle, then cross together.
#pragma once

#include "node/block.hpp"

#include <cstdint>
#include <memory>

namespace mpix::node {

class Lines {
  public:
    // A place for messages of this design in lines of this process that `process` reads; it is
    // noted there. Null if there is no memory. Under the engine's guard.
    static std::shared_ptr<Lines> take_place(std::int64_t process, Design& design);

    explicit Lines(Block* block) : block_(block) {}
    ~Lines();
    Lines(const Lines&) = delete;
    Lines& operator=(const Lines&) = delete;

  private:
    void take(Design& design);

    Block* const block_;
    std::uint8_t taken_ = 0; // places, each with a receiver
};

} // namespace mpix::node
