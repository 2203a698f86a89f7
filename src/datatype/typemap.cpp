// SPDX-License-Identifier: BSD-3-Clause
//
// The walk through a type's construction, MPI 4.1 sections 5.1.2 to 5.1.4: a function a
// constructor.
#include "datatype/typemap.hpp"

#include "datatype/contents.hpp"
#include "host/array_constants.hpp"

#include <algorithm>
#include <span>

namespace mpix::datatype {
namespace {

using Numbers = std::span<const std::int64_t>;

// Types in the construction of one, which may all be different or the same few again and again.
constexpr int most_visits = 1 << 16;

std::int64_t extent_of(MPI_Datatype type) {
    MPI_Aint lb = 0, extent = 0;
    HOST(Type_get_extent)(type, &lb, &extent);
    return extent;
}

// A type of the host's with gaps, as MPI_DOUBLE_INT: what it unpacks shows where its bytes are.
Piece probe(MPI_Datatype type, int size) {
    if (size > 255) throw NotFlat{};
    MPI_Aint true_lb = 0, true_extent = 0;
    HOST(Type_get_true_extent)(type, &true_lb, &true_extent);
    std::vector<std::uint8_t> packed(static_cast<std::size_t>(size));
    std::vector<std::uint8_t> spread(static_cast<std::size_t>(true_extent));
    for (std::size_t i = 0; i < packed.size(); ++i) packed[i] = static_cast<std::uint8_t>(i + 1);
    int position = 0;
    HOST(Unpack)
    (packed.data(), size, &position, spread.data() - true_lb, 1, type, host::self());
    Sequence bytes;
    for (const std::uint8_t byte : packed) {
        const auto found = std::find(spread.begin(), spread.end(), byte);
        if (found == spread.end()) throw NotFlat{};
        bytes.add(run_of(1), true_lb + (found - spread.begin()));
    }
    return bytes.piece();
}

Piece named(MPI_Datatype type) {
    MPI_Aint lb = 0, extent = 0;
    int size = 0;
    HOST(Type_get_extent)(type, &lb, &extent);
    HOST(Type_size)(type, &size);
    return lb == 0 && extent == size ? run_of(size) : probe(type, size);
}

// Blocks of one inner type, whose displacements are in units of `unit` bytes.
Piece blocks(const Piece& inner, std::int64_t extent, Numbers lengths, Numbers displacements,
             std::int64_t unit) {
    Sequence all;
    for (std::size_t i = 0; i < displacements.size(); ++i)
        all.add(repeat(inner, lengths[lengths.size() > 1 ? i : 0], extent),
                displacements[i] * unit);
    return all.piece();
}

// The dimensions of an array, the one that varies fastest first.
std::vector<std::size_t> dimensions(std::size_t number, std::int64_t order) {
    std::vector<std::size_t> all;
    for (std::size_t i = 0; i < number; ++i)
        all.push_back(host::is_fortran_order(order) ? i : number - 1 - i);
    return all;
}

Piece subarray(Piece piece, std::int64_t stride, Numbers numbers) {
    const auto n = static_cast<std::size_t>(numbers[0]);
    const Numbers sizes = numbers.subspan(1, n), subsizes = numbers.subspan(1 + n, n),
                  starts = numbers.subspan(1 + 2 * n, n);
    for (const std::size_t d : dimensions(n, numbers.back())) {
        piece = repeat(std::move(piece), subsizes[d], stride);
        piece.offset += starts[d] * stride;
        stride *= sizes[d];
    }
    return piece;
}

// One dimension of a distributed array: every `processes`-th block of `length` steps.
struct Share {
    std::int64_t steps, length, processes, place;

    Share(std::int64_t gsize, std::int64_t distribution, std::int64_t argument,
          std::int64_t of_processes, std::int64_t coordinate)
        : steps(gsize), length(argument), processes(of_processes), place(coordinate) {
        if (host::is_undistributed(distribution))
            processes = 1, place = 0, length = gsize;
        else if (host::is_default(argument))
            length = host::is_block(distribution) ? (gsize + processes - 1) / processes : 1;
    }

    Piece of(const Piece& step, std::int64_t stride) const {
        const std::int64_t round = processes * length, first = place * length;
        const std::int64_t left = std::max<std::int64_t>(steps - first, 0);
        std::int64_t whole = left / round, rest = left % round;
        if (rest >= length) ++whole, rest = 0;
        Sequence all;
        all.add(repeat(repeat(step, length, stride), whole, round * stride), first * stride);
        all.add(repeat(step, rest, stride), (first + whole * round) * stride);
        return all.piece();
    }
};

// The grid of processes is in the order of C whatever that of the array.
Piece darray(Piece piece, std::int64_t stride, Numbers numbers) {
    const auto n = static_cast<std::size_t>(numbers[2]);
    const auto list = [&](std::size_t i) { return numbers.subspan(3 + i * n, n); };
    const Numbers gsizes = list(0), distributions = list(1), arguments = list(2), grid = list(3);
    std::vector<std::int64_t> coordinates(n);
    for (std::int64_t d = numbers[2] - 1, rank = numbers[1]; d >= 0; --d) {
        const auto i = static_cast<std::size_t>(d);
        coordinates[i] = rank % grid[i];
        rank /= grid[i];
    }
    for (const std::size_t d : dimensions(n, numbers.back())) {
        const Share share(gsizes[d], distributions[d], arguments[d], grid[d], coordinates[d]);
        piece = share.of(piece, stride);
        stride *= gsizes[d];
    }
    return piece;
}

class Walk {
  public:
    Piece flatten(MPI_Datatype type);

  private:
    Piece structure(const Contents& of);
    int visits_ = 0;
};

Piece Walk::structure(const Contents& of) {
    const std::size_t n = of.types.size();
    Sequence all;
    for (std::size_t i = 0; i < n; ++i)
        all.add(repeat(flatten(of.types[i]), of.numbers[1 + i], extent_of(of.types[i])),
                of.numbers[1 + n + i]);
    return all.piece();
}

Piece Walk::flatten(MPI_Datatype type) {
    if (++visits_ > most_visits) throw NotFlat{};
    const Contents of(type);
    if (of.types.empty()) return named(type);
    if (of.combiner == MPI_COMBINER_STRUCT) return structure(of);
    Piece inner = flatten(of.types[0]);
    const std::int64_t extent = extent_of(of.types[0]);
    const Numbers numbers = of.numbers;
    const auto n = numbers.empty() ? 0 : static_cast<std::size_t>(numbers[0]);
    switch (of.combiner) {
    case MPI_COMBINER_DUP:
    case MPI_COMBINER_RESIZED: return inner;
    case MPI_COMBINER_CONTIGUOUS: return repeat(std::move(inner), numbers[0], extent);
    case MPI_COMBINER_VECTOR:
    case MPI_COMBINER_HVECTOR:
        return repeat(repeat(std::move(inner), numbers[1], extent), numbers[0],
                      numbers[2] * (of.combiner == MPI_COMBINER_VECTOR ? extent : 1));
    case MPI_COMBINER_INDEXED:
    case MPI_COMBINER_HINDEXED:
        return blocks(inner, extent, numbers.subspan(1, n), numbers.subspan(1 + n, n),
                      of.combiner == MPI_COMBINER_INDEXED ? extent : 1);
    case MPI_COMBINER_INDEXED_BLOCK:
    case MPI_COMBINER_HINDEXED_BLOCK:
        return blocks(inner, extent, numbers.subspan(1, 1), numbers.subspan(2, n),
                      of.combiner == MPI_COMBINER_INDEXED_BLOCK ? extent : 1);
    case MPI_COMBINER_SUBARRAY: return subarray(std::move(inner), extent, numbers);
    case MPI_COMBINER_DARRAY: return darray(std::move(inner), extent, numbers);
    // Also those that MPI-3 removed: the hosts make none, and do not all have a name for them.
    default: throw NotFlat{};
    }
}

} // namespace

Piece typemap(MPI_Datatype type) { return Walk().flatten(type); }

} // namespace mpix::datatype
