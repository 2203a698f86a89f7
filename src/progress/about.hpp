// SPDX-License-Identifier: BSD-3-Clause
//
// What an operation is from its beginning, before it has a plan: whose errors it tells, what it
// keeps of the program, and the parts that only some have.
#pragma once

#include "base/argument_check.hpp"
#include "datatype/handle_references.hpp"
#include "progress/binding.hpp"
#include "progress/callbacks.hpp"
#include "progress/error_communicator.hpp"
#include "progress/members.hpp"
#include "progress/partitions.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace mpix::progress {

// What the status of a completed receive tells.
struct Envelope {
    int source, tag;
    std::int64_t bytes;
};

struct About {
    const char* name;
    std::shared_ptr<const ErrorCommunicator> error_communicator;
    datatype::HandleReferences references = {};
    Buffers buffers = {};
    std::vector<base::CheckedArray> checked_arrays = {};
    std::unique_ptr<Partitions> partitions = {};
    std::optional<Envelope> envelope = {};
    bool is_channel = false;
    bool is_nonblocking = false;               // its request goes when it completes
    std::shared_ptr<void> attached = {};       // lives as long
    std::unique_ptr<Members> members = {};     // of a bundle
    std::unique_ptr<Callbacks> callbacks = {}; // of a generalized request
};

} // namespace mpix::progress
