// SPDX-License-Identifier: BSD-3-Clause
//
// A number is mixed of what all members know: how the communicator was made and of which, which one
// of those it is, and who belongs to it.
#include "run/creations.hpp"

#include "run/failure.hpp"
#include "run/identity.hpp"
#include "run/immortal.hpp"
#include "run/mix.hpp"
#include "run/post.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

namespace mpix::run {
namespace {

enum class Way : unsigned char { origin, self, child, group, join };

// Relaxed: who begins or ends MPI has synchronised with every thread that uses it.
constinit std::atomic<bool> are_noted{false};

constinit Immortal<std::shared_ptr<Post>> the_world;
std::shared_ptr<Post>& world() { return the_world.value; }

class Group {
  public:
    enum Side : bool { near, far };

    Group(MPI_Comm comm, Side side) {
        check_raised(side == far ? HOST(Comm_remote_group)(comm, &group_)
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
std::uint64_t piece_of(MPI_Comm made, const Post& post) {
    int is_inter = 0;
    HOST(Comm_test_inter)(made, &is_inter);
    const int near = post.rank_of(Group(made, Group::near), 0);
    if (!is_inter) return mixed(near);
    const int far = post.rank_of(Group(made, Group::far), 0);
    const auto [low, high] = std::minmax({near, far});
    return mixed(low, high);
}

// Calls what gives `made` an identity if creations are noted.
template<class Give>
void note(Give give) noexcept {
    if (!notes_creations()) return;
    try {
        give();
    } catch (...) { // then it has none
    }
}

void give_origin(MPI_Comm comm, const std::shared_ptr<Post>& post) {
    if (post) Identity::give(comm, mixed(Way::origin, post->number()), post);
}

} // namespace

void begin_creations() { are_noted.store(true, std::memory_order_relaxed); }

bool notes_creations() { return are_noted.load(std::memory_order_relaxed); }

void end_creations() {
    are_noted.store(false, std::memory_order_relaxed);
    if (world()) world()->free();
    Post::free_unused();
    Identity::end();
}

MPI_Comm post_of_world() { return world() ? world()->comm() : MPI_COMM_NULL; }

void note_world() noexcept {
    note([] {
        world() = Post::over(MPI_COMM_WORLD);
        if (!world()) return;
        int rank = 0;
        HOST(Comm_rank)(MPI_COMM_WORLD, &rank);
        give_origin(MPI_COMM_WORLD, world());
        Identity::give(MPI_COMM_SELF, mixed(Way::self, rank), world());
    });
}

std::uint64_t number_of_child(const Identity& parent, std::uint64_t creation, std::uint64_t piece) {
    return mixed(Way::child, parent.number(), creation, piece);
}

void note_creation(MPI_Comm parent, MPI_Comm made, std::int64_t piece) noexcept {
    note([&] {
        const auto of = Identity::of(parent);
        if (!of) return;
        const std::uint64_t creation = of->count_creation();
        const auto number = number_of_child(*of, creation, static_cast<std::uint64_t>(piece));
        if (made != MPI_COMM_NULL) Identity::give(made, number, of->shared_post());
    });
}

void note_pieces(MPI_Comm parent, MPI_Comm made) noexcept {
    note([&] {
        const auto of = Identity::of(parent);
        if (!of) return;
        const std::uint64_t creation = of->count_creation();
        if (made == MPI_COMM_NULL) return;
        const auto& post = of->shared_post();
        Identity::give(made, number_of_child(*of, creation, piece_of(made, *post)), post);
    });
}

void note_group(MPI_Comm parent, MPI_Group group, int tag, MPI_Comm made) noexcept {
    note([&] {
        const auto of = made == MPI_COMM_NULL ? nullptr : Identity::of(parent);
        if (!of) return;
        const auto members = of->shared_post()->number_of(group);
        if (!members) return;
        const std::uint64_t event = mixed(tag, *members);
        const std::uint64_t time = of->group_creations().next(event);
        if (time == 0) return;
        Identity::give(made, mixed(Way::group, of->number(), event, time), of->shared_post());
    });
}

// Not by the tag: it is the leaders' alone, others may pass any.
void note_join(MPI_Comm local, MPI_Comm made) noexcept {
    note([&] {
        const auto of = Identity::of(local);
        if (of && of->shared_post() != world()) return give_origin(made, Post::over(made));
        if (!world()) return;
        const auto near = world()->number_of(Group(made, Group::near));
        const auto far = world()->number_of(Group(made, Group::far));
        if (!near || !far) return;
        const auto [low, high] = std::minmax({*near, *far});
        const std::uint64_t event = mixed(low, high);
        const std::uint64_t time = world()->joins().next(event);
        if (time != 0) Identity::give(made, mixed(Way::join, event, time), world());
    });
}

void note_origin(MPI_Comm made) noexcept {
    note([&] {
        if (made != MPI_COMM_NULL) give_origin(made, Post::over(made));
    });
}

} // namespace mpix::run
