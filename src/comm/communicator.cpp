// SPDX-License-Identifier: BSD-3-Clause
//
// Making, finding and dropping what hangs on communicators. Ranks that have met need not meet again
// on another one: they take the same context, if all of them know it.
#include "comm/communicator.hpp"

#include "base/immortal.hpp"
#include "comm/agreement.hpp"
#include "comm/attribute.hpp"
#include "comm/communicator_id.hpp"
#include "comm/creations.hpp"
#include "host/failure.hpp"
#include "progress/statistics.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <new>

namespace mpix::comm {
namespace {

constinit Attribute<Communicator> communicators(MPI_COMM_NULL_COPY_FN);

// The same for all that were made of MPI_COMM_WORLD, and another one for each that was made of a
// session's group. What has lost its identity is taken for one of the world's.
std::shared_ptr<ControlCommunicator> origin_of(MPI_Comm comm) {
    const std::shared_ptr<CommunicatorId> id = CommunicatorId::of(comm);
    return id ? id->shared_control() : control_of_all();
}

bool is_like_world(MPI_Comm comm) {
    int is_there = 0;
    HOST(Initialized)(&is_there); // else a program of sessions
    return is_there && host::compare_ranks(comm, MPI_COMM_WORLD) == MPI_IDENT;
}

// The contexts that were made last. That of the ranks of MPI_COMM_WORLD stays: once they have met,
// each of them knows that all of them have it.
class Known {
  public:
    void add(const std::shared_ptr<Context>& context, MPI_Comm comm) {
        if (!may_be_shared(comm)) return;
        const bool of_all = is_like_world(comm);
        const std::shared_ptr<ControlCommunicator> origin = origin_of(comm);
        const std::lock_guard lock(mutex_);
        if (of_all && origin == control_of_all())
            of_world_ = context;
        else
            latest_[next_++ % latest_.size()] = {context, origin};
    }

    // One with the ranks of `comm` in the same order, or null. It takes no memory.
    std::shared_ptr<Context> find(MPI_Comm comm) {
        if (!may_be_shared(comm)) return nullptr;
        const std::shared_ptr<ControlCommunicator> origin = origin_of(comm);
        const std::lock_guard lock(mutex_);
        if (of_world_ && origin == control_of_all() && has_ranks_of(comm, *of_world_))
            return of_world_;
        for (const Entry& one : latest_)
            if (std::shared_ptr<Context> found = one.context.lock();
                found && one.origin.lock() == origin && has_ranks_of(comm, *found))
                return found;
        return nullptr;
    }

    // Whether all ranks know that all of them know it.
    bool is_for_good(const std::shared_ptr<Context>& context) {
        const std::lock_guard lock(mutex_);
        return context && context == of_world_;
    }

    void drop() {
        const std::lock_guard lock(mutex_);
        of_world_.reset();
    }

  private:
    // Not where two threads may make plans at once, in one order here and in another one elsewhere.
    static bool may_be_shared(MPI_Comm comm) {
        constexpr int most = 1024; // of more it takes a host too long to compare, and memory
        int is_inter = 0, ranks = 0;
        HOST(Comm_test_inter)(comm, &is_inter);
        HOST(Comm_size)(comm, &ranks);
        return !is_inter && ranks <= most && !host::threads_multiple();
    }
    static bool has_ranks_of(MPI_Comm comm, const Context& context) {
        return host::compare_ranks(comm, context.shadow()) == MPI_IDENT;
    }

    // Not among sessions: what was made in one ends with it.
    struct Entry {
        std::weak_ptr<Context> context;
        std::weak_ptr<ControlCommunicator> origin;
    };

    std::mutex mutex_;
    std::shared_ptr<Context> of_world_;
    std::array<Entry, 8> latest_;
    std::size_t next_ = 0;
};

// Its destructor would be too late for the host.
base::Immortal<Known> known;

// Instead of the others' context_of().
void fail_with_others(MPI_Comm comm, const std::shared_ptr<Context>& mine) noexcept {
    if (known.value.is_for_good(mine)) return agree_to_fail(*mine);
    Gathering gathering{.is_ready = false};
    gather_ranks(comm, gathering);
}

// Collective, unless all know already that all have `mine`.
std::shared_ptr<Context> context_of(MPI_Comm comm, std::shared_ptr<Context> mine,
                                    std::shared_ptr<Context> made) {
    if (!made) return mine;
    Gathering gathering{.name = mine ? mine->name() : 0};
    host::check_raised(gather_ranks(comm, gathering));
    if (!gathering.is_ready) throw std::bad_alloc();
    if (gathering.name != 0) return mine;
    made->meet(comm);
    known.value.add(made, comm);
    return made;
}

} // namespace

Communicator::Place Communicator::place_for(MPI_Comm comm) {
    return std::make_unique<Attribute<Communicator>::Hung>(std::make_shared<Communicator>(comm));
}

std::shared_ptr<Communicator> Communicator::of(MPI_Comm comm, Place& place) {
    if (std::shared_ptr<Communicator> found = communicators.find(comm)) return found;
    const std::shared_ptr<Context> mine = known.value.find(comm);
    std::shared_ptr<Context> made;
    try { // before the others are involved, who wait to hear of it
        if (!place) place = place_for(comm);
        if (!known.value.is_for_good(mine)) made = std::make_shared<Context>(comm);
    } catch (const std::bad_alloc&) {
        fail_with_others(comm, mine);
        throw;
    }
    const std::shared_ptr<Communicator> result = place->value;
    result->context_ = context_of(comm, mine, std::move(made));
    // A context may be older than MPI_COMM_WORLD, in a program of sessions.
    const Context& context = *result->context_;
    if (context.selection().all_count()) progress::note_counting(context.everyone());
    communicators.hang(comm, std::move(place));
    return result;
}

void drop_contexts() {
    communicators.end();
    known.value.drop();
}

} // namespace mpix::comm
