// SPDX-License-Identifier: BSD-3-Clause
//
// What is regular becomes a repetition at once, so that the memory is bounded by what is not.
#include "datatype/piece.hpp"

#include <algorithm>
#include <utility>

namespace mpix::datatype {
namespace {

// As many as a program may have listed: its own list and the copy in the host take as much.
constexpr std::size_t most_pieces = 1 << 16;

bool same(const Body& a, const Body& b);

bool same_repetition(const Piece& a, const Piece& b) {
    if (a.bytes != b.bytes || !a.body != !b.body) return false;
    return a.body == b.body || same(*a.body, *b.body);
}

bool same_but_place(const Piece& a, const Piece& b) {
    return a.count == b.count && a.stride == b.stride && same_repetition(a, b);
}

bool same(const Body& a, const Body& b) {
    return a.places == b.places &&
           std::equal(a.pieces.begin(), a.pieces.end(), b.pieces.begin(), b.pieces.end(),
                      [](const Piece& one, const Piece& other) {
                          return one.offset == other.offset && same_but_place(one, other);
                      });
}

std::size_t weight(const Piece& piece) {
    if (!piece.body) return 1;
    std::size_t sum = 1 + piece.body->places.size();
    for (const Piece& inner : piece.body->pieces) sum += weight(inner);
    return sum;
}

// A body of one piece; its place is that of the whole.
Piece wrap(Piece piece, std::int64_t count, std::int64_t stride) {
    Piece whole{std::exchange(piece.offset, 0), count, stride, piece.size(), {}};
    whole.body = std::make_shared<const Body>(Body{{std::move(piece)}, {}});
    return whole;
}

// Both are repetitions of the same, and the steps go on.
bool continue_steps(Piece& last, const Piece& next) {
    const std::int64_t distance = next.offset - last.offset;
    const std::int64_t stride = last.count > 1 ? last.stride : distance;
    if (distance != last.count * stride || (next.count > 1 && next.stride != stride) ||
        !same_repetition(last, next))
        return false;
    last.count += next.count;
    last.stride = stride;
    return true;
}

// Repetitions of the same become repetitions of repetitions.
bool continue_repetitions(Piece& last, const Piece& next) {
    if (next.count == 1) return false;
    const std::int64_t distance = next.offset - last.offset;
    if (same_but_place(last, next)) {
        last = wrap(last, 2, distance);
        return true;
    }
    const bool goes_on = last.body && last.body->pieces.size() == 1 &&
                         distance == last.count * last.stride &&
                         same_but_place(last.body->pieces.front(), next);
    if (goes_on) ++last.count;
    return goes_on;
}

// Two runs without a gap are one. The last of several repetitions leaves the others for it.
bool touch(Pieces& pieces, const Piece& next) {
    Piece& last = pieces.back();
    const std::int64_t begin = last.offset + (last.count - 1) * last.stride;
    if (last.body || !next.is_run() || next.offset != begin + last.bytes) return false;
    if (last.count == 1) {
        last.bytes += next.bytes;
        return true;
    }
    const Piece joined{begin, 1, 0, last.bytes + next.bytes, {}};
    if (--last.count == 1) last.stride = 0;
    pieces.push_back(joined);
    return true;
}

void append(Pieces& pieces, Piece next) {
    if (pieces.empty() || !(touch(pieces, next) || continue_steps(pieces.back(), next) ||
                            continue_repetitions(pieces.back(), next)))
        pieces.push_back(std::move(next));
}

// Groups that are not repeated dissolve: what touches across their ends can then be joined.
Pieces dissolve(const Pieces& pieces) {
    Pieces flat;
    for (const Piece& piece : pieces) {
        if (piece.count > 1 || !piece.body || piece.body->pieces.empty()) {
            append(flat, piece);
            continue;
        }
        for (Piece inner : piece.body->pieces) {
            inner.offset += piece.offset;
            append(flat, std::move(inner));
        }
    }
    return flat;
}

// The length of the runs if they all have one, else 0.
std::int64_t run_length(const Piece& piece) {
    if (!piece.body) return piece.bytes;
    return piece.body->pieces.size() == 1 ? run_length(piece.body->pieces.front()) : 0;
}

void unfold(const Piece& piece, std::int64_t at, std::vector<std::int64_t>& places) {
    for (std::int64_t i = 0; i < piece.count; ++i) {
        const std::int64_t place = at + piece.offset + i * piece.stride;
        if (piece.body)
            unfold(piece.body->pieces.front(), place, places);
        else
            places.push_back(place);
    }
}

// A few runs may be regular by chance.
constexpr std::int64_t few_runs = 7;
constexpr std::size_t many_places = 8;

struct Irregular {
    std::vector<std::int64_t> places;
    std::size_t pieces = 0; // that they were
};

// The runs of one length from `first` on, until something else comes.
Irregular irregular_runs(const Pieces& pieces, std::size_t first) {
    Irregular found;
    const std::int64_t bytes = run_length(pieces[first]);
    for (std::size_t i = first; i < pieces.size(); ++i, ++found.pieces) {
        const Piece& piece = pieces[i];
        if (bytes == 0 || run_length(piece) != bytes || piece.size() > few_runs * bytes) break;
        unfold(piece, 0, found.places);
    }
    return found;
}

// Shorter and faster where many runs have nothing in common but their length.
Pieces gather_places(const Pieces& pieces) {
    Pieces gathered;
    for (std::size_t i = 0; i < pieces.size();) {
        auto [places, number] = irregular_runs(pieces, i);
        if (places.size() < many_places) {
            gathered.push_back(pieces[i++]);
            continue;
        }
        const std::int64_t offset = places.front();
        for (std::int64_t& place : places) place -= offset;
        const auto bytes = static_cast<std::int64_t>(places.size()) * run_length(pieces[i]);
        gathered.push_back(
            {offset, 1, 0, bytes, std::make_shared<const Body>(Body{{}, std::move(places)})});
        i += number;
    }
    return gathered;
}

} // namespace

Piece run_of(std::int64_t bytes) { return {0, 1, 0, bytes, {}}; }

Piece repeat(Piece piece, std::int64_t count, std::int64_t stride) {
    if (count <= 0 || piece.bytes == 0) return {};
    if (count == 1) return piece;
    if (piece.is_run() && stride == piece.bytes) {
        piece.bytes *= count;
        return piece;
    }
    if (piece.count > 1 && stride != piece.count * piece.stride) return wrap(piece, count, stride);
    if (piece.count == 1) piece.stride = stride;
    piece.count *= count;
    return piece;
}

void Sequence::add(Piece piece, std::int64_t at) {
    if (piece.bytes == 0) return;
    piece.offset += at;
    const std::size_t more = weight(piece), before = pieces_.size();
    append(pieces_, std::move(piece));
    if (pieces_.size() > before) weight_ += more;
    if (weight_ > most_pieces) throw NotFlat{};
}

Piece Sequence::piece() const {
    if (pieces_.empty()) return {};
    if (pieces_.size() == 1) return pieces_.front();
    Pieces pieces = gather_places(dissolve(pieces_));
    Piece whole = pieces.front();
    if (pieces.size() == 1) return whole;
    whole = {whole.offset, 1, 0, 0, {}};
    for (Piece& inner : pieces) {
        inner.offset -= whole.offset;
        whole.bytes += inner.size();
    }
    whole.body = std::make_shared<const Body>(Body{std::move(pieces), {}});
    return whole;
}

} // namespace mpix::datatype
