// SPDX-License-Identifier: BSD-3-Clause
//
// Bruck's allgather: a rank has its own block first and those of the ranks after it, twice as many
// after each round, and turns them into their places in the end.
#include "comm/exchange.hpp"

#include "host/host.hpp"

#include <algorithm>
#include <cstring>

namespace mpix::comm {
namespace {

// One round. Whoever sends here does the same.
void pass(const Ranks& ranks, int distance, int bytes, const std::byte* out, std::byte* in) {
    const int tag = host::tag_limit(ranks.comm); // no plan has it
    const int to = ranks.at((ranks.self + ranks.count - distance) % ranks.count);
    const int from = ranks.at((ranks.self + distance) % ranks.count);
    MPI_Request receive = MPI_REQUEST_NULL, send = MPI_REQUEST_NULL;
    host::check(
        persist([&] { return HOST(Irecv)(in, bytes, MPI_BYTE, from, tag, ranks.comm, &receive); }));
    const int code =
        persist([&] { return HOST(Isend)(out, bytes, MPI_BYTE, to, tag, ranks.comm, &send); });
    const int received = progress::wait_for(receive);
    host::check(code);
    host::check(progress::wait_for(send));
    host::check(received);
}

} // namespace

void exchange(const Ranks& ranks, const void* own, std::size_t bytes, std::byte* all) {
    std::memcpy(all, own, bytes);
    for (int distance = 1; distance < ranks.count; distance *= 2) {
        const int blocks = std::min(distance, ranks.count - distance);
        pass(ranks, distance, static_cast<int>(static_cast<std::size_t>(blocks) * bytes), all,
             all + static_cast<std::size_t>(distance) * bytes);
    }
    const auto of = [&](int blocks) { return all + static_cast<std::size_t>(blocks) * bytes; };
    std::rotate(all, of(ranks.count - ranks.self), of(ranks.count));
}

} // namespace mpix::comm
