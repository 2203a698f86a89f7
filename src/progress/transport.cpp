// SPDX-License-Identifier: BSD-3-Clause
//
// Counting and naming them, and saying why there is no shared memory.
#include "progress/transport.hpp"

#include "base/settings.hpp"
#include "shmem/segment.hpp"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <new>

namespace mpix::progress {

void Transport::add(const shmem::Design& design) {
    switch (design.protocol) {
    case shmem::Protocol::staged:
        ++staged;
        chunk = std::max(chunk, design.chunk);
        break;
    case shmem::Protocol::mapped: ++mapped; break;
    case shmem::Protocol::read: ++read; break;
    }
}

std::string name(const Transport& transport) {
    std::string names;
    const auto say = [&names](int messages, const char* way) {
        if (messages == 0) return;
        if (!names.empty()) names += '+';
        names += way;
    };
    say(transport.staged, "staged");
    say(transport.mapped, "mapped");
    say(transport.read, "read");
    say(transport.host, "host");
    return names.empty() ? "none" : names;
}

std::string to_text(const Transport& transport) {
    std::string text;
    const auto say = [&text](int messages, const std::string& way) {
        if (messages == 0) return;
        const char* const what = messages == 1 ? " message " : " messages ";
        text += (text.empty() ? "" : ", ") + std::to_string(messages) + what + way;
    };
    say(transport.staged, "staged in " + std::to_string(transport.chunk) + " B");
    say(transport.mapped, "mapped");
    say(transport.read, "read");
    say(transport.host, "over the host");
    return text.empty() ? "no messages" : text;
}

void report_no_memory() noexcept {
    static std::atomic_flag is_reported{};
    if (base::settings().MPIX_VERBOSE.empty() || is_reported.test_and_set()) return;
    std::string why;
    try {
        why = shmem::segment().complaint();
        if (why.empty() && shmem::segment().is_there()) why = "that of others cannot be mapped";
    } catch (const std::bad_alloc&) {}
    std::fprintf(stderr, "mpix: no shared memory, messages go over the host%s%s\n",
                 why.empty() ? "" : ": ", why.c_str());
}

} // namespace mpix::progress
