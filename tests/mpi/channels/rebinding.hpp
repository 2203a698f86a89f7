// SPDX-License-Identifier: BSD-3-Clause
// Buffers that requests had: nobody may touch them any more.
#pragma once

#include <list>

#include "common/chance.hpp"
#include "common/check.hpp"

namespace mpitest {

// Other memory with the same content; the memory that it was.
inline Buffer replace(Buffer& buffer) { return std::exchange(buffer, Buffer(buffer)); }

class Left {
  public:
    void add(Buffer old) {
        const Buffer& copy = copies_.emplace_back(old);
        CHECK(copy.all().size() == old.all().size());
        old_.push_back(std::move(old));
    }
    void check() const {
        for (auto old = old_.begin(), copy = copies_.begin(); old != old_.end(); ++old, ++copy)
            CHECK(difference(*copy, *old) == "");
    }

  private:
    std::list<Buffer> old_, copies_;
};

// Each rank when it likes: nobody else has to know.
class Whim {
  public:
    explicit Whim(std::uint32_t seed) : random_(mix(seed, static_cast<std::uint32_t>(rank_of()))) {}
    bool rebinds() { return draw(random_, 0, 2) > 0; }

  private:
    Random random_;
};

} // namespace mpitest
