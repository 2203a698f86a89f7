// SPDX-License-Identifier: BSD-3-Clause
//
// Memory of GPUs, which the program may pass to a host that is aware of it. The drivers are asked,
// where the process has loaded one; nothing is loaded for it.
#pragma once

namespace mpix::host {

// Whether a driver is there that may say so of some memory. Any thread.
bool may_have_devices() noexcept;

// Whether CPUs cannot load and store there. Managed memory they can: it is like any other.
bool is_device_memory(const void* address) noexcept;

} // namespace mpix::host
