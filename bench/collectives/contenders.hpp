// SPDX-License-Identifier: BSD-3-Clause
//
// Those that run against each other: three of the host, and mpix over the host's messages, over the
// node's shared memory, and with its buffers in that memory; plain calls on plans; and the
// host's blocking one once more, whose ratio to that is what the machine makes of 1.
#pragma once

#include "bench/collectives/data.hpp"
#include "bench/collectives/operations.hpp"

#include <array>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace mpix::bench {

struct ContenderKind {
    std::string_view name;  // on the command line and in JSON
    std::string_view title; // for people
    bool ours;
    const char* transport; // the value of the info key mpix_transport
    Memory memory;
    const char* plan = nullptr; // the value of the info key mpix_plan
    bool runs_unasked = true;
    bool is_repeated = false; // the host's blocking one, compared with itself

    constexpr bool has_ratio() const { return ours || is_repeated; }
};

inline constexpr std::array<ContenderKind, 9> contender_kinds{{
    {"blocking", "host blocking", false, nullptr, Memory::heap},
    {"nonblocking", "host nonblocking", false, nullptr, Memory::heap},
    {"persistent", "host persistent", false, nullptr, Memory::heap},
    {"host-messages", "mpix over host messages", true, "host", Memory::heap},
    {"node", "mpix on node", true, "node", Memory::heap},
    {"arena", "mpix in the arena", true, "node", Memory::arena},
    {"plain", "mpix plain", true, nullptr, Memory::heap, nullptr, false},
    {"plain-nonblocking", "mpix plain nonblocking", true, nullptr, Memory::heap, nullptr, false},
    {"again", "host blocking again", false, nullptr, Memory::heap, nullptr, false, true},
}};

const ContenderKind* find_contender(std::string_view name);

using Kinds = std::vector<const ContenderKind*>;

// What an init is given to choose the contender's transport and plan.
class Hints {
  public:
    explicit Hints(const ContenderKind& kind);
    ~Hints();
    Hints(const Hints&) = delete;
    Hints& operator=(const Hints&) = delete;

    MPI_Info info() const { return info_; }

  private:
    MPI_Info info_ = MPI_INFO_NULL;
};

enum class Verdict {
    right,
    wrong,   // it ran, and an answer or a return code was wrong
    missing, // the host has no such operation, or mpix no arena
    skipped, // known to end or hang the program, see contenders.cpp
};

struct Contender {
    const ContenderKind* kind;
    Verdict verdict = Verdict::missing;
    std::shared_ptr<Data> data{};  // those on the heap share one
    std::function<int()> run{};    // one whole operation, from its start to its completion
    std::shared_ptr<void> bound{}; // the persistent request, which goes before its buffers
};

// Collective: makes the persistent requests.
std::vector<Contender> make_contenders(const Operation& operation, std::size_t bytes,
                                       const Kinds& kinds, const HostLibrary& host,
                                       const Ranks& ranks, bool integers);

} // namespace mpix::bench
