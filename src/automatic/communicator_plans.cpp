// SPDX-License-Identifier: BSD-3-Clause
//
// Finding what hangs on a communicator, by its handle: to ask the host for an attribute takes as
// long as a short collective.
#include "automatic/communicator_plans.hpp"

#include "automatic/derived.hpp"
#include "base/closed.hpp"
#include "base/settings.hpp"
#include "comm/attribute.hpp"
#include "comm/communicator.hpp"
#include "comm/exchange.hpp"
#include "host/device_memory.hpp"
#include "host/failure.hpp"
#include "host/host.hpp"
#include "progress/engine.hpp"
#include "progress/host_progress.hpp"

#include <cstdio>
#include <mutex>
#include <new>
#include <unordered_map>

namespace mpix::automatic {
namespace {

constexpr Collectives unknown = ~Collectives{0}; // MPIX_AUTO has not been read

constexpr Collectives all_of_them() {
    using plan::Collective;
    Collectives all = 0;
    for (const Collective each :
         {Collective::barrier, Collective::bcast, Collective::gather, Collective::scatter,
          Collective::allgather, Collective::allgatherv, Collective::alltoall, Collective::reduce,
          Collective::allreduce, Collective::reduce_scatter, Collective::reduce_scatter_block,
          Collective::scan, Collective::exscan})
        all |= bit_of(each);
    return all;
}

// Of two ranks each may send what the other does not: a program has to say that its blocks are
// alike.
constexpr Collectives by_name_alone =
    bit_of(plan::Collective::neighbor_allgather) | bit_of(plan::Collective::neighbor_alltoall);

Collectives preset() {
    static const Collectives found =
        read_wanted("MPIX_AUTO", base::settings().MPIX_AUTO).value_or(0);
    return found;
}

// Nothing if one of the words is none.
std::optional<Collectives> find_wanted(std::string_view words) {
    if (words == "0" || words == "false" || words.empty()) return 0;
    if (words == "1" || words == "true") return all_of_them();
    Collectives wanted = 0;
    const bool are_known = base::all_listed(words, [&wanted](std::string_view word) {
        const auto found = plan::find_collective(word);
        if (!found || !((all_of_them() | by_name_alone) & bit_of(*found))) return false;
        wanted |= bit_of(*found);
        return true;
    });
    return are_known ? std::optional(wanted) : std::nullopt;
}

constinit comm::Attribute<CommunicatorPlans> attribute(MPI_COMM_NULL_COPY_FN);

// What was said of a communicator, which its duplicates have too.
class Settings {
  public:
    std::optional<Collectives> of(MPI_Comm comm) {
        void* held = nullptr;
        int found = 0;
        host::check_raised(HOST(Comm_get_attr)(comm, keyval(), &held, &found));
        if (!found) return std::nullopt;
        return static_cast<Collectives>(reinterpret_cast<std::uintptr_t>(held));
    }
    void set(MPI_Comm comm, Collectives wanted) {
        auto* const held = reinterpret_cast<void*>(static_cast<std::uintptr_t>(wanted));
        host::check_raised(HOST(Comm_set_attr)(comm, keyval(), held));
    }
    void end() {
        if (keyval_ != MPI_KEYVAL_INVALID) HOST(Comm_free_keyval)(&keyval_);
    }

  private:
    int keyval() {
        const std::lock_guard lock(mutex_);
        if (keyval_ == MPI_KEYVAL_INVALID)
            HOST(Comm_create_keyval)(MPI_COMM_DUP_FN, MPI_COMM_NULL_DELETE_FN, &keyval_, nullptr);
        return keyval_;
    }

    std::mutex mutex_;
    int keyval_ = MPI_KEYVAL_INVALID;
};
constinit Settings settings;

class Directory {
  public:
    CommunicatorPlans* find(MPI_Comm comm) {
        const Lock lock(*this);
        const auto found = all_.find(host::number_of(comm));
        if (found == all_.end()) return nullptr;
        if (!progress::engine().is_threaded()) latest_communicator = {comm, found->second};
        return found->second;
    }
    void add(CommunicatorPlans& plans) {
        const Lock lock(*this);
        all_.insert_or_assign(host::number_of(plans.comm), &plans);
    }
    void remove(MPI_Comm comm) {
        const Lock lock(*this);
        all_.erase(host::number_of(comm));
        latest_communicator = {};
    }

  private:
    class Lock {
      public:
        explicit Lock(Directory& directory)
            : mutex_(progress::engine().is_threaded() ? &directory.mutex_ : nullptr) {
            if (mutex_) mutex_->lock();
        }
        ~Lock() {
            if (mutex_) mutex_->unlock();
        }
        Lock(const Lock&) = delete;
        Lock& operator=(const Lock&) = delete;

      private:
        std::mutex* const mutex_;
    };

    std::mutex mutex_; // where several threads may be here
    std::unordered_map<std::uintptr_t, CommunicatorPlans*> all_;
};

Directory& directory() {
    static Directory& made = *new Directory; // never destroyed
    return made;
}

CommunicatorPlans& make_plans(MPI_Comm comm) {
    auto made = std::make_shared<CommunicatorPlans>(comm, settings.of(comm).value_or(preset()));
    attribute.hang(comm, std::make_unique<comm::Attribute<CommunicatorPlans>::Hung>(made));
    directory().add(*made);
    return *made;
}

// Once; others may have been set since.
void ask_environment() {
    Collectives known = unknown;
    if (wanted_anywhere.load(std::memory_order_relaxed) == unknown)
        wanted_anywhere.compare_exchange_strong(known, preset(), std::memory_order_relaxed);
}

} // namespace

constinit std::atomic<Collectives> wanted_anywhere{unknown};
constinit LatestCommunicator latest_communicator;

CommunicatorPlans::CommunicatorPlans(MPI_Comm on, Collectives all)
    : comm(on), cache(static_cast<std::size_t>(base::settings().MPIX_AUTO_PLANS)),
      place_(comm::Communicator::place_for(on)) {
    int is_inter = 0;
    host::check_raised(HOST(Comm_test_inter)(comm, &is_inter));
    host::check_raised(HOST(Comm_rank)(comm, &rank));
    host::check_raised(HOST(Comm_size)(comm, &ranks));
    is_inter_ = is_inter != 0;
    host::make_self(comm);
    want(all);
}

void CommunicatorPlans::want(Collectives all) { wanted_ = is_inter_ || ranks == 1 ? 0 : all; }

void LatestCall::note(const RawArguments& arguments, const Invocation& call, Entry& entry) {
    entry_ = &entry;
    like_ = arguments;
    has_send_ = call.send.is_there;
    has_recv_ = call.recv.is_there;
    is_in_place_ = call.key.in_place;
    if (!entry.plan) return;
    // What was copied, from a device, is copied in each call.
    const auto stands_there = [](const std::optional<std::byte*>& place, const void* given) {
        return !place || *place == given;
    };
    const progress::Places& places = entry.plan->places;
    const bool is_taken_there =
        stands_there(places.send, arguments.send) && stands_there(places.recv, arguments.recv);
    entry.plan->given_send = is_taken_there ? arguments.send : nullptr;
    entry.plan->given_recv = is_taken_there ? arguments.recv : nullptr;
}

std::optional<progress::Places> LatestCall::places(const RawArguments& given) const {
    const auto place = [](const void* buffer) {
        return static_cast<std::byte*>(const_cast<void*>(buffer));
    };
    const auto is_buffer = [](const void* buffer) { return buffer && buffer != MPI_IN_PLACE; };
    const bool sends_rightly =
        has_send_ ? is_buffer(given.send) : (given.send == MPI_IN_PLACE) == is_in_place_;
    const bool receives_rightly =
        !has_recv_ || (is_buffer(given.recv) && (!has_send_ || given.recv != given.send));
    if (!sends_rightly || !receives_rightly) return std::nullopt;
    progress::Places places;
    if (has_send_) places.send = place(given.send);
    if (has_recv_) places.recv = place(given.recv);
    return places;
}

CommunicatorPlans::Due::Due(const Invocation& of) : call(of) {
    call.order_shows = false;
    if (!call.counts.at) return;
    for (std::size_t i = 0; i < of.ranks; ++i) counts.push_back(of.counts[i]);
    call.counts = Numbers(counts.data());
}

// Every blocking call looks from now on whether anything is.
void CommunicatorPlans::note_due(const Invocation& call) {
    wanted_anywhere.fetch_or(all_of_them(), std::memory_order_relaxed);
    const auto is_noted = [&](const Due& noted) { return noted.call.key == call.key; };
    if (due.size() < cache.most() && std::ranges::none_of(due, is_noted)) due.emplace_back(call);
}

const collective::Neighborhood* CommunicatorPlans::neighborhood(bool may_wait) {
    if (neighborhood_calls_ < 2) {
        int topology = MPI_UNDEFINED;
        host::check_raised(HOST(Topo_test)(comm, &topology));
        if (topology == MPI_UNDEFINED || ++neighborhood_calls_ < 2) return nullptr;
        is_neighborhood_due_ = true;
        wanted_anywhere.fetch_or(all_of_them(), std::memory_order_relaxed);
    }
    if (may_wait) take_neighborhood();
    return are_all_neighbors_ ? &*neighborhood_ : nullptr;
}

void CommunicatorPlans::take_neighborhood() {
    if (!std::exchange(is_neighborhood_due_, false)) return;
    bool has_neighbors = false;
    try {
        neighborhood_ = collective::neighborhood(comm);
        has_neighbors = neighborhood_->indegree > 0 || neighborhood_->outdegree > 0;
    } catch (const host::Failure&) {
    } catch (const std::bad_alloc&) {}
    are_all_neighbors_ = meet() && all_say(has_neighbors);
}

bool CommunicatorPlans::meet() {
    try {
        comm::Communicator::of(comm, place_);
        return true;
    } catch (const host::Failure&) {
    } catch (const std::bad_alloc&) {}
    return false;
}

bool CommunicatorPlans::all_say(bool yes) {
    said_ = yes ? 1 : 0;
    comm::combine(comm::Communicator::of(comm)->context().all_ranks(), &said_, 1, MPI_INT, MPI_MIN);
    return said_ != 0;
}

void CommunicatorPlans::forget_comm() { directory().remove(comm); }

CommunicatorPlans* look_up_plans(MPI_Comm comm) {
    if (comm == MPI_COMM_NULL || base::is_closed()) return nullptr;
    if (CommunicatorPlans* const found = directory().find(comm)) return found;
    ask_environment();
    return wanted_anywhere.load(std::memory_order_relaxed) != 0 ? &make_plans(comm) : nullptr;
}

void set_wanted(MPI_Comm comm, Collectives wanted) {
    settings.set(comm, wanted);
    ask_environment();
    wanted_anywhere.fetch_or(wanted, std::memory_order_relaxed);
    if (CommunicatorPlans* const found = directory().find(comm)) found->want(wanted);
}

std::optional<Collectives> read_wanted(const char* of, const std::string& words) {
    static std::atomic_flag is_reported{};
    const std::optional<Collectives> found = find_wanted(words);
    if (!found && !is_reported.test_and_set())
        std::fprintf(stderr, "mpix: %s=%s is ignored: it must be 0, 1 or a list of collectives\n",
                     of, words.c_str());
    return found;
}

void begin_plans() {
    int ranks = 1;
    HOST(Comm_size)(MPI_COMM_WORLD, &ranks);
    if (preset() == 0 || ranks == 1) return;
    try {
        host::may_have_devices(); // looks through all that is loaded
        progress::begin_progress();
        comm::Communicator::of(MPI_COMM_WORLD);
    } catch (const host::Failure&) { // the first plan fails too, and is told of
    } catch (const std::bad_alloc&) {}
}

void drop_plans() {
    Promises::end();
    forget_derived();
    attribute.end();
    settings.end();
}

} // namespace mpix::automatic
