// SPDX-License-Identifier: BSD-3-Clause
//
// Runs of tags on the private communicator, each for one pair of operations. They are given out in
// a circle, so that a tag comes again as late as possible: messages of an earlier pair may still be
// on their way when this end is done with it.
#pragma once

#include <cstdint>
#include <map>

namespace mpix::comm {

class TagAllocator {
  public:
    static constexpr int first = 16; // those below are for control messages

    // -1: there are no more.
    int take(int count, int limit);
    void give_back(int begin) { taken_.erase(begin); }

  private:
    bool is_free(int begin, int count) const;

    int next_ = first;
    std::map<int, int> taken_; // begin and count
};

// That of this process, for all posts. Under the engine's guard.
TagAllocator& tag_allocator();

} // namespace mpix::comm
