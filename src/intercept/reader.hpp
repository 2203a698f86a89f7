// SPDX-License-Identifier: BSD-3-Clause
//
// Reads and checks the arguments of a persistent collective's init. What is invalid is rejected
// with the class the standard names and a text with the argument's name and value, before anything
// is communicated.
#pragma once

#include "base/settings.hpp"
#include "collective/arguments.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace mpix::intercept {

using collective::Arguments;
using collective::Side;
using plan::Collective;

// The names of the arguments of one side, for messages.
struct SideNames {
    const char* buffer;
    const char* count;
    const char* type;
    const char* counts = "";
    const char* displacements = "";
    const char* parts = "";
};
inline constexpr SideNames send_names{"sendbuf",    "sendcount",          "sendtype",
                                      "sendcounts", "send displacements", "sendparts"};
inline constexpr SideNames recv_names{
    "recvbuf", "recvcount", "recvtype", "recvcounts", "receive displacements", "recvparts"};
inline constexpr SideNames buffer_names{"buffer", "count", "datatype"};
inline constexpr SideNames reduce_send_names{"sendbuf", "count", "datatype"};
inline constexpr SideNames reduce_recv_names{"recvbuf", "count", "datatype"};

class Reader {
  public:
    Reader(plan::Call call, MPI_Comm comm, const MPI_Request* request);
    // Of a partitioned send or receive.
    Reader(const char* name, MPI_Comm comm, const MPI_Request* request);

    // Which data are significant on this rank. On an intercommunicator the root passes MPI_ROOT
    // and the other ranks of its group MPI_PROC_NULL.
    bool is_root() const;
    bool sends_to_root() const; // contributes to a gather or reduce, takes part of a scatter
    std::size_t ranks() const { return ranks_; } // of the remote group on an intercommunicator
    std::size_t rank() const { return rank_; }
    bool is_inter() const { return is_inter_; }
    std::size_t indegree() const { return indegree_; }
    std::size_t outdegree() const { return outdegree_; }

    void root(int root);
    void peer(const char* name, int peer);
    void tag(int tag);
    void op(MPI_Op op); // after the sides: it must be defined on their type

    // A side with one count and one type.
    void side(Side& into, SideNames names, const void* buffer, std::int64_t count,
              MPI_Datatype type);

    // A side with counts and displacements, and one type or one type each.
    template<class Count, class Displacement>
    void side(Side& into, SideNames names, const void* buffer, std::size_t blocks,
              const Count counts[], const Displacement displacements[],
              std::span<const MPI_Datatype> types) {
        fill(into, names, buffer, blocks, counts, displacements, types);
        watch(names.counts, std::span(counts, blocks));
    }

    // The same with partitions; counts are of one partition.
    void parted_side(Side& into, SideNames names, const void* buffer, int parts, MPI_Count count,
                     MPI_Datatype type);
    void parted_side(Side& into, SideNames names, const void* buffer, std::size_t blocks,
                     const int parts[], const MPI_Count counts[], const MPI_Aint displacements[],
                     std::span<const MPI_Datatype> types);
    void parted_segments(Side& into, const void* buffer, const int parts[],
                         const MPI_Count counts[], MPI_Datatype type);

    // The consecutive segments of reduce_scatter.
    template<class Count>
    void segments(Side& into, const void* buffer, const Count counts[], MPI_Datatype type) {
        fill_segments(into, buffer, counts, type);
        watch("recvcounts", std::span(counts, segments_));
    }

    // The keys of info that the library knows.
    void hints(MPI_Info info);

    // With MPIX_CHECK=1: no two receive blocks share a byte.
    void check_blocks() const;

    // True, and the side is marked, if the buffer is MPI_IN_PLACE; an error unless `allowed`.
    bool in_place(Side& into, SideNames names, const void* buffer, bool allowed);

    struct Sides {
        Side& send;
        Side& recv;
    };
    Sides sides() { return {arguments.send, arguments.recv}; }

    Arguments arguments;

  private:
    // Counts may be copies; displacements are the program's own.
    template<class Count, class Displacement>
    void fill(Side& into, SideNames names, const void* buffer, std::size_t blocks,
              const Count counts[], const Displacement displacements[],
              std::span<const MPI_Datatype> types) {
        if (blocks > 0 && (!counts || !displacements || !types.data())) reject_null_array(names);
        into.buffer = address(names, buffer);
        into.counts.assign(counts, counts + blocks);
        into.displacements.assign(displacements, displacements + blocks);
        into.types.assign(types.begin(), types.end());
        check_side(into, names, "s");
        watch(names.displacements, std::span(displacements, blocks));
    }
    template<class Count>
    void fill_segments(Side& into, const void* buffer, const Count counts[], MPI_Datatype type) {
        if (!counts) reject(MPI_ERR_ARG, "recvcounts is null");
        into.buffer = address(recv_names, buffer);
        into.counts.assign(counts, counts + segments_);
        into.types = {type};
        check_side(into, {"recvbuf", "recvcount", "datatype"}, "s");
    }
    // Not arrays of datatypes: Open MPI's Fortran layer frees its copies after the init.
    template<class T>
    void watch(const char* name, std::span<const T> array) {
        if (base::settings().MPIX_CHECK)
            arguments.checked_arrays.push_back(
                base::remember(name, array.data(), array.size_bytes()));
    }
    collective::OfBlocks<MPI_Count> whole_counts(Side& into, SideNames names,
                                                 std::span<const int> parts,
                                                 std::span<const MPI_Count> counts,
                                                 bool is_array) const;
    std::byte* address(SideNames names, const void* buffer) const;
    void check_side(const Side& side, SideNames names, const char* plural = "") const;
    void check_bytes(const Side& side, std::size_t i, SideNames names) const;
    void check_type(MPI_Datatype type, SideNames names) const;
    void communicator(MPI_Comm comm, const MPI_Request* request);
    [[noreturn]] void reject(int error_class, const std::string& text) const;
    [[noreturn]] void reject_null_array(SideNames names) const;
    void neighbors();

    const char* const name_;
    std::size_t ranks_ = 1;
    std::size_t segments_ = 1; // of the local group
    std::size_t rank_ = 0;
    bool is_inter_ = false;
    std::size_t indegree_ = 0;
    std::size_t outdegree_ = 0;
};

} // namespace mpix::intercept
