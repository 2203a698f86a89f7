// SPDX-License-Identifier: BSD-3-Clause
//
// See channels.hpp. While a bind is under way the request that it was called with stands, in our
// table, for a promise.
#include "intercept/channels.hpp"

#include "channel/matching.hpp"
#include "intercept/errors.hpp"
#include "intercept/point_to_point.hpp"
#include "intercept/reader.hpp"
#include "library/info_keys.hpp"
#include "progress/engine.hpp"
#include "progress/host_progress.hpp"
#include "progress/waiting.hpp"

#include <algorithm>
#include <charconv>
#include <list>
#include <span>
#include <thread>
#include <utility>

namespace mpix::intercept {
namespace {

using channel::ChannelArguments;
using channel::ChannelEnd;
using progress::engine;
using Guard = progress::Engine::Guard;
using Ends = std::vector<std::shared_ptr<ChannelEnd>>;

void end_channel(MPI_Request* request) {
    const auto removed = remove_request(*request);
    HOST(Request_free)(request);
}

// The request of an end, had before anybody knows of the end: then nothing fails when it is bound.
// It ends with this unless the program gets it.
class OwnRequest {
  public:
    OwnRequest() = default;
    explicit OwnRequest(std::unique_ptr<Operation> operation)
        : request_(make_request(std::move(operation))) {}
    OwnRequest(OwnRequest&& other) noexcept : request_(other.take()) {}
    ~OwnRequest() {
        const Guard guard(engine());
        if (handles().find(request_)) end_channel(&request_); // not at the end: then all are freed
    }
    OwnRequest(const OwnRequest&) = delete;
    OwnRequest& operator=(const OwnRequest&) = delete;
    OwnRequest& operator=(OwnRequest&&) = delete;
    MPI_Request take() { return std::exchange(request_, MPI_REQUEST_NULL); }

  private:
    MPI_Request request_ = MPI_REQUEST_NULL;
};

// Where the program wants a channel.
struct Place {
    void* at;
    MPIX_Deliver_function* deliver;
};

void write_request(void* place, MPI_Request channel) {
    *static_cast<MPI_Request*>(place) = channel;
}

// What a request stands for that is being bound.
struct Promise {
    MPI_Request request; // the program's
    std::shared_ptr<ChannelEnd> end;
    OwnRequest channel;
    Place out;
};

// The completion call that has concluded one still looks at it: they end when the same thread binds
// or unbinds others, or all ends. There is room for each that may be concluded. Under the guard.
struct Concluded {
    struct One {
        std::unique_ptr<Operation> operation;
        std::thread::id by;
    };
    std::list<One> all, room;

    void reserve() { room.emplace_back(); }
    void add(std::unique_ptr<Operation> operation) {
        all.splice(all.end(), room, room.begin());
        all.back() = {std::move(operation), std::this_thread::get_id()};
    }
    void drop_own() {
        std::erase_if(all, [](const One& one) { return one.by == std::this_thread::get_id(); });
    }
};

Concluded& concluded() {
    static auto& them = *new Concluded; // never destroyed
    return them;
}

[[noreturn]] void fail(const char* call, int error_class, const std::string& what) {
    reject(error_class, std::string(call) + ": " + what);
}

std::string nth(const char* name, int i, int n) {
    return n == 1 ? name : name + std::string("[") + std::to_string(i) + "]";
}

// ADDRESS_BASE_INCREMENT, which must be interpreted, and so must not be malformed.
std::int64_t increment_of(const char* call, MPI_Info info) {
    const std::string text = library::info_value(info, "ADDRESS_BASE_INCREMENT");
    if (text.empty()) return 0;
    std::int64_t value = 0;
    const bool has_plus = text[0] == '+' && text.size() > 1 && text[1] != '-';
    const char* const begin = text.data() + has_plus;
    const auto [at, error] = std::from_chars(begin, text.data() + text.size(), value);
    if (error != std::errc() || at != text.data() + text.size())
        fail(call, MPI_ERR_INFO_VALUE,
             "ADDRESS_BASE_INCREMENT is \"" + text + "\", must be a number of elements");
    return value;
}

void take_info(ChannelArguments& arguments, MPI_Info info) {
    const library::Hints hints = library::read_hints(info);
    arguments.over_host = hints.mpix_transport == "host";
    arguments.splits = hints.mpix_split_merge == "true";
    arguments.increment = increment_of(arguments.call, info);
}

// What the program has bound the request to.
ChannelArguments terms_of(const char* call, const std::string& name, MPI_Request request) {
    if (request == MPI_REQUEST_NULL) fail(call, MPI_ERR_REQUEST, name + " is MPI_REQUEST_NULL");
    if (const Operation* ours = handles().find(request))
        fail(call, MPI_ERR_REQUEST,
             name + " is " +
                 (ours->is_channel()   ? "an end of a channel already"
                  : ours->is_promise() ? "being bound already"
                                       : std::string("a request of ") + ours->name()));
    const Record* record = find_record(request);
    if (!record) fail(call, MPI_ERR_REQUEST, name + " is no persistent send or receive");
    if (record->is_active()) fail(call, MPI_ERR_REQUEST, name + " is active");
    const Envelope& to = record->envelope;
    if (to.comm != MPI_COMM_NULL) host::make_self(to.comm);
    return {.call = call,
            .sends = to.mode != Mode::recv,
            .is_synchronous = to.mode == Mode::ssend,
            .buffer = static_cast<std::byte*>(to.buffer),
            .count = to.count,
            .type = to.type,
            .peer = to.peer,
            .tag = to.tag,
            .comm = to.comm};
}

std::vector<ChannelArguments> read(const char* call, const MPI_Request in[], const void* out, int n,
                                   const int slackness[], const MPI_Info info[]) {
    if (n < 0) fail(call, MPI_ERR_COUNT, "n is " + std::to_string(n));
    if (n > 0 && (!in || !out)) fail(call, MPI_ERR_ARG, "an array of requests is null");
    std::vector<ChannelArguments> all;
    const Guard guard(engine());
    for (int i = 0; i < n; ++i) {
        ChannelArguments& arguments = all.emplace_back(terms_of(call, nth("in", i, n), in[i]));
        for (int j = 0; j < i; ++j)
            if (in[j] == in[i])
                fail(call, MPI_ERR_REQUEST, nth("in", i, n) + " is also " + nth("in", j, n));
        if (slackness) arguments.slack = slackness[i];
        if (arguments.slack < 1)
            fail(call, MPI_ERR_ARG,
                 nth("slackness", i, n) + " is " + std::to_string(arguments.slack) +
                     ", must be 1 or more");
        if (info) take_info(arguments, info[i]);
    }
    return all;
}

// Partners are looked for from now on, if the program makes progress.
void seek_partners(std::span<const std::shared_ptr<ChannelEnd>> ends) {
    const Guard guard(engine());
    concluded().drop_own();
    channel::match(ends);
    engine().progress(); // control messages do not pile up
}

struct Channels {
    Ends ends;
    std::vector<OwnRequest> requests;
};

Channels make_channels(const std::vector<ChannelArguments>& all) {
    progress::begin_progress();
    Channels made;
    for (const ChannelArguments& arguments : all) {
        auto [end, operation] = ChannelEnd::make(arguments);
        made.requests.emplace_back(std::move(operation));
        made.ends.push_back(std::move(end));
    }
    return made;
}

MPI_Comm errors_of(const MPI_Request in[], int n) {
    for (int i = 0; in && i < n; ++i)
        if (const Record* record = find_record(in[i])) return record->errors_to();
    return MPI_COMM_WORLD;
}

bool are_decided(const Ends& ends) {
    const Guard guard(engine());
    return std::all_of(ends.begin(), ends.end(),
                       [](const auto& end) { return end->state() != ChannelEnd::State::waiting; });
}

// The request of an end that is bound; null, and the first error, if it has failed.
MPI_Request request_of(const ChannelEnd& end, OwnRequest& channel, int& code) {
    if (end.state() == ChannelEnd::State::bound) return channel.take();
    if (code == MPI_SUCCESS) code = end.code();
    return MPI_REQUEST_NULL;
}

// Promises, and none of them if it throws.
class Promises {
  public:
    Promises() = default;
    ~Promises() {
        for (const MPI_Request request : made_) remove_request(request);
    }
    Promises(const Promises&) = delete;
    Promises& operator=(const Promises&) = delete;

    void add(MPI_Request request, const std::shared_ptr<ChannelEnd>& end, OwnRequest channel,
             Place out) {
        progress::About about{.name = end->arguments().call,
                              .error_communicator = end->error_communicator()};
        about.attached = std::make_shared<Promise>(Promise{request, end, std::move(channel), out});
        auto made = std::make_unique<Operation>(std::move(about));
        Operation& operation = *made;
        made_.push_back(request);
        concluded().reserve();
        handles().insert(request, std::move(made));
        operation.promise();
        end->keep_promise(operation);
    }
    void keep() { made_.clear(); }

  private:
    std::vector<MPI_Request> made_;
};

// Our channels, and nothing else.
void check_channels(const char* call, MPI_Request requests[], int n) {
    if (n < 0) fail(call, MPI_ERR_COUNT, "n is " + std::to_string(n));
    if (n > 0 && !requests) fail(call, MPI_ERR_ARG, "the array of requests is null");
    for (int i = 0; i < n; ++i) {
        const Operation* found = handles().find(requests[i]);
        const std::string name = nth("request", i, n);
        if (!found || !found->is_channel()) fail(call, MPI_ERR_REQUEST, name + " is no channel");
        if (!found->is_free()) fail(call, MPI_ERR_REQUEST, name + " is active");
        if (found->is_member()) fail(call, MPI_ERR_REQUEST, name + " is a member of a bundle");
    }
}

// place_of(i) is where channel i goes when it is bound; out is null if the program has no place.
template<class PlaceOf>
int begin_to_bind(const char* call, const MPI_Request in[], const void* out, int n,
                  const int slackness[], const MPI_Info info[], PlaceOf place_of) {
    return with_errors(errors_of(in, n), [&] {
        auto [ends, channels] = make_channels(read(call, in, out, n, slackness, info));
        const Guard guard(engine());
        concluded().drop_own();
        Promises promises;
        for (std::size_t i = 0; i < ends.size(); ++i)
            promises.add(in[i], ends[i], std::move(channels[i]), place_of(i));
        channel::match(ends);
        promises.keep();
        engine().progress(); // control messages do not pile up
        return MPI_SUCCESS;
    });
}

} // namespace

int bind_all(const char* call, const MPI_Request in[], MPI_Request out[], int n,
             const int slackness[], const MPI_Info info[]) {
    return with_errors(errors_of(in, n), [&] {
        auto [ends, channels] = make_channels(read(call, in, out, n, slackness, info));
        seek_partners(ends);
        progress::wait_until([&ends = ends] { return are_decided(ends); });
        int code = MPI_SUCCESS;
        for (std::size_t i = 0; i < ends.size(); ++i)
            out[i] = request_of(*ends[i], channels[i], code);
        return code == MPI_SUCCESS ? code : host::raise(errors_of(in, n), code);
    });
}

int begin_to_bind_all(const char* call, const MPI_Request in[], MPI_Request out[], int n,
                      const int slackness[], const MPI_Info info[]) {
    return begin_to_bind(call, in, out, n, slackness, info, [&](std::size_t i) {
        return Place{&out[i], write_request};
    });
}

int ibind_channels_elsewhere(const char* call, const MPI_Request in[], void* const places[],
                             MPIX_Deliver_function* deliver, int n, const int slackness[],
                             const MPI_Info info[]) {
    return begin_to_bind(call, in, places, n, slackness, info, [&](std::size_t i) {
        return Place{places[i], deliver};
    });
}

int unbind_all(const char* call, MPI_Request requests[], int n) {
    return with_errors(MPI_COMM_WORLD, [&] {
        const Guard guard(engine());
        check_channels(call, requests, n);
        concluded().drop_own();
        for (int i = 0; i < n; ++i) end_channel(&requests[i]);
        return MPI_SUCCESS;
    });
}

int begin_to_unbind_all(const char* call, MPI_Request requests[], int n) {
    return with_errors(MPI_COMM_WORLD, [&] {
        const Guard guard(engine());
        check_channels(call, requests, n);
        concluded().drop_own();
        for (int i = 0; i < n; ++i) concluded().reserve();
        for (int i = 0; i < n; ++i) {
            Operation& channel = *handles().find(requests[i]);
            channel.promise();
            channel.fulfil(MPI_SUCCESS, {});
        }
        return MPI_SUCCESS;
    });
}

void drop_concluded() { concluded().all.clear(); }

int conclude(Operation& operation, MPI_Request* place) {
    if (operation.is_channel()) { // it was unbound
        concluded().add(remove_request(*place));
        HOST(Request_free)(place);
        return MPI_SUCCESS;
    }
    const auto kept = std::static_pointer_cast<Promise>(operation.attached());
    int code = operation.finish();
    concluded().add(remove_request(kept->request));
    if (code == MPI_SUCCESS)
        kept->out.deliver(kept->out.at, request_of(*kept->end, kept->channel, code));
    return code;
}

namespace {

struct Names {
    const char* call;
    const char* peer;
};

int make_channel(const Names& names, bool sends, const void* buf, MPI_Count count,
                 MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Info info,
                 MPI_Request* request) {
    return with_errors(comm, [&] {
        Reader in(names.call, comm, request);
        if (sends || peer != MPI_ANY_SOURCE) in.peer(names.peer, peer);
        if (sends || tag != MPI_ANY_TAG) in.tag(tag);
        in.side(in.arguments.send, {"buf", "count", "datatype"}, buf, count, type);
        ChannelArguments arguments{.call = names.call,
                                   .sends = sends,
                                   .buffer = in.arguments.send.buffer,
                                   .count = count,
                                   .type = type,
                                   .peer = peer,
                                   .tag = tag,
                                   .comm = comm};
        take_info(arguments, info);
        progress::begin_progress();
        auto [end, operation] = ChannelEnd::make(arguments);
        OwnRequest channel(std::move(operation));
        seek_partners({&end, 1});
        *request = channel.take();
        return MPI_SUCCESS;
    });
}

} // namespace

int send_channel_init(const void* buf, MPI_Count count, MPI_Datatype type, int dest, int tag,
                      MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return make_channel({"MPIX_Send_channel_init", "dest"}, true, buf, count, type, dest, tag, comm,
                        info, request);
}

int recv_channel_init(void* buf, MPI_Count count, MPI_Datatype type, int source, int tag,
                      MPI_Comm comm, MPI_Info info, MPI_Request* request) {
    return make_channel({"MPIX_Recv_channel_init", "source"}, false, buf, count, type, source, tag,
                        comm, info, request);
}

} // namespace mpix::intercept
