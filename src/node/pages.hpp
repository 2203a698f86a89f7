// SPDX-License-Identifier: BSD-3-Clause
//
// The pages of a segment's file. Memory is asked of the file system before anyone touches it: later
// it could only refuse with a signal. What is given back is asked for once more.
#pragma once

#include <cstddef>
#include <map>

namespace mpix::node {

inline constexpr std::size_t page = 4096;

class Pages {
  public:
    void open(int file) { file_ = file; }

    // Lengthens the file. Returns an error number; then it is as it was.
    int grow(std::size_t from, std::size_t to);
    // The whole pages between two places.
    void give_back(std::size_t from, std::size_t to) noexcept;
    // Has all between two places backed again. Returns an error number.
    int restore(std::size_t from, std::size_t to);

  private:
    int punch(std::size_t from, std::size_t to) const;

    int file_ = -1;
    std::map<std::size_t, std::size_t> missing_; // apart; from and to
};

} // namespace mpix::node
