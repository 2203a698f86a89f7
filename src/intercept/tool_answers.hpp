// SPDX-License-Identifier: BSD-3-Clause
//
// How the calls of the tool information interface answer: by codes of their own, never by an error
// handler, and into arguments of which any may be null.
#pragma once

#include "host/host.hpp"

#include <algorithm>
#include <cstring>
#include <new>
#include <string_view>
#include <system_error>

namespace mpix::intercept::tools {

template<class Call>
int guarded(Call call) {
    try {
        return call();
    } catch (const std::bad_alloc&) {
        return MPI_T_ERR_MEMORY;
    } catch (const std::system_error&) { // a lock
        return MPI_T_ERR_INVALID;
    }
}

template<class Value>
void answer(Value* to, Value value) {
    if (to) *to = value;
}

// As much as there is room for; the length is what it takes.
inline void answer(char* text, int* length, std::string_view value) {
    if (!length) return;
    if (text && *length > 0) {
        const std::size_t copied = std::min(value.size(), static_cast<std::size_t>(*length) - 1);
        std::memcpy(text, value.data(), copied);
        text[copied] = '\0';
    }
    *length = static_cast<int>(value.size()) + 1;
}

} // namespace mpix::intercept::tools
