// SPDX-License-Identifier: BSD-3-Clause
// Datatypes as trees, their type maps by arithmetic of our own, and random ones with a given
// signature. No MPI here.
#pragma once

#include "elements.hpp"
#include "random.hpp"

#include <string>

namespace fuzz {

enum class Constructor : std::uint8_t {
    named,
    contiguous,    // lengths[0]
    vector,        // lengths[0] blocks of lengths[1], places[0] elements apart
    hvector,       // the same, places[0] bytes apart
    indexed,       // lengths, places in elements
    hindexed,      // lengths, places in bytes
    indexed_block, // blocks of lengths[0], places in elements
    structure,     // one inner type a block, places in bytes
    resized,       // places[0] the lower bound, places[1] the extent
    duplicate,
};

struct Entry {
    Offset offset;
    Base base;
};

struct Layout {
    std::vector<Entry> map;
    Offset lower = 0, upper = 0;           // bounds
    Offset true_lower = 0, true_upper = 0; // of the data
    Offset size = 0, alignment = 1;

    Offset extent() const { return upper - lower; }
};

struct Type {
    Constructor constructor = Constructor::named;
    Base base = Base::integer;
    std::vector<int> lengths;
    std::vector<Offset> places;
    std::vector<int> inner; // numbers of other types
    Layout layout;
};

// `parts` are the layouts of the inner types.
Layout lay_out(const Type& type, const std::vector<const Layout*>& parts);
// Whether two of so many adjacent elements touch the same byte.
bool overlaps_itself(const Layout& layout, long count);

using Signature = std::vector<Base>;

// The types of a program. Numbers of named types are those of their bases.
class Types {
  public:
    Types();
    const Type& operator[](int number) const { return types_[static_cast<std::size_t>(number)]; }
    static int named(Base base) { return static_cast<int>(base); }
    // A type with this signature. No two of adjacent elements overlap.
    int make(Random& random, const Signature& signature, int depth);
    std::string text(int number) const;

  private:
    int add(Type type);
    int add_contiguous(int inner, int count);
    int repeat(Random& random, int inner, int count);
    int repeat_vector(Random& random, int inner, int count);
    int repeat_indexed(Random& random, int inner, int count);
    int structure(Random& random, const Signature& signature, int depth);
    int grow(Random& random, const Signature& signature, int depth);
    int interleave(Random& random, int inner);
    int resize(Random& random, int inner, bool loosely);

    std::vector<Type> types_;
};

} // namespace fuzz
