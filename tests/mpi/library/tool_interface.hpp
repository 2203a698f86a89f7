// SPDX-License-Identifier: BSD-3-Clause
// The tool information interface as a tool uses it: names, values, sessions; and the host's own
// functions behind the library, which say what is right. The programs are linked with MPI alone,
// and the library is loaded before it.
#pragma once

#include "common/check.hpp"

#include <dlfcn.h>

#include <string>
#include <vector>

namespace mpitest {

// A function of the host's, past the library: by the library that has a name which nobody takes
// over.
template<class Function>
Function* of_host(const char* name) {
    static void* const host = [] {
        Dl_info info{};
        dladdr(dlsym(RTLD_DEFAULT, "MPI_Get_version"), &info);
        return dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
    }();
    return reinterpret_cast<Function*>(dlsym(host, name));
}
#define OF_HOST(name) (mpitest::of_host<decltype(MPI_##name)>("PMPI_" #name))

// What a host may lack is there in the library.
template<class... Arguments>
int call_by_name(const char* name, Arguments... arguments) {
    auto* const function = reinterpret_cast<int (*)(Arguments...)>(dlsym(RTLD_DEFAULT, name));
    return function ? function(arguments...) : MPI_ERR_UNSUPPORTED_OPERATION;
}

// Once a process, and never ended: Open MPI 4.1 crashes where that comes after MPI_Finalize.
inline int tools_begun() {
    static const int code = [] {
        int provided = 0;
        return MPI_T_init_thread(MPI_THREAD_MULTIPLE, &provided);
    }();
    return code;
}

struct Variable {
    std::string name, text;
    int verbosity = -1, var_class = -1, bind = -1, scope = -1;
    int readonly = -1, continuous = -1, atomic = -1;
    MPI_Datatype type = MPI_DATATYPE_NULL;

    bool operator==(const Variable&) const = default;
    bool is_own() const { return name.rfind("mpix_", 0) == 0; }
};

inline constexpr int longest = 8192;

inline int read_cvar(decltype(MPI_T_cvar_get_info)* get_info, int index, Variable& to) {
    std::vector<char> name(longest), text(longest);
    int name_length = longest, text_length = longest;
    MPI_T_enum ignored{};
    const int code = get_info(index, name.data(), &name_length, &to.verbosity, &to.type, &ignored,
                              text.data(), &text_length, &to.bind, &to.scope);
    to.name = name.data();
    to.text = text.data();
    return code;
}

inline int read_pvar(decltype(MPI_T_pvar_get_info)* get_info, int index, Variable& to) {
    std::vector<char> name(longest), text(longest);
    int name_length = longest, text_length = longest;
    MPI_T_enum ignored{};
    const int code =
        get_info(index, name.data(), &name_length, &to.verbosity, &to.var_class, &to.type, &ignored,
                 text.data(), &text_length, &to.bind, &to.readonly, &to.continuous, &to.atomic);
    to.name = name.data();
    to.text = text.data();
    return code;
}

inline std::string cvar_text(const char* name) {
    int index = -1, count = 0;
    MPI_T_cvar_handle handle{};
    if (MPI_T_cvar_get_index(name, &index) ||
        MPI_T_cvar_handle_alloc(index, nullptr, &handle, &count))
        return "not there";
    std::vector<char> text(static_cast<std::size_t>(count));
    const int code = MPI_T_cvar_read(handle, text.data());
    MPI_T_cvar_handle_free(&handle);
    return code == MPI_SUCCESS ? std::string(text.data()) : "not read";
}

// A handle in a session, read as a number.
class Counter {
  public:
    Counter(MPI_T_pvar_session session, const char* name, int var_class) : session_(session) {
        int index = -1, count = 0;
        CHECK(MPI_T_pvar_get_index(name, var_class, &index) == MPI_SUCCESS);
        CHECK(MPI_T_pvar_handle_alloc(session, index, nullptr, &handle_, &count) == MPI_SUCCESS);
        CHECK(count == 1);
    }
    ~Counter() { CHECK(MPI_T_pvar_handle_free(session_, &handle_) == MPI_SUCCESS); }
    Counter(const Counter&) = delete;
    Counter& operator=(const Counter&) = delete;

    operator MPI_T_pvar_handle() const { return handle_; }
    void start() { CHECK(MPI_T_pvar_start(session_, handle_) == MPI_SUCCESS); }
    void stop() { CHECK(MPI_T_pvar_stop(session_, handle_) == MPI_SUCCESS); }
    template<class Number = unsigned long long>
    Number read() const {
        Number value = 99;
        CHECK(MPI_T_pvar_read(session_, handle_, &value) == MPI_SUCCESS);
        return value;
    }

  private:
    MPI_T_pvar_session session_;
    MPI_T_pvar_handle handle_{};
};

class Session {
  public:
    Session() {
        CHECK(tools_begun() == MPI_SUCCESS);
        CHECK(MPI_T_pvar_session_create(&session_) == MPI_SUCCESS);
    }
    ~Session() { CHECK(MPI_T_pvar_session_free(&session_) == MPI_SUCCESS); }
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    operator MPI_T_pvar_session() const { return session_; }

  private:
    MPI_T_pvar_session session_{};
};

} // namespace mpitest
