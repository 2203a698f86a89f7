// SPDX-License-Identifier: BSD-3-Clause
// Elements of any datatype in memory that is all looked at, with the host's packing as the oracle.
#pragma once

#include <algorithm>
#include <cstddef>

#include "common/check.hpp"

namespace mpitest {

using Bytes = std::vector<std::uint8_t>;

// The memory of `count` elements from the first byte to the last, with a margin around.
class Elements {
  public:
    Elements(MPI_Datatype type, int count) : type_(type), count_(count) {
        MPI_Aint lower = 0, extent = 0, first = 0, reach = 0;
        MPI_Type_get_extent(type, &lower, &extent);
        MPI_Type_get_true_extent(type, &first, &reach);
        const MPI_Aint last = (count > 0 ? count - 1 : 0) * extent;
        begin_ = std::min<MPI_Aint>(last, 0) + first - 64;
        memory_.resize(
            static_cast<std::size_t>(std::max<MPI_Aint>(last, 0) + first + reach + 64 - begin_));
    }

    void fill(int rank, int round) {
        for (std::size_t i = 0; i < memory_.size(); i++)
            memory_[i] = static_cast<std::uint8_t>(value_at(rank, round, i));
    }
    void* data() { return memory_.data() - begin_; }
    const Bytes& memory() const { return memory_; }

    int size() const {
        int bytes = 0;
        MPI_Type_size(type_, &bytes);
        return bytes * count_;
    }
    Bytes packed() {
        Bytes bytes(static_cast<std::size_t>(size()));
        int position = 0;
        if (size() > 0) // else Open MPI does not like the address
            MPI_Pack(data(), count_, type_, bytes.data(), size(), &position, MPI_COMM_SELF);
        return bytes;
    }
    void unpack(const Bytes& bytes) {
        int position = 0;
        if (size() > 0)
            MPI_Unpack(bytes.data(), size(), &position, data(), count_, type_, MPI_COMM_SELF);
    }
    // Nothing may be received into these.
    bool overlap() const {
        Elements marked(type_, count_);
        marked.unpack(Bytes(static_cast<std::size_t>(size()), 1));
        return std::count(marked.memory_.begin(), marked.memory_.end(), 1) != size();
    }

  private:
    MPI_Datatype type_;
    int count_;
    MPI_Aint begin_ = 0; // from the address of the buffer
    Bytes memory_;
};

} // namespace mpitest
