// SPDX-License-Identifier: BSD-3-Clause
//
// Making, finding and dropping contexts. Shadows are split, not duplicated, because a duplicate
// would call the attribute callbacks of the program.
#include "comm/context.hpp"

#include "base/closed.hpp"
#include "base/immortal.hpp"
#include "base/settings.hpp"
#include "comm/attribute.hpp"
#include "host/failure.hpp"
#include "plan/builder.hpp"
#include "progress/statistics.hpp"
#include "progress/waiting.hpp"

#include <algorithm>
#include <array>
#include <mutex>
#include <new>

namespace mpix::comm {
namespace {

constinit Attribute<Context> contexts(MPI_COMM_NULL_COPY_FN);

// The contexts of one group that were made last. Another communicator with the same ranks need not
// find out again who they are.
class Latest {
  public:
    void add(Context* context) {
        const std::lock_guard lock(mutex_);
        contexts_[next_++ % contexts_.size()] = context;
    }
    void remove(const Context* context) {
        const std::lock_guard lock(mutex_);
        std::ranges::replace(contexts_, context, nullptr);
    }
    // Calls `visit` with one that has the ranks of `comm` in the same order, while it cannot go.
    template<class Visit>
    void find(MPI_Comm comm, int ranks, Visit visit) {
        const std::lock_guard lock(mutex_);
        for (const Context* context : contexts_) {
            int result = MPI_UNEQUAL;
            if (!context || context->ranks != ranks) continue;
            HOST(Comm_compare)(comm, context->shadow(), &result);
            if (result == MPI_CONGRUENT) return visit(*context);
        }
    }

  private:
    std::mutex mutex_;
    std::array<Context*, 8> contexts_{};
    std::size_t next_ = 0;
};

// Its destructor would be too early for the last context.
base::Immortal<Latest> latest;

} // namespace

// What ranks tell each other before they enter the host together.
struct Gathering {
    bool is_ready = true;
    std::uint64_t name = 0; // of what is known of them; 0 when it is not the same for all
};

namespace {

// Returns when every rank of `comm` has entered; plans move meanwhile. After it a blocking host
// call among the same ranks cannot wait for a rank that waits for us. `all` becomes what is true of
// all. It takes no memory.
int gather_ranks(MPI_Comm comm, Gathering& all) {
    int is_inter = 0, code = HOST(Comm_test_inter)(comm, &is_inter);
    const auto name = static_cast<std::int64_t>(all.name);
    std::array<std::int64_t, 3> mine{all.is_ready, name, -name}, theirs{};
    // Of two groups each hears of the other, and then what the other has heard.
    for (int round = 0; code == MPI_SUCCESS && round <= is_inter; ++round) {
        MPI_Request request = MPI_REQUEST_NULL;
        code = persist([&] {
            return HOST(Iallreduce)(mine.data(), theirs.data(), 3, MPI_INT64_T, MPI_MIN, comm,
                                    &request);
        });
        if (code == MPI_SUCCESS) code = progress::wait_for(request);
        std::ranges::transform(mine, theirs, mine.begin(),
                               [](auto one, auto other) { return std::min(one, other); });
    }
    all.is_ready = mine[0] != 0;
    all.name = mine[1] == -mine[2] ? static_cast<std::uint64_t>(mine[1]) : 0;
    return code;
}

} // namespace

void Shadow::take(MPI_Comm made) {
    comm = made;
    HOST(Comm_set_errhandler)(comm, MPI_ERRORS_RETURN);
}

Shadow::~Shadow() {
    if (comm != MPI_COMM_NULL && !base::is_closed()) HOST(Comm_free)(&comm);
}

std::shared_ptr<Shadow> make_shadow(MPI_Comm of) {
    Gathering gathering;
    return make_shadow(of, gathering, false);
}

std::shared_ptr<Shadow> make_shadow(MPI_Comm of, Gathering& gathering, bool is_programs) {
    std::shared_ptr<Shadow> shadow;
    try {
        shadow = std::make_shared<Shadow>();
    } catch (const std::bad_alloc&) { // the others are told
    }
    gathering.is_ready = shadow != nullptr;
    MPI_Comm made = MPI_COMM_NULL;
    int rank = 0, code = gather_ranks(of, gathering);
    HOST(Comm_rank)(of, &rank);
    if (code == MPI_SUCCESS && !gathering.is_ready) throw std::bad_alloc();
    if (code == MPI_SUCCESS) code = HOST(Comm_split)(of, 0, rank, &made);
    if (code != MPI_SUCCESS) throw host::Failure{code, is_programs};
    shadow->take(made);
    return shadow;
}

Context::Context(MPI_Comm comm) : progress::ErrorCommunicator(comm) {
    int inter = 0;
    HOST(Comm_rank)(comm, &rank);
    HOST(Comm_size)(comm, &ranks);
    HOST(Comm_test_inter)(comm, &inter);
    is_inter = inter != 0;
    if (is_inter) {
        host::check_raised(HOST(Comm_remote_size)(comm, &remote_ranks));
        union_ = std::make_shared<Shadow>();
    }
    node_peers_.prepare(ranks + remote_ranks);
    constexpr int most_to_compare = 1024; // of more it takes a host too long, and memory for good
    if (!is_inter && ranks <= most_to_compare)
        latest.value.find(comm, ranks, [this](const Context& known) {
            node_peers_.take_over(known.node_peers_);
        });
}

Context::~Context() { latest.value.remove(this); }

void Context::unite() {
    MPI_Comm merged = MPI_COMM_NULL;
    Gathering gathering;
    host::check(gather_ranks(shadow(), gathering));
    host::check(HOST(Intercomm_merge)(shadow(), 0, &merged));
    union_->take(merged);
}

void Context::meet() {
    Gathering gathering{.name = node_peers_.name()};
    shadow_ = make_shadow(comm_, gathering, true);
    if (union_) unite();
    messages_ = union_ ? union_ : shadow_;
    HOST(Comm_rank)(everyone(), &rank_of_all);
    HOST(Comm_size)(everyone(), &ranks_of_all);
    const NodePeers::Findings found =
        gathering.name != 0 ? node_peers_.meet_again(all_ranks()) : node_peers_.find(all_ranks());
    plans_per_shadow_ =
        static_cast<std::uint64_t>(std::max(found.tag_limit / plan::Builder::default_tags, 1));
    selection_.settle(found.fingerprints, found.costs, found.network, found.usual_network,
                      rank_of_all == 0);
    if (selection_.all_count()) progress::note_counting(everyone());
}

// The groups follow each other in the union, each in its own order: who has kept his number is in
// the first.
int Context::of_all(int of_group, bool is_remote) const {
    const bool is_first = rank_of_all == rank;
    if (is_remote) return is_first ? ranks + of_group : of_group;
    return is_first ? of_group : remote_ranks + of_group;
}

std::string Context::name_of(int of_all_ranks) const {
    const int first_of_mine = of_all(0, false), first_of_remote = of_all(0, true);
    const bool is_mine = of_all_ranks >= first_of_mine && of_all_ranks < first_of_mine + ranks;
    if (is_mine) return "rank " + std::to_string(of_all_ranks - first_of_mine);
    return "rank " + std::to_string(of_all_ranks - first_of_remote) + " of the remote group";
}

std::shared_ptr<Context> Context::of(MPI_Comm comm) {
    if (std::shared_ptr<Context> found = contexts.find(comm)) return found;
    Attribute<Context>::Place place;
    try { // before the others are involved, who wait to hear of it
        place = std::make_unique<std::shared_ptr<Context>>(std::make_shared<Context>(comm));
    } catch (const std::bad_alloc&) {
        Gathering gathering{.is_ready = false};
        gather_ranks(comm, gathering);
        throw;
    }
    const std::shared_ptr<Context> made = *place;
    made->meet();
    contexts.hang(comm, std::move(place));
    if (!made->is_inter) latest.value.add(made.get());
    return made;
}

// Each number has the default number of tags, and a plan with more takes numbers that follow each
// other on one shadow. Where a shadow has too few for it, its tags are shared.
void Context::begin_plan(std::uint64_t agreed, std::int64_t wanted) {
    constexpr std::int64_t each = plan::Builder::default_tags;
    const std::uint64_t numbers = std::clamp<std::uint64_t>(
        static_cast<std::uint64_t>((wanted + each - 1) / each), 1, plans_per_shadow_);
    const std::uint64_t used = (agreed - 1) % plans_per_shadow_;
    first_number_ = agreed;
    if (used + numbers > plans_per_shadow_) first_number_ += plans_per_shadow_ - used;
    plan_ = first_number_ + numbers - 1;
    const std::uint64_t shadows = (plan_ - 1) / plans_per_shadow_;
    if (shadows == shadows_) return;
    messages_ = make_shadow(everyone());
    shadows_ = shadows;
}

progress::Tags Context::tags() const {
    constexpr int each = plan::Builder::default_tags;
    return {messages_->comm, messages_,
            static_cast<int>((first_number_ - 1) % plans_per_shadow_) * each,
            static_cast<std::int32_t>(plan_ - first_number_ + 1) * each};
}

void drop_contexts() { contexts.end(); }

} // namespace mpix::comm
