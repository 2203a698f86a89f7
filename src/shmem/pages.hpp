// SPDX-License-Identifier: BSD-3-Clause
//
// The pages of a segment's file. Memory is asked of the file system before anyone touches it: later
// it could only refuse with a signal. What is given back is asked for once more. The file system
// gives the last page of the machine, so no more than a share of what is left is asked of it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>

namespace mpix::shmem {

inline constexpr std::size_t page = 4096;

class Pages {
  public:
    // So many processes take pages on this machine.
    void open(int file, int sharers) {
        file_ = file;
        sharers_ = static_cast<std::size_t>(std::max(sharers, 1));
    }

    // Lengthens the file. Returns an error number; then it is as it was.
    int grow(std::size_t from, std::size_t to);
    // The whole pages between two places.
    void give_back(std::size_t from, std::size_t to) noexcept;
    // Has all between two places backed again. Returns an error number.
    int restore(std::size_t from, std::size_t to);

  private:
    bool is_affordable(std::size_t bytes);
    int provide(std::size_t from, std::size_t to);
    int punch(std::size_t from, std::size_t to) const;

    int file_ = -1;
    std::size_t sharers_ = 1;
    std::size_t unasked_ = 0;                    // taken since the last look at what there is
    std::map<std::size_t, std::size_t> missing_; // apart; from and to
};

} // namespace mpix::shmem
