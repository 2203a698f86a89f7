// SPDX-License-Identifier: BSD-3-Clause
// Persistent collectives that cannot end without one rank: that rank, the middle, has to pass on
// what it receives. They live on communicators whose ranks are turned so that any process can be
// the middle, share their buffers, and are made at their first use by all ranks together.
#pragma once

#include <array>
#include <map>
#include <memory>

#include "common/check.hpp"

namespace mpitest {

enum class Pattern { bcast, allreduce, reduce, scan, alltoall };

inline const char* name_of(Pattern pattern) {
    static const char* const names[] = {"bcast", "allreduce", "reduce", "scan", "alltoall"};
    return names[static_cast<int>(pattern)];
}

struct Kind {
    Pattern pattern;
    int count; // ints of the vector, or of all blocks of the alltoall
};

// 4 B and 800 KB of each.
inline std::vector<Kind> relay_kinds() {
    std::vector<Kind> kinds;
    for (const int count : {1, 200'000})
        for (int pattern = 0; pattern <= static_cast<int>(Pattern::alltoall); pattern++)
            kinds.push_back({static_cast<Pattern>(pattern), count});
    return kinds;
}

// Where a rank is an inner node of a chain and of a binomial tree from `root_of`, adds up a scan
// for a later one, and stays when the ranks are folded to a power of two. Of three ranks none is
// all that: there the trees and the scan have no middle.
inline int middle_place(int ranks) { return ranks < 6 ? (ranks - 1) / 2 : 3; }

inline int root_of(Pattern pattern, int ranks) {
    if (ranks < 4) return pattern == Pattern::reduce ? ranks - 1 : 0;
    return (middle_place(ranks) - 2 + ranks) % ranks;
}

class Relay {
  public:
    MPI_Request request = MPI_REQUEST_NULL;

    Relay(Kind kind, MPI_Comm comm)
        : kind_(kind), comm_(comm), me_(rank_of(comm)), ranks_(size_of(comm)),
          root_(root_of(kind.pattern, ranks_)), block_(std::max(1, kind.count / ranks_)) {
        reserve();
        CHECK_MPI(init());
    }

    // What is sent from the next Start on; what was received before goes.
    void write(int round) {
        round_ = round;
        const bool sends = kind_.pattern != Pattern::bcast;
        for (int i = 0; i < length(); i++) received()[at(i)] = -1;
        for (int i = 0; i < length(); i++)
            if (sends || me_ == root_) (sends ? sent() : received())[at(i)] = value(me_ + 1, i);
    }

    std::string difference() const {
        for (int i = 0; i < length(); i++)
            if (received()[at(i)] != expected(i))
                return "element " + std::to_string(i) + ": expected " +
                       std::to_string(expected(i)) + ", got " + std::to_string(received()[at(i)]);
        return "";
    }

  private:
    static std::size_t at(int i) { return static_cast<std::size_t>(i); }
    static std::vector<int>& sent() {
        static std::vector<int> buffer;
        return buffer;
    }
    static std::vector<int>& received() {
        static std::vector<int> buffer;
        return buffer;
    }
    static void reserve() {
        const std::size_t room = at(relay_kinds().back().count + size_of());
        if (sent().empty()) sent().resize(room), received().resize(room);
    }

    int init() {
        int *in = sent().data(), *out = received().data();
        const int n = kind_.count;
        const MPI_Info info = MPI_INFO_NULL;
        switch (kind_.pattern) {
        case Pattern::bcast: return MPI_Bcast_init(out, n, MPI_INT, root_, comm_, info, &request);
        case Pattern::allreduce:
            return MPI_Allreduce_init(in, out, n, MPI_INT, MPI_SUM, comm_, info, &request);
        case Pattern::reduce:
            return MPI_Reduce_init(in, out, n, MPI_INT, MPI_SUM, root_, comm_, info, &request);
        case Pattern::scan:
            return MPI_Scan_init(in, out, n, MPI_INT, MPI_SUM, comm_, info, &request);
        case Pattern::alltoall:
            return MPI_Alltoall_init(in, block_, MPI_INT, out, block_, MPI_INT, comm_, info,
                                     &request);
        }
        return MPI_ERR_OTHER;
    }

    int length() const {
        return kind_.pattern == Pattern::alltoall ? block_ * ranks_ : kind_.count;
    }
    // The weight tells the senders: vectors add up to the sum of theirs.
    int value(int weight, int index) const { return weight * (index % 997 + round_); }

    int expected(int i) const {
        switch (kind_.pattern) {
        case Pattern::bcast: return value(root_ + 1, i);
        case Pattern::allreduce: return value(ranks_ * (ranks_ + 1) / 2, i);
        case Pattern::reduce: return me_ == root_ ? value(ranks_ * (ranks_ + 1) / 2, i) : -1;
        case Pattern::scan: return value((me_ + 1) * (me_ + 2) / 2, i);
        case Pattern::alltoall: return value(i / block_ + 1, me_ * block_ + i % block_);
        }
        return 0;
    }

    Kind kind_;
    MPI_Comm comm_;
    int me_, ranks_, root_, block_, round_ = 0;
};

// The communicators that are kept, all with the same ranks in the same order: as they are, as a
// periodic grid, and in two halves.
enum class Form { whole, ring, half };

class Relays {
  public:
    // Rank `middle` of MPI_COMM_WORLD is at the place of the middle.
    MPI_Comm comm(int middle, Form form = Form::whole) {
        auto [found, is_new] = comms_.try_emplace({middle, form}, MPI_COMM_NULL);
        if (is_new) found->second = make(middle, form);
        return found->second;
    }

    Relay& relay(Kind kind, int middle) {
        auto& found = relays_[{static_cast<int>(kind.pattern), kind.count, middle}];
        if (!found) found = std::make_unique<Relay>(kind, comm(middle));
        return *found;
    }

    void free_all() {
        for (auto& [key, relay] : relays_) MPI_Request_free(&relay->request);
        for (auto& [key, comm] : comms_) MPI_Comm_free(&comm);
        relays_.clear();
        comms_.clear();
    }

  private:
    MPI_Comm make(int middle, Form form) {
        MPI_Comm made = MPI_COMM_NULL;
        const int ranks = size_of(), periodic = 1;
        if (form == Form::whole) {
            const int key = (rank_of() - middle + middle_place(ranks) + ranks) % ranks;
            MPI_Comm_split(MPI_COMM_WORLD, 0, key, &made);
            return made;
        }
        const MPI_Comm whole = comm(middle);
        if (form == Form::ring)
            MPI_Cart_create(whole, 1, &ranks, &periodic, 0, &made);
        else
            MPI_Comm_split(whole, rank_of(whole) < ranks / 2 ? 0 : 1, 0, &made);
        return made;
    }

    std::map<std::pair<int, Form>, MPI_Comm> comms_;
    std::map<std::array<int, 3>, std::unique_ptr<Relay>> relays_;
};

inline Relays& relays() {
    static Relays all;
    return all;
}

} // namespace mpitest
