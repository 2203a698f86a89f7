// SPDX-License-Identifier: BSD-3-Clause
//
// Making the communicator, and what its processes are called in it.
#include "comm/control_communicator.hpp"

#include "base/closed.hpp"
#include "base/hash.hpp"
#include "comm/control_messages.hpp"
#include "progress/waiting.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <numeric>
#include <span>

namespace mpix::comm {
namespace {

// All members have entered when this returns; plans move meanwhile. After it none of them waits for
// another by a plan.
int gather(MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = HOST(Ibarrier)(comm, &request);
    return code == MPI_SUCCESS ? progress::wait_for(request) : code;
}

int copy(MPI_Comm comm, MPI_Comm* made) {
    int is_inter = 0;
    if (const int code = gather(comm); code != MPI_SUCCESS) return code;
    HOST(Comm_test_inter)(comm, &is_inter);
    return is_inter ? HOST(Intercomm_merge)(comm, 0, made) : HOST(Comm_dup)(comm, made);
}

// The host would call the error handler of the communicator. Only for one that the program has not
// seen yet, out of a session, where every communicator has a handler: one that has none, as
// MPI_COMM_WORLD of MPICH, would get one by what puts it back, and hand it on to its duplicates.
int copy_quietly(MPI_Comm comm, MPI_Comm* made) {
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    HOST(Comm_get_errhandler)(comm, &handler);
    HOST(Comm_set_errhandler)(comm, MPI_ERRORS_RETURN);
    const int code = copy(comm, made);
    HOST(Comm_set_errhandler)(comm, handler);
    HOST(Errhandler_free)(&handler);
    return code;
}

std::uint64_t draw_at_random() {
    static std::atomic<unsigned> times{0};
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    return base::hash_of(getpid(), now, ++times);
}

// The first one's draw.
int agree(MPI_Comm comm, std::uint64_t* number) {
    *number = draw_at_random();
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = HOST(Ibcast)(number, 1, MPI_UINT64_T, 0, comm, &request);
    return code == MPI_SUCCESS ? progress::wait_for(request) : code;
}

} // namespace

// Memory is asked for in the end: whoever has none may not leave the others waiting.
std::shared_ptr<ControlCommunicator> ControlCommunicator::over(MPI_Comm comm) {
    Aside::free_all();
    const bool is_world = comm == MPI_COMM_WORLD;
    MPI_Comm made = MPI_COMM_NULL;
    std::uint64_t number = 0;
    int code = is_world ? copy(comm, &made) : copy_quietly(comm, &made);
    if (code != MPI_SUCCESS) return nullptr;
    HOST(Comm_set_errhandler)(made, MPI_ERRORS_RETURN);
    if (!is_world) code = agree(made, &number);
    try {
        if (code == MPI_SUCCESS) {
            auto* const control = new ControlCommunicator(made, number);
            made = MPI_COMM_NULL; // it is the control communicator's, whatever happens to that
            return std::shared_ptr<ControlCommunicator>(control, Aside::put);
        }
    } catch (const std::bad_alloc&) { // there is none
    }
    if (made != MPI_COMM_NULL) HOST(Comm_free)(&made);
    return nullptr;
}

ControlCommunicator::ControlCommunicator(MPI_Comm made, std::uint64_t number)
    : comm_(made), number_(number) {
    HOST(Comm_group)(comm_, &group_);
}

void ControlCommunicator::free() {
    if (comm_ == MPI_COMM_NULL || base::is_closed()) return;
    close_control_messages(comm_);
    HOST(Group_free)(&group_);
    HOST(Comm_free)(&comm_);
}

int ControlCommunicator::rank_of(MPI_Group group, int rank) const {
    int found = MPI_UNDEFINED;
    HOST(Group_translate_ranks)(group, 1, &rank, group_, &found);
    return found;
}

// In parts, so that it needs no memory: all members have to come to the same answer.
bool ControlCommunicator::has(MPI_Group group) const {
    std::array<int, 256> ranks, found;
    int size = 0;
    HOST(Group_size)(group, &size);
    for (int first = 0; first < size; first += static_cast<int>(ranks.size())) {
        const auto part = std::min(ranks.size(), static_cast<std::size_t>(size - first));
        std::iota(ranks.begin(), ranks.end(), first);
        HOST(Group_translate_ranks)
        (group, static_cast<int>(part), ranks.data(), group_, found.data());
        const auto translated = std::span(found).first(part);
        if (std::ranges::find(translated, MPI_UNDEFINED) != translated.end()) return false;
    }
    return true;
}

std::uint64_t ControlCommunicator::draw() {
    int rank = 0;
    HOST(Comm_rank)(comm_, &rank);
    const auto times = draws_.fetch_add(1, std::memory_order_relaxed);
    return std::max<std::uint64_t>(base::hash_of(number_, rank, times), 1);
}

} // namespace mpix::comm
