// SPDX-License-Identifier: BSD-3-Clause
//
// A datatype, or elements of one, as what has to be copied: taken apart once at init, so that a
// Start neither asks the host nor allocates.
#pragma once

#include "datatype/piece.hpp"
#include "host/host.hpp"

#include <optional>

namespace mpix::datatype {

class FlatType {
  public:
    // One element. Nothing where only the host can pack it.
    static std::optional<FlatType> of(MPI_Datatype type);

    FlatType repeated(std::int64_t count, std::int64_t extent) const {
        return FlatType(repeat(whole_, count, extent));
    }

    // Whether it is this many bytes in a row, from its address on.
    bool is_run_of(std::int64_t bytes) const {
        return whole_.is_run() && whole_.offset == 0 && whole_.bytes == bytes;
    }

    // `base` is the address of the buffer, where offsets begin; the packed side is dense.
    void pack(const std::byte* base, std::byte* to) const;
    void unpack(const std::byte* from, std::byte* base) const;

    // `count` elements from one buffer to another.
    void copy(const std::byte* from, std::byte* to, std::int64_t count, std::int64_t extent) const;

  private:
    explicit FlatType(Piece whole) : whole_(std::move(whole)) {}

    Piece whole_;
};

} // namespace mpix::datatype
