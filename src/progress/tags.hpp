// SPDX-License-Identifier: BSD-3-Clause
//
// What the messages of one plan over the host travel with: tags that follow each other.
#pragma once

#include "host/symbols.hpp"

#include <cstdint>
#include <memory>

namespace mpix::progress {

struct Tags {
    MPI_Comm comm = MPI_COMM_NULL;
    std::shared_ptr<const void> keeps; // the communicator
    int first = 0;
    std::int32_t count = 0;
    std::uint64_t plan = 0; // with these it names the plan, on all ranks of the communicator
};

} // namespace mpix::progress
