// SPDX-License-Identifier: BSD-3-Clause
//
// What the library is and can do in this process, for people.
#pragma once

namespace mpix::library {

// The text is never freed. Null if there is no memory for it.
const char* describe(const char* version) noexcept;

} // namespace mpix::library
