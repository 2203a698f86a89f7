// SPDX-License-Identifier: BSD-3-Clause
//
// The calls for performance variables: what is ours to our handles, what is the host's to it, and
// MPI_T_PVAR_ALL_HANDLES to both.
#include "intercept/performance_handles.hpp"
#include "intercept/performance_variables.hpp"
#include "intercept/tool_answers.hpp"
#include "intercept/tool_calls.hpp"
#include "intercept/tool_indices.hpp"

#include <algorithm>

namespace mpix::intercept::tools {
namespace {

int allocate_theirs(MPI_T_pvar_session session, int pvar_index, void* obj_handle,
                    MPI_T_pvar_handle* handle, int* count) {
    const int code = HOST(T_pvar_handle_alloc)(session, pvar_index, obj_handle, handle, count);
    if (code == MPI_SUCCESS && !host::here().takes_all_handles())
        performance_handles().add_theirs(session, *handle);
    return code;
}

// One by one those that can be are, which is what a host answers for.
template<class Call>
int to_theirs(Call& call, MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    if (handle != MPI_T_PVAR_ALL_HANDLES || host::here().takes_all_handles())
        return call(session, handle);
    for (const MPI_T_pvar_handle one : performance_handles().theirs(session)) call(session, one);
    return MPI_SUCCESS;
}

} // namespace

constinit Indices performance_indices([](int* theirs) { return HOST(T_pvar_get_num)(theirs); },
                                      [] {
                                          return static_cast<int>(performance_variables().size());
                                      });

int pvar_get_num(int* num_pvar) { return performance_indices.count(num_pvar); }

int pvar_get_info(int pvar_index, char* name, int* name_len, int* verbosity, int* var_class,
                  MPI_Datatype* datatype, MPI_T_enum* enumtype, char* desc, int* desc_len,
                  int* bind, int* readonly, int* continuous, int* atomic) {
    if (const int code = performance_indices.check(pvar_index)) return code;
    if (!performance_indices.is_ours(pvar_index))
        return HOST(T_pvar_get_info)(performance_indices.theirs(pvar_index), name, name_len,
                                     verbosity, var_class, datatype, enumtype, desc, desc_len, bind,
                                     readonly, continuous, atomic);
    const auto at = static_cast<std::size_t>(performance_indices.ours(pvar_index));
    const PerformanceVariable& variable = performance_variables()[at];
    answer(name, name_len, variable.name);
    answer(verbosity, variable.verbosity);
    answer(var_class, variable.var_class);
    answer(datatype,
           variable.is_time() ? MPI_Datatype(MPI_DOUBLE) : MPI_Datatype(MPI_UNSIGNED_LONG_LONG));
    answer(enumtype, MPI_T_ENUM_NULL);
    answer(desc, desc_len, variable.description);
    answer<int>(bind, MPI_T_BIND_NO_OBJECT);
    answer<int>(readonly, variable.is_level());
    answer<int>(continuous, variable.is_level());
    answer<int>(atomic, !variable.is_level());
    return MPI_SUCCESS;
}

int pvar_get_index(const char* name, int var_class, int* pvar_index) {
    if (const int code = performance_indices.settle()) return code;
    const auto& all = performance_variables();
    const auto found = std::ranges::find_if(all, [&](const PerformanceVariable& variable) {
        return name && variable.name == name && variable.var_class == var_class;
    });
    if (found != all.end() && pvar_index) {
        *pvar_index = performance_indices.of_ours(static_cast<int>(found - all.begin()));
        return MPI_SUCCESS;
    }
    const int code = HOST(T_pvar_get_index)(name, var_class, pvar_index);
    if (code == MPI_SUCCESS) *pvar_index = performance_indices.of_theirs(*pvar_index);
    return code;
}

int pvar_session_create(MPI_T_pvar_session* session) {
    return performance_handles().create(session);
}

int pvar_session_free(MPI_T_pvar_session* session) { return performance_handles().free(session); }

int pvar_handle_alloc(MPI_T_pvar_session session, int pvar_index, void* obj_handle,
                      MPI_T_pvar_handle* handle, int* count) {
    if (const int code = performance_indices.check(pvar_index)) return code;
    if (!performance_indices.is_ours(pvar_index))
        return allocate_theirs(session, performance_indices.theirs(pvar_index), obj_handle, handle,
                               count);
    if (!handle) return MPI_T_ERR_INVALID;
    answer(count, 1);
    return performance_handles().allocate(session, performance_indices.ours(pvar_index), handle);
}

int pvar_handle_free(MPI_T_pvar_session session, MPI_T_pvar_handle* handle) {
    if (handle && performance_handles().is_ours(*handle))
        return performance_handles().release(session, handle);
    if (handle && !host::here().takes_all_handles())
        performance_handles().drop_theirs(session, *handle);
    return HOST(T_pvar_handle_free)(session, handle);
}

int pvar_start(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    if (performance_handles().is_ours(handle)) return performance_handles().start(session, handle);
    if (handle == MPI_T_PVAR_ALL_HANDLES) performance_handles().start_all(session);
    return to_theirs(HOST(T_pvar_start), session, handle);
}

int pvar_stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    if (performance_handles().is_ours(handle)) return performance_handles().stop(session, handle);
    if (handle == MPI_T_PVAR_ALL_HANDLES) performance_handles().stop_all(session);
    return to_theirs(HOST(T_pvar_stop), session, handle);
}

int pvar_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    if (performance_handles().is_ours(handle)) return performance_handles().reset(session, handle);
    if (handle == MPI_T_PVAR_ALL_HANDLES) performance_handles().reset_all(session);
    return to_theirs(HOST(T_pvar_reset), session, handle);
}

int pvar_read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buf) {
    if (!performance_handles().is_ours(handle)) return HOST(T_pvar_read)(session, handle, buf);
    return buf ? performance_handles().read(session, handle, buf) : MPI_T_ERR_INVALID;
}

int pvar_write(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void* buf) {
    if (!performance_handles().is_ours(handle)) return HOST(T_pvar_write)(session, handle, buf);
    return buf ? performance_handles().write(session, handle, buf) : MPI_T_ERR_INVALID;
}

int pvar_readreset(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* buf) {
    if (!performance_handles().is_ours(handle)) return HOST(T_pvar_readreset)(session, handle, buf);
    return buf ? performance_handles().read_and_reset(session, handle, buf) : MPI_T_ERR_INVALID;
}

} // namespace mpix::intercept::tools
