// SPDX-License-Identifier: BSD-3-Clause
//
// What they say of buffers.
#include "collective/arguments.hpp"

namespace mpix::collective {
namespace {

progress::Buffers::Given given(const Side& side) {
    if (side.in_place) return progress::Buffers::Given::in_place;
    return side.types.empty() ? progress::Buffers::Given::nothing
                              : progress::Buffers::Given::address;
}

} // namespace

progress::Buffers buffers_of(const Arguments& arguments) {
    return {given(arguments.send), given(arguments.recv),
            kind(arguments.collective) == plan::Kind::bcast};
}

} // namespace mpix::collective
