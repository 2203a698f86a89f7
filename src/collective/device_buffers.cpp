// SPDX-License-Identifier: BSD-3-Clause
//
// Where the data of each block begin is what the driver is asked about.
#include "collective/device_buffers.hpp"

#include "host/device_memory.hpp"
#include "host/failure.hpp"

#include <algorithm>
#include <string>

namespace mpix::collective {
namespace {

const std::byte* begin_of(const Side& side, std::size_t block) {
    MPI_Aint lb = 0, extent = 0;
    host::check(HOST(Type_get_true_extent)(side.type(block), &lb, &extent));
    return typed_block(side, block).address + lb;
}

} // namespace

bool is_on_device(const Side& side) {
    if (side.in_place || side.types.empty() || !host::may_have_devices()) return false;
    const std::size_t blocks = std::max<std::size_t>(side.displacements.size(), 1);
    for (std::size_t i = 0; i < blocks; ++i)
        if (side.count(i) > 0 && host::is_device_memory(begin_of(side, i))) return true;
    return false;
}

bool is_on_device(const Arguments& arguments) {
    return is_on_device(arguments.send) || is_on_device(arguments.recv);
}

void refuse_device(const char* call) {
    throw host::Failure{host::error_code(
        MPI_ERR_BUFFER, std::string(call) + ": a buffer is in the memory of a device, which only "
                                            "operations that the host has can use")};
}

} // namespace mpix::collective
