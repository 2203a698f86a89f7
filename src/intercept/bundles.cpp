// SPDX-License-Identifier: BSD-3-Clause
//
// Which requests may be members, and what is wrong with those that may not.
#include "intercept/bundles.hpp"

#include "channel/bundle.hpp"
#include "channel/generalized.hpp"
#include "intercept/errors.hpp"
#include "intercept/handles.hpp"
#include "intercept/point_to_point.hpp"
#include "progress/engine.hpp"
#include "progress/host_progress.hpp"

#include <unordered_map>

namespace mpix::intercept {
namespace {

using progress::Bundles;
using progress::engine;
using progress::Member;
using progress::Members;
using progress::Operation;
using Guard = progress::Engine::Guard;

// A call that concerns no communicator.
template<class Call>
int local(Call call) {
    return with_errors(MPI_COMM_NULL, [&] {
        const Guard guard(engine());
        call();
        return MPI_SUCCESS;
    });
}

std::string nth(int i) { return "requests[" + std::to_string(i) + "]"; }

[[noreturn]] void refuse(const char* call, const std::string& text, int error_class) {
    reject(error_class, std::string(call) + ": " + text);
}

// The first operation in a program of sessions is one on a communicator.
void begin(const char* call) {
    if (world_exists()) host::make_self(MPI_COMM_WORLD);
    if (host::self() == MPI_Comm{})
        refuse(call, "no persistent operation on a communicator was made before",
               MPI_ERR_UNSUPPORTED_OPERATION);
    progress::begin_progress();
}

// Members of a bundle that is being made.
class Gathering {
  public:
    void add(int i, MPI_Request request);
    std::vector<Member> take() { return std::move(members_); }

  private:
    [[noreturn]] void refuse(int i, const std::string& what) {
        intercept::refuse("MPIX_Bundle_init", nth(i) + " " + what, MPI_ERR_REQUEST);
    }
    Member find(int i, MPI_Request request);
    void add_identity(int i, const Member& member);

    std::vector<Member> members_;
    std::unordered_map<const Bundles*, int>
        owners_; // of all members, in members that are bundles too
};

Member Gathering::find(int i, MPI_Request request) {
    if (request == MPI_REQUEST_NULL) refuse(i, "is MPI_REQUEST_NULL");
    if (Operation* const operation = handles().find(request)) {
        if (operation->is_follower()) refuse(i, "is a request for one partition");
        if (operation->is_promise()) refuse(i, "is not a persistent request");
        return {operation->bundles(), operation, nullptr, operation->is_light()};
    }
    Record* const record = find_record(request);
    if (!record) refuse(i, "is not a persistent request");
    if (record->envelope.comm == MPI_COMM_NULL) refuse(i, "is on a communicator that was freed");
    auto message = std::make_unique<progress::HostMessage>();
    message->is_active = [record] { return record->is_active(); };
    if (record->envelope.peer != MPI_PROC_NULL) // MPICH 4.0 never tells that one of those is done
        message->make = [record](MPI_Request* made) { return record->duplicate(made); };
    return {record->bundles(), nullptr, std::move(message)};
}

// No operation is started twice.
void Gathering::add_identity(int i, const Member& member) {
    const auto [found, is_new] = owners_.emplace(member.bundles.get(), i);
    if (!is_new) refuse(i, "has a member of " + nth(found->second) + ", or is the same");
    if (member.operation && member.operation->members())
        for (const Member& inner : member.operation->members()->all) add_identity(i, inner);
}

void Gathering::add(int i, MPI_Request request) {
    Member member = find(i, request);
    if (member.is_active()) refuse(i, "is active");
    add_identity(i, member);
    members_.push_back(std::move(member));
}

// What keeps members from being started.
Fault find_fault(const Members& members) {
    for (std::size_t i = 0; i < members.all.size(); ++i) {
        const Member& member = members.all[i];
        if (member.is_light && !members.are_shared &&
            member.operation->state() == Operation::State::inactive)
            continue;
        const auto number = [i] { return "member " + std::to_string(i); };
        if (member.is_active()) return {MPI_ERR_REQUEST, number() + " is active"};
        if (!member.operation) continue;
        if (const char* array = base::changed_array(member.operation->checked_arrays()))
            return {MPI_ERR_ARG, number() + ": " + array + " changed since the init"};
        if (!member.operation->members()) continue;
        const Fault inner = find_fault(*member.operation->members());
        if (inner.error_class != MPI_SUCCESS)
            return {inner.error_class, number() + ": " + inner.text};
    }
    return {};
}

void check_member(const char* name, int number, std::size_t count) {
    if (number < 0 || static_cast<std::size_t>(number) >= count)
        refuse("MPIX_Bundle_after",
               std::string(name) + " is " + std::to_string(number) + ", no member of " +
                   std::to_string(count),
               MPI_ERR_ARG);
}

} // namespace

int bundle_init(int n, const MPI_Request requests[], MPI_Info, MPI_Request* bundle) {
    const char* const name = "MPIX_Bundle_init";
    return local([&] {
        if (n < 0) refuse(name, "n is " + std::to_string(n), MPI_ERR_ARG);
        if (n > 0 && !requests) refuse(name, "requests is null", MPI_ERR_ARG);
        if (!bundle) refuse(name, "bundle is null", MPI_ERR_ARG);
        begin(name);
        Gathering members;
        for (int i = 0; i < n; ++i) members.add(i, requests[i]);
        *bundle = make_request(channel::make_bundle(members.take()));
    });
}

int bundle_after(MPI_Request bundle, int later, int earlier) {
    const char* const name = "MPIX_Bundle_after";
    return local([&] {
        Operation* const operation = handles().find(bundle);
        if (!operation || !operation->members())
            refuse(name, "request is not a bundle", MPI_ERR_REQUEST);
        if (!operation->is_free()) refuse(name, "the bundle is active", MPI_ERR_REQUEST);
        check_member("later", later, operation->members()->all.size());
        check_member("earlier", earlier, operation->members()->all.size());
        if (later == earlier)
            refuse(name, "later and earlier are both " + std::to_string(later), MPI_ERR_ARG);
        if (!channel::order(*operation, later, earlier))
            refuse(name,
                   "member " + std::to_string(earlier) + " starts after member " +
                       std::to_string(later) + " already",
                   MPI_ERR_ARG);
    });
}

int pgrequest_init(int (*start)(void*), int (*poll)(void*, int*),
                   MPI_Grequest_query_function* query, MPI_Grequest_free_function* free,
                   MPI_Grequest_cancel_function* cancel, void* extra_state, MPI_Request* request) {
    const char* const name = "MPIX_Pgrequest_init";
    return local([&] {
        if (!start) refuse(name, "start_fn is null", MPI_ERR_ARG);
        if (!poll) refuse(name, "poll_fn is null", MPI_ERR_ARG);
        if (!request) refuse(name, "request is null", MPI_ERR_ARG);
        begin(name);
        *request = make_request(
            channel::make_generalized({start, poll, query, free, cancel, extra_state}));
    });
}

Fault start_bundled(Operation& operation) {
    if (operation.is_follower()) return {MPI_ERR_REQUEST, " is started with its operation"};
    if (!operation.is_free())
        return {MPI_ERR_REQUEST, operation.state() == Operation::State::inactive
                                     ? " is a member of an active bundle"
                                     : " is active"};
    if (operation.members()) {
        Fault fault = find_fault(*operation.members());
        if (fault.error_class != MPI_SUCCESS) return {fault.error_class, ": " + fault.text};
    }
    operation.claim();
    engine().start_claimed(operation);
    return {};
}

} // namespace mpix::intercept
