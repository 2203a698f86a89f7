// SPDX-License-Identifier: BSD-3-Clause
// The partitions of one operation on this rank: marked in any way, asked for in any way.
#pragma once

#include "oracle.hpp"
#include "partitions.hpp"
#include "report.hpp"

namespace fuzz {

// Partitions travel together as that says.
MPI_Info make_joining_info(Random random);

class Parted {
  public:
    Parted(const Program& program, int number, int member);

    // The program writes a partition right before it marks it; until then it holds something else.
    void begin(const Oracle& oracle, int member, int round, Memory& send);
    void mark(const Oracle& oracle, const std::vector<int>& numbers, Memory& send,
              MPI_Request& request, Random random);
    // Asks for one. `expected` is what the receive buffer holds when all has come. Returns what is
    // wrong with it, or nothing.
    std::string ask(const Oracle& oracle, const Memory& expected, const Memory& recv,
                    MPI_Request& request, Random random);
    bool is_asked() const { return !asked_.empty(); }
    // Keeps requests for partitions, to be asked in the place of the operation's.
    void keep(MPI_Request request, Random random);
    // All has come. Completes them, or leaves that to the next start.
    void complete_kept(Random random);
    void free_kept();

  private:
    struct Kept {
        std::vector<int> numbers;
        std::vector<MPI_Request> requests;
    };

    std::string see(int number, bool has_arrived, const Oracle& oracle, const Memory& expected,
                    const Memory& recv);
    std::string ask_kept(const Oracle& oracle, const Memory& expected, const Memory& recv,
                         Random& random);

    std::vector<Partition> marked_, asked_;
    std::vector<bool> seen_; // those that have arrived in this round
    Memory sent_;            // what is sent in this round
    Kept kept_;
};

} // namespace fuzz
