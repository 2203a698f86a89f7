// SPDX-License-Identifier: BSD-3-Clause
//
// Open MPI 4.1 and later.
#include "host/host.hpp"

#include <dlfcn.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <mutex>
#include <string_view>

namespace mpix::host {
namespace {

// Of the library that runs: another than this was built with may have the same name.
int major_version() {
    static const int known = [] {
        int major = 0;
        std::sscanf(library_version().c_str(), "Open MPI v%d", &major);
        return major;
    }();
    return known;
}

constexpr const char* hook_name = "opal_progress_register";

// Each has its callback by its number. They report no events of Open MPI's.
std::array<void (*)(), 2> to_call{};
template<std::size_t number>
int call_back() {
    to_call[number]();
    return 0;
}

template<std::size_t number>
void hook(void (*callback)()) {
    static std::once_flag once;
    std::call_once(once, [callback] {
        to_call[number] = callback;
        using Register = int(int (*)());
        if (auto* enter = reinterpret_cast<Register*>(find(hook_name))) enter(call_back<number>);
    });
}

class OpenMpi final : public Host {
  public:
    const char* ranks_variable() const override { return "OMPI_COMM_WORLD_LOCAL_SIZE"; }
    const char* rank_variable() const override { return "OMPI_COMM_WORLD_LOCAL_RANK"; }

    // ob1, ucx, cm: the name is in those of its functions, the first of which is the first member
    // of this structure.
    std::string device() const override {
        Dl_info found{};
        auto* const* const module = static_cast<void**>(find("mca_pml"));
        if (!module || !*module || !dladdr(*module, &found) || !found.dli_sname) return "";
        const std::string name = found.dli_sname;
        const std::string_view before = "mca_pml_", after = "_add_procs";
        if (!name.starts_with(before) || !name.ends_with(after)) return "";
        return name.substr(before.size(), name.size() - before.size() - after.size());
    }

    // It adds codes to predefined classes as the standard says.
    int new_code(int error_class) const override {
        int code = error_class;
        HOST(Add_error_code)(error_class, &code);
        return code;
    }

    void hook_progress(void (*callback)()) const override { hook<0>(callback); }
    const char* progress_hook() const override { return find(hook_name) ? hook_name : nullptr; }
    bool hook_may_call() const override { return true; }

    // Open MPI 4.1 and 5.0: Wait, Waitall, Waitany, Waitsome, Test and Testsome do; Testall and
    // Testany keep it and return no error; Waitall of several never ends.
    bool loses_completions() const override { return major_version() < 6; }

    // Testall alone tells of an error in the status, without freeing. From 6.0 on it calls the
    // handler too.
    bool test_keeping(MPI_Request* request, int* flag, MPI_Status* status) const override {
        const int code = HOST(Testall)(1, request, flag, status);
        if (code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS) status->MPI_ERROR = code;
        *flag = *flag || code != MPI_SUCCESS;
        return code != MPI_SUCCESS && major_version() >= 6;
    }
    bool testall_keeps() const override { return major_version() < 6; }

    // Open MPI 5.0 lets a distributed graph keep the topology of the communicator it was made of,
    // tells of that one, and crashes when it is asked for it (open-mpi/ompi #14438). No other call
    // tells the two apart, and this one is an error where there is no graph.
    int topology_of(MPI_Comm comm, int* topology) const override {
        const int code = Host::topology_of(comm, topology);
        if (code != MPI_SUCCESS || major_version() < 5) return code;
        if (*topology != MPI_CART && *topology != MPI_GRAPH) return code;
        int in = 0, out = 0, weighted = 0;
        MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
        if (const int failed = HOST(Comm_get_errhandler)(comm, &handler)) return failed;
        HOST(Comm_set_errhandler)(comm, MPI_ERRORS_RETURN);
        if (HOST(Dist_graph_neighbors_count)(comm, &in, &out, &weighted) == MPI_SUCCESS)
            *topology = MPI_DIST_GRAPH;
        HOST(Comm_set_errhandler)(comm, handler);
        HOST(Errhandler_free)(&handler);
        return MPI_SUCCESS;
    }

    // From Open MPI 5.0 on it looks for its implementation at MPI_COMM_WORLD, which a program of
    // sessions does not have, and crashes.
    bool reduces_locally() const override {
        int has_world = 0;
        HOST(Initialized)(&has_world);
        return has_world || major_version() < 5;
    }

    // OMPIO's progress function walks the list of its requests without a lock: two threads complete
    // the same one, and the second crashes (ompi/mca/common/ompio/common_ompio_request.c). Blocking
    // collective calls use them too.
    bool files_allow_threads() const override { return false; }

    // btl_tcp_eager_limit is 64 KiB, its own header included. UCX asks from about 20 KiB on.
    int longest_eager() const override { return device() == "ucx" ? 16 << 10 : (64 << 10) - 512; }

    void poll() const override {
        using Progress = void();
        static auto* const progress = reinterpret_cast<Progress*>(find("opal_progress"));
        int found = 0;
        if (progress)
            progress();
        else
            HOST(Iprobe)(MPI_ANY_SOURCE, MPI_ANY_TAG, self(), &found, MPI_STATUS_IGNORE);
    }

    // It looks at a single request once more after it has moved its messages, and at several in the
    // next call.
    int test_some(int count, MPI_Request requests[], int* found, int indices[],
                  MPI_Status statuses[]) const override {
        if (count > 1) return Host::test_some(count, requests, found, indices, statuses);
        indices[0] = 0;
        return HOST(Test)(requests, found, statuses);
    }

    // What its launcher says with --oversubscribe, and nothing else does.
    void set_yielding(bool yields) const override {
        using Set = bool(bool);
        static auto* const set = reinterpret_cast<Set*>(find("opal_progress_set_yield_when_idle"));
        if (set) set(yields);
    }
    bool yields_itself() const override {
        return find("opal_progress_set_yield_when_idle") != nullptr;
    }

    // Callbacks come before TCP, but behind what of this host registered before.
    bool hook_polls(void (*before)()) const override {
        if (!progress_hook() || device() != "ob1") return false;
        hook<1>(before);
        return true;
    }

    // Who sends long ones waits for room.
    bool comes_later(std::int64_t bytes, bool is_mutual) const override {
        return is_mutual || bytes > 8 << 10;
    }
};

} // namespace

const Host& openmpi() {
    static constinit const OpenMpi host;
    return host;
}

} // namespace mpix::host
