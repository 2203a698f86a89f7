// SPDX-License-Identifier: BSD-3-Clause
//
// A line that says what is done and how long the rest will take, rewritten in its place and erased
// at the end: on a terminal alone, nothing is written anywhere else. Under a launcher, which passes
// on what ranks print, that is the launcher's terminal. Knows no MPI.
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

namespace mpix {

class Progress {
  public:
    // Shows nothing unless it speaks. `printed_on` is where the program prints: the line goes there
    // too, if it can, so that the two keep their order.
    Progress(int pieces, std::FILE* printed_on, bool speaks);
    ~Progress() { erase(); }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // The next of the pieces begins, the one before is done.
    void next(const std::string& piece);
    void show();
    void erase(); // before anything is printed

  private:
    using Clock = std::chrono::steady_clock;
    std::string text() const;

    int pieces_, begun_ = 0;
    std::string piece_;
    std::FILE* to_ = nullptr; // null: there is no terminal
    std::size_t columns_ = 0;
    bool is_shown_ = false;
    Clock::time_point began_{};
};

} // namespace mpix
