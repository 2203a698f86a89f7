// SPDX-License-Identifier: BSD-3-Clause
//
// Packing, unpacking and copying are one movement between two sides, each of which is packed or
// spread as the type says. A part of the packed stream would be one more pair of bounds: every
// piece knows its bytes, so whole repetitions before the part are skipped by division.
#include "datatype/flat_type.hpp"

#include "datatype/typemap.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

namespace mpix::datatype {
namespace {

enum class Form { packed, spread };

// ---- runs of one length ----

// The loops are unrolled because what they do is no longer than a turn of theirs.

// From each side's first run, with the step to its next.
using CopySteps = void (*)(std::byte* to, std::ptrdiff_t to_step, const std::byte* from,
                           std::ptrdiff_t from_step, std::int64_t runs);
// On a spread side the runs are at the places.
using CopyPlaces = void (*)(std::byte* to, const std::byte* from,
                            std::span<const std::int64_t> places);

template<std::size_t bytes>
void copy_steps(std::byte* to, std::ptrdiff_t to_step, const std::byte* from,
                std::ptrdiff_t from_step, std::int64_t runs) {
#pragma GCC unroll 4
    for (; runs > 0; --runs, to += to_step, from += from_step) std::memcpy(to, from, bytes);
}

template<Form from_form, Form to_form, std::size_t bytes>
void copy_places(std::byte* to, const std::byte* from, std::span<const std::int64_t> places) {
    std::ptrdiff_t packed = 0;
#pragma GCC unroll 4
    for (const std::int64_t place : places) {
        std::memcpy(to + (to_form == Form::packed ? packed : place),
                    from + (from_form == Form::packed ? packed : place), bytes);
        packed += bytes;
    }
}

// A length that the compiler knows needs no call of memcpy.
constexpr std::size_t most_known = 32;
using Lengths = std::make_index_sequence<most_known + 1>;

constexpr auto step_copies = []<std::size_t... lengths>(std::index_sequence<lengths...>) {
    return std::array<CopySteps, sizeof...(lengths)>{copy_steps<lengths>...};
}
(Lengths{});

template<Form from_form, Form to_form>
constexpr auto place_copies = []<std::size_t... lengths>(std::index_sequence<lengths...>) {
    return std::array<CopyPlaces, sizeof...(lengths)>{copy_places<from_form, to_form, lengths>...};
}
(Lengths{});

void copy_runs(std::int64_t bytes, std::byte* to, std::ptrdiff_t to_step, const std::byte* from,
               std::ptrdiff_t from_step, std::int64_t runs) {
    const auto length = static_cast<std::size_t>(bytes);
    if (length <= most_known) return step_copies[length](to, to_step, from, from_step, runs);
    for (; runs > 0; --runs, to += to_step, from += from_step) std::memcpy(to, from, length);
}

template<Form from_form, Form to_form>
void copy_runs(std::int64_t bytes, std::byte* to, const std::byte* from,
               std::span<const std::int64_t> places) {
    const auto length = static_cast<std::size_t>(bytes);
    if (length <= most_known) return place_copies<from_form, to_form>[length](to, from, places);
    std::ptrdiff_t packed = 0;
    for (const std::int64_t place : places) {
        std::memcpy(to + (to_form == Form::packed ? packed : place),
                    from + (from_form == Form::packed ? packed : place), length);
        packed += bytes;
    }
}

// ---- pieces ----

template<Form form>
std::ptrdiff_t step(const Piece& piece) {
    return form == Form::packed ? piece.bytes : piece.stride;
}

// Where a piece of a body begins, which has `packed` bytes before it.
template<Form form>
std::ptrdiff_t place(const Piece& piece, std::int64_t packed) {
    return form == Form::packed ? packed : piece.offset;
}

// Repetitions of a body that are moved piece by piece, so that the loop over them is the inner
// one: as many as leave their data in the first cache.
std::int64_t batch(std::int64_t bytes) {
    return std::clamp<std::int64_t>((std::int64_t{1} << 14) / bytes, 1, 64);
}

constexpr std::int64_t few = 8; // runs that are not worth a loop of their own

// Both addresses are those of the first repetition.
template<Form from_form, Form to_form>
void move(const Piece& piece, const std::byte* from, std::byte* to);

template<Form from_form, Form to_form>
void move_batch(const Piece& piece, const std::byte* from, std::byte* to, std::int64_t number) {
    const std::ptrdiff_t from_step = step<from_form>(piece), to_step = step<to_form>(piece);
    std::int64_t packed = 0;
    for (const Piece& inner : piece.body->pieces) {
        const std::byte* inner_from = from + place<from_form>(inner, packed);
        std::byte* inner_to = to + place<to_form>(inner, packed);
        if (!inner.body && inner.count < few)
            for (std::int64_t i = 0; i < inner.count; ++i)
                copy_runs(inner.bytes, inner_to + i * step<to_form>(inner), to_step,
                          inner_from + i * step<from_form>(inner), from_step, number);
        else
            for (std::int64_t i = 0; i < number; ++i)
                move<from_form, to_form>(inner, inner_from + i * from_step, inner_to + i * to_step);
        packed += inner.size();
    }
}

template<Form from_form, Form to_form>
void move(const Piece& piece, const std::byte* from, std::byte* to) {
    const std::ptrdiff_t from_step = step<from_form>(piece), to_step = step<to_form>(piece);
    if (!piece.body) return copy_runs(piece.bytes, to, to_step, from, from_step, piece.count);
    if (const std::span places = piece.body->places; !places.empty()) {
        const std::int64_t bytes = piece.bytes / static_cast<std::int64_t>(places.size());
        for (std::int64_t i = 0; i < piece.count; ++i, from += from_step, to += to_step)
            copy_runs<from_form, to_form>(bytes, to, from, places);
        return;
    }
    const std::int64_t most = batch(piece.bytes);
    for (std::int64_t first = 0; first < piece.count; first += most)
        move_batch<from_form, to_form>(piece, from + first * from_step, to + first * to_step,
                                       std::min(most, piece.count - first));
}

} // namespace

std::optional<FlatType> FlatType::of(MPI_Datatype type) try {
    return FlatType(typemap(type));
} catch (const NotFlat&) {
    return std::nullopt;
}

void FlatType::pack(const std::byte* base, std::byte* to) const {
    move<Form::spread, Form::packed>(whole_, base + whole_.offset, to);
}

void FlatType::unpack(const std::byte* from, std::byte* base) const {
    move<Form::packed, Form::spread>(whole_, from, base + whole_.offset);
}

// An element that is repeated itself stays as it is: to repeat it would allocate.
void FlatType::copy(const std::byte* from, std::byte* to, std::int64_t count,
                    std::int64_t extent) const {
    from += whole_.offset;
    to += whole_.offset;
    if (whole_.count == 1)
        return move<Form::spread, Form::spread>(repeat(whole_, count, extent), from, to);
    for (; count > 0; --count, from += extent, to += extent)
        move<Form::spread, Form::spread>(whole_, from, to);
}

} // namespace mpix::datatype
