// SPDX-License-Identifier: BSD-3-Clause
//
// What they say of buffers.
#include "run/arguments.hpp"

namespace mpix::run {
namespace {

Buffers::Given given(const Side& side) {
    if (side.in_place) return Buffers::Given::in_place;
    return side.types.empty() ? Buffers::Given::nothing : Buffers::Given::address;
}

} // namespace

Buffers buffers_of(const Arguments& arguments) {
    return {given(arguments.send), given(arguments.recv),
            kind(arguments.collective) == plan::Kind::bcast};
}

} // namespace mpix::run
