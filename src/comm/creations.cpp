// SPDX-License-Identifier: BSD-3-Clause
//
// A number is mixed of what all members know: how the communicator was made and of which, which one
// of those it is, and who belongs to it. Where members have nothing in common that they could count
// by, and forget again, one of them draws the number and tells it to the others.
#include "comm/creations.hpp"

#include "base/hash.hpp"
#include "base/immortal.hpp"
#include "comm/communicator_id.hpp"
#include "comm/control_communicator.hpp"
#include "host/failure.hpp"
#include "progress/waiting.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace mpix::comm {
namespace {

// Relaxed: who begins or ends MPI has synchronised with every thread that uses it.
constinit std::atomic<bool> are_noted{false};

constinit base::Immortal<std::shared_ptr<ControlCommunicator>> the_world;
std::shared_ptr<ControlCommunicator>& world() { return the_world.value; }

class Group {
  public:
    enum Side : bool { near, far };

    Group(MPI_Comm comm, Side side) {
        host::check_raised(side == far ? HOST(Comm_remote_group)(comm, &group_)
                                       : HOST(Comm_group)(comm, &group_));
    }
    ~Group() { HOST(Group_free)(&group_); }
    Group(const Group&) = delete;
    Group& operator=(const Group&) = delete;
    operator MPI_Group() const { return group_; }

  private:
    MPI_Group group_ = MPI_GROUP_NULL;
};

// No two pieces of one creation have the same first process. Both sides of an intercommunicator
// take its two in the same order.
std::uint64_t piece_of(MPI_Comm made, const ControlCommunicator& control) {
    int is_inter = 0;
    HOST(Comm_test_inter)(made, &is_inter);
    const int near = control.rank_of(Group(made, Group::near), 0);
    if (!is_inter) return base::hash_of(near);
    const int far = control.rank_of(Group(made, Group::far), 0);
    const auto [low, high] = std::minmax({near, far});
    return base::hash_of(low, high);
}

// To the others of a communicator that the program has not seen yet: `root` is as MPI_Bcast takes
// it. Plans move meanwhile. 0 where the host fails.
std::uint64_t tell(MPI_Comm made, int root, std::uint64_t number) {
    MPI_Request request = MPI_REQUEST_NULL;
    int code = HOST(Ibcast)(&number, 1, MPI_UINT64_T, root, made, &request);
    if (code == MPI_SUCCESS) code = progress::wait_for(request);
    return code == MPI_SUCCESS ? number : 0;
}

// From the first of one side to all of the other.
std::uint64_t tell_across(MPI_Comm made, bool from_here, std::uint64_t number) {
    int rank = 0;
    HOST(Comm_rank)(made, &rank);
    return tell(made, !from_here ? 0 : rank == 0 ? MPI_ROOT : MPI_PROC_NULL, number);
}

// There and back, so that all of both sides have it.
std::uint64_t tell_both(MPI_Comm made, bool is_first, std::uint64_t number) {
    return tell_across(made, !is_first, tell_across(made, is_first, number));
}

// Others may have been left without the library, or have one of their own.
bool began_together(MPI_Comm made) { return !world() || world()->has(Group(made, Group::near)); }

// Calls what gives `made` an identity if creations are noted.
template<class Give>
void note(Give give) noexcept {
    if (!notes_creations()) return;
    try {
        give();
    } catch (...) { // then it has none
    }
}

void give_origin(MPI_Comm comm, const std::shared_ptr<ControlCommunicator>& control) {
    if (control)
        CommunicatorId::give(comm, base::hash_of(Making::origin, control->number()), control);
}

} // namespace

void begin_creations() { are_noted.store(true, std::memory_order_relaxed); }

bool notes_creations() { return are_noted.load(std::memory_order_relaxed); }

void end_creations() {
    are_noted.store(false, std::memory_order_relaxed);
    if (world()) world()->free();
    Aside::free_all();
    CommunicatorId::end();
}

const std::shared_ptr<ControlCommunicator>& control_of_all() { return world(); }

MPI_Comm control_of_world() { return world() ? world()->comm() : MPI_COMM_NULL; }

void note_world() noexcept {
    note([] {
        world() = ControlCommunicator::over(MPI_COMM_WORLD);
        if (!world()) return;
        int rank = 0;
        HOST(Comm_rank)(MPI_COMM_WORLD, &rank);
        give_origin(MPI_COMM_WORLD, world());
        CommunicatorId::give(MPI_COMM_SELF, base::hash_of(Making::self, rank), world());
    });
}

void note_creation(MPI_Comm parent, MPI_Comm made, std::int64_t piece) noexcept {
    note([&] {
        const auto of = CommunicatorId::of(parent);
        if (!of) return;
        const std::uint64_t creation = of->count_creation();
        const auto number = of->number_of_child(creation, static_cast<std::uint64_t>(piece));
        if (made != MPI_COMM_NULL) CommunicatorId::give(made, number, of->shared_control());
    });
}

void note_pieces(MPI_Comm parent, MPI_Comm made) noexcept {
    note([&] {
        const auto of = CommunicatorId::of(parent);
        if (!of) return;
        const std::uint64_t creation = of->count_creation();
        if (made == MPI_COMM_NULL) return;
        const auto& control = of->shared_control();
        CommunicatorId::give(made, of->number_of_child(creation, piece_of(made, *control)),
                             control);
    });
}

// Who does not know the parent, for want of memory, tells all the same, and listens.
void note_group(MPI_Comm parent, MPI_Comm made) noexcept {
    note([&] {
        if (made == MPI_COMM_NULL || !began_together(made)) return;
        const auto of = CommunicatorId::of(parent);
        const std::uint64_t number = tell(made, 0, of ? of->shared_control()->draw() : 0);
        if (of && number != 0)
            CommunicatorId::give(made, base::hash_of(Making::group, number), of->shared_control());
    });
}

void note_join(MPI_Comm local, MPI_Comm made) noexcept {
    note([&] {
        const auto of = CommunicatorId::of(local);
        if (of && of->shared_control() != world())
            return give_origin(made, ControlCommunicator::over(made));
        if (!world()) return;
        const Group near(made, Group::near), far(made, Group::far);
        if (!world()->has(near) || !world()->has(far)) return;
        const bool is_first = world()->rank_of(near, 0) < world()->rank_of(far, 0);
        const std::uint64_t number = tell_both(made, is_first, world()->draw());
        if (number != 0) CommunicatorId::give(made, base::hash_of(Making::join, number), world());
    });
}

void note_origin(MPI_Comm made) noexcept {
    note([&] {
        if (made != MPI_COMM_NULL) give_origin(made, ControlCommunicator::over(made));
    });
}

} // namespace mpix::comm
