// SPDX-License-Identifier: BSD-3-Clause
//
// All partitions of a call are looked at before the first is marked. Of one that was marked before
// the error is raised when the others are marked.
#include "intercept/readiness.hpp"

#include "intercept/errors.hpp"
#include "pready/marking.hpp"
#include "pready/requests.hpp"
#include "progress/backoff.hpp"

#include <algorithm>
#include <span>

namespace mpix::intercept {
namespace {

using progress::Numbering;
using progress::Operation;

std::string text_of(const char* call, const Operation& operation) {
    return std::string(call) + ": request of " + operation.name();
}

// Which partitions of a call: low to high, or those of a list.
class Chosen {
  public:
    explicit Chosen(int one) : low_(one), high_(one) {}
    Chosen(int low, int high) : low_(low), high_(high) {}
    explicit Chosen(std::span<const int> list) : list_(list), is_list_(true) {}

    // visit(first, last) for each run.
    template<class Visit>
    void each(Visit visit) const {
        if (!is_list_) return visit(low_, high_);
        for (const int partition : list_) visit(partition, partition);
    }
    // One that is not in 0 to `partitions` - 1, or -1 for none.
    bool find_outside(std::int64_t partitions, std::int64_t& found) const {
        const auto is_outside = [&](std::int64_t p) { return p < 0 || p >= partitions; };
        if (is_list_) {
            const auto at = std::ranges::find_if(list_, is_outside);
            if (at == list_.end()) return false;
            found = *at;
            return true;
        }
        found = is_outside(low_) ? low_ : high_;
        return is_outside(found);
    }

  private:
    int low_ = 0, high_ = 0;
    std::span<const int> list_;
    bool is_list_ = false;
};

// The segments of a side that a dest or source stands for.
struct Section {
    int first = 0, last = 0;
};

// False if there is no such segment.
bool find_section(const Numbering& numbers, int peer, int all, Section& section) {
    if (peer == all) {
        section = {0, numbers.segments() - 1};
        return true;
    }
    section = {peer, peer};
    if (numbers.has_segments()) return peer >= 0 && peer < numbers.segments();
    section = {0, 0};
    return numbers.peer() != Numbering::all && peer == numbers.peer();
}

// There is nothing that marking twice could spoil, and hosts take it.
bool goes_nowhere(const Numbering& numbers) {
    return !numbers.has_segments() && numbers.peer() == MPI_PROC_NULL;
}

constexpr int linear = INT32_MIN; // no section: linear numbers

class Call {
  public:
    Call(const char* name, MPI_Request request) : Call(name, pready::requests().find(request)) {}
    Call(const char* name, Operation* operation) : name_(name), operation_(operation) {}

    // Wrong, whatever the request is: raised where its errors are.
    int refuse_argument(const std::string& text) const {
        const MPI_Comm errors_to = operation_ ? operation_->errors_to() : MPI_COMM_WORLD;
        return raise(errors_to, MPI_ERR_ARG, std::string(name_) + ": " + text);
    }
    int refuse_null(const char* argument) const {
        return refuse_argument(std::string(argument) + " is null");
    }
    int refuse_list(int length, const int partitions[]) const;
    int refuse_range(int low, int high) const;

    int mark(const Chosen& chosen, int dest = linear) const;
    // Calls ask(operation), or answers that all is there.
    template<class Ask, class All>
    int ask(MPI_Request request, const Chosen& chosen, int source, Ask ask, All all) const;

  private:
    int refuse(int error_class, const std::string& text) const {
        return raise(operation_->errors_to(), error_class,
                     text_of(name_, *operation_) + ' ' + text);
    }
    int refuse_foreign() const {
        return raise(MPI_COMM_WORLD, MPI_ERR_REQUEST,
                     std::string(name_) + ": request is null or not partitioned");
    }
    int check(const Numbering& numbers, const Chosen& chosen, int peer, int all, const char* word,
              Section& section) const;

    const char* const name_;
    Operation* const operation_;
};

// An array of partitions that cannot be one.
int Call::refuse_list(int length, const int partitions[]) const {
    if (length < 0)
        return refuse_argument("length is " + std::to_string(length) + ", must not be negative");
    return length > 0 && !partitions ? refuse_null("partitions") : MPI_SUCCESS;
}

int Call::refuse_range(int low, int high) const {
    if (low <= high) return MPI_SUCCESS;
    return refuse_argument("partitions " + std::to_string(low) + " to " + std::to_string(high) +
                           " are none");
}

int Call::check(const Numbering& numbers, const Chosen& chosen, int peer, int all, const char* word,
                Section& section) const {
    std::int64_t found = 0;
    if (peer == linear) {
        if (!chosen.find_outside(numbers.partitions(), found)) return MPI_SUCCESS;
        return refuse(MPI_ERR_ARG, "has no partition " + std::to_string(found) + ", only 0 to " +
                                       std::to_string(numbers.partitions() - 1));
    }
    if (!find_section(numbers, peer, all, section))
        return refuse(MPI_ERR_RANK, "has no " + std::string(word) + ' ' + std::to_string(peer));
    for (int segment = section.first; segment <= section.last; ++segment)
        if (chosen.find_outside(numbers.partitions_of(segment), found))
            return refuse(MPI_ERR_ARG, "has no partition " + std::to_string(found) + " for " +
                                           word + ' ' + std::to_string(segment) + ", only 0 to " +
                                           std::to_string(numbers.partitions_of(segment) - 1));
    return MPI_SUCCESS;
}

int Call::mark(const Chosen& chosen, int dest) const {
    if (!operation_) [[unlikely]]
        return refuse_foreign();
    const Numbering& numbers = operation_->partitions()->send_numbers;
    if (numbers.partitions() == 0) [[unlikely]]
        return refuse(MPI_ERR_REQUEST, "has nothing to mark on this rank");
    if (operation_->state() == Operation::State::inactive) [[unlikely]]
        return refuse(MPI_ERR_REQUEST, "is inactive");
    Section section;
    if (const int code = check(numbers, chosen, dest, all_dests, "dest", section);
        code != MPI_SUCCESS) [[unlikely]]
        return code;
    std::int64_t twice = -1;
    const auto mark_run = [&](std::int64_t first, std::int64_t last) {
        twice = std::max(twice, pready::mark(*operation_, first, last));
    };
    if (dest == linear)
        chosen.each(mark_run);
    else
        for (int segment = section.first; segment <= section.last; ++segment)
            chosen.each([&](std::int64_t first, std::int64_t last) {
                mark_run(numbers.linear(segment, first), numbers.linear(segment, last));
            });
    pready::act(*operation_);
    if (twice < 0 || goes_nowhere(numbers)) return MPI_SUCCESS;
    return refuse(MPI_ERR_ARG, "has partition " + std::to_string(twice) + " marked already");
}

template<class Ask, class All>
int Call::ask(MPI_Request request, const Chosen& chosen, int source, Ask ask, All all) const {
    if (request == MPI_REQUEST_NULL) {
        all();
        return MPI_SUCCESS;
    }
    if (!operation_) return refuse_foreign();
    const Numbering& numbers = operation_->partitions()->recv_numbers;
    if (numbers.partitions() == 0)
        return refuse(MPI_ERR_REQUEST, "receives no partitions on this rank");
    Section section;
    if (const int code = check(numbers, chosen, source, all_sources, "source", section);
        code != MPI_SUCCESS)
        return code;
    if (operation_->state() == Operation::State::inactive)
        all();
    else
        ask(*operation_, section);
    return MPI_SUCCESS;
}

constinit thread_local progress::AskersBackoff backoff;

// A partition arrives while this is asked, if it can.
template<class Look>
void look_twice(Look is_there) {
    if (is_there()) return backoff.answered();
    const bool has_moved = pready::progress();
    if (is_there() || has_moved) return backoff.answered();
    backoff.in_vain();
}

// Apart from the quick way, which needs no frame.
[[gnu::noinline]] int mark_otherwise(Operation* operation, int partition) {
    if (operation && pready::mark_traced_part(*operation, partition)) return MPI_SUCCESS;
    return Call("MPI_Pready", operation).mark(Chosen(partition));
}

int null_request(const char* call) {
    return raise(MPI_COMM_WORLD, MPI_ERR_ARG, std::string(call) + ": request is null");
}

Chosen list_of(int length, const int partitions[]) {
    return Chosen(std::span(partitions, static_cast<std::size_t>(length)));
}

} // namespace

int pready(int partition, MPI_Request request) {
    Operation* const operation = pready::requests().find(request);
    if (operation && pready::mark_part(*operation, partition)) return MPI_SUCCESS;
    return mark_otherwise(operation, partition);
}

int pready_range(int low, int high, MPI_Request request) {
    const Call call("MPI_Pready_range", request);
    if (const int code = call.refuse_range(low, high)) return code;
    return call.mark({low, high});
}

int pready_list(int length, const int partitions[], MPI_Request request) {
    const Call call("MPI_Pready_list", request);
    if (const int code = call.refuse_list(length, partitions)) return code;
    return call.mark(list_of(length, partitions));
}

int pready_extended(int partition, int dest, MPI_Request* request) {
    const char* const name = "MPIX_Pready_extended";
    if (!request) return null_request(name);
    return Call(name, *request).mark(Chosen(partition), dest);
}

int pready_range_extended(int low, int high, int dest, MPI_Request* request) {
    const char* const name = "MPIX_Pready_range_extended";
    if (!request) return null_request(name);
    const Call call(name, *request);
    if (const int code = call.refuse_range(low, high)) return code;
    return call.mark({low, high}, dest);
}

int pready_list_extended(int length, const int partitions[], int dest, MPI_Request* request) {
    const char* const name = "MPIX_Pready_list_extended";
    if (!request) return null_request(name);
    const Call call(name, *request);
    if (const int code = call.refuse_list(length, partitions)) return code;
    return call.mark(list_of(length, partitions), dest);
}

int parrived(MPI_Request request, int partition, int* flag) {
    const Call call("MPI_Parrived", request);
    if (!flag) return call.refuse_null("flag");
    const auto ask = [&](const Operation& operation, Section) {
        look_twice([&] { return *flag = pready::has_arrived(operation, partition); });
    };
    return call.ask(request, Chosen(partition), linear, ask, [flag] { *flag = 1; });
}

int parrived_extended(MPI_Request* request, int partition, int source, int* flag) {
    const char* const name = "MPIX_Parrived_extended";
    if (!request) return null_request(name);
    const Call call(name, *request);
    if (!flag) return call.refuse_null("flag");
    const auto ask = [&](const Operation& operation, Section section) {
        look_twice([&] {
            *flag = 1;
            const Numbering& numbers = operation.partitions()->recv_numbers;
            for (int segment = section.first; *flag && segment <= section.last; ++segment)
                *flag = pready::has_arrived(operation, numbers.linear(segment, partition));
            return *flag;
        });
    };
    return call.ask(*request, Chosen(partition), source, ask, [flag] { *flag = 1; });
}

int parrived_any(MPI_Request request, int count, const int partitions[], int* index, int* flag) {
    const Call call("MPIX_Parrived_any", request);
    if (!index || !flag) return call.refuse_null("index or flag");
    if (const int code = call.refuse_list(count, partitions)) return code;
    const auto found = [&](int at) {
        *flag = at < count;
        *index = *flag ? at : MPI_UNDEFINED;
        return *flag;
    };
    const auto ask = [&](const Operation& operation, Section) {
        look_twice([&] {
            int at = 0;
            while (at < count && !pready::has_arrived(operation, partitions[at])) ++at;
            return found(at);
        });
    };
    return call.ask(request, list_of(count, partitions), linear, ask, [&] { found(0); });
}

int parrived_some(MPI_Request request, int count, const int partitions[], int* outcount,
                  int indices[]) {
    const Call call("MPIX_Parrived_some", request);
    if (!outcount || (count > 0 && !indices)) return call.refuse_null("outcount or indices");
    if (const int code = call.refuse_list(count, partitions)) return code;
    const auto take = [&](auto is_there) {
        *outcount = 0;
        for (int at = 0; at < count; ++at)
            if (is_there(partitions[at])) indices[(*outcount)++] = at;
        return *outcount > 0;
    };
    const auto ask = [&](const Operation& operation, Section) {
        look_twice([&] { return take([&](int p) { return pready::has_arrived(operation, p); }); });
    };
    return call.ask(request, list_of(count, partitions), linear, ask,
                    [&] { take([](int) { return true; }); });
}

} // namespace mpix::intercept
