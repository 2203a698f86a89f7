// SPDX-License-Identifier: BSD-3-Clause
//
// Lines of slots that several channels to one process share, when their messages are short: those
// that are started one after the other, as of a bundle, then cross together.
#pragma once

#include "shmem/block.hpp"

#include <cstdint>
#include <memory>

namespace mpix::shmem {

class PackedSlots {
  public:
    // A place for messages of this design in lines of this process that `process` reads; it is
    // noted there. Null if there is no memory. Under the engine's guard.
    static std::shared_ptr<PackedSlots> take_place(std::int64_t process, Design& design);

    explicit PackedSlots(Block* block) : block_(block) {}
    ~PackedSlots();
    PackedSlots(const PackedSlots&) = delete;
    PackedSlots& operator=(const PackedSlots&) = delete;

  private:
    void take(Design& design);

    Block* const block_;
    std::uint8_t taken_ = 0; // places, each with a receiver
};

} // namespace mpix::shmem
