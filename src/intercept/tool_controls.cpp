// SPDX-License-Identifier: BSD-3-Clause
//
// Settings as control variables: strings, as the environment has them. They may be written until
// MPI begins, when all are read.
#include "base/settings.hpp"
#include "intercept/tool_answers.hpp"
#include "intercept/tool_calls.hpp"
#include "intercept/tool_indices.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <string>

namespace mpix::intercept::tools {

constinit Indices control_indices([](int* theirs) { return HOST(T_cvar_get_num)(theirs); },
                                  [] { return static_cast<int>(base::setting_count); });

namespace {

// Handles of ours are their addresses: they cannot be the host's, and there is nothing to free.
constinit std::array<char, base::setting_count> addresses{};

MPI_T_cvar_handle handle_of(int setting) {
    return reinterpret_cast<MPI_T_cvar_handle>(&addresses[static_cast<std::size_t>(setting)]);
}
// The number of settings for a handle of the host's.
std::size_t setting_of(MPI_T_cvar_handle handle) {
    const auto offset =
        host::number_of(handle) - reinterpret_cast<std::uintptr_t>(addresses.data());
    return std::min<std::size_t>(offset, addresses.size());
}
bool is_ours(MPI_T_cvar_handle handle) { return setting_of(handle) < addresses.size(); }

// MPIX_AUTO_PLANS is mpix_auto_plans.
std::string name_of(std::size_t setting) {
    std::string name = base::setting_name(setting);
    for (char& letter : name)
        letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return name;
}

// MPIX_DISABLE has been asked for by the first call. Ranks that have others of these differ would
// do different things; all else they compare.
int scope_of(std::size_t setting) {
    const std::string name = name_of(setting);
    if (name == "mpix_disable") return MPI_T_SCOPE_CONSTANT;
    const bool is_alike = name == "mpix_auto" || name == "mpix_auto_plans" ||
                          name == "mpix_measure" || name == "mpix_race";
    return is_alike ? MPI_T_SCOPE_ALL_EQ : MPI_T_SCOPE_LOCAL;
}

// Bytes of a value: a path at least.
constexpr std::size_t longest = 4096;
int room_for(std::size_t setting) {
    return static_cast<int>(std::max(longest, base::setting_text(setting).size() + 1));
}

int change(std::size_t setting, const char* text) {
    if (scope_of(setting) == MPI_T_SCOPE_CONSTANT) return MPI_T_ERR_CVAR_SET_NEVER;
    const std::size_t length = text ? strnlen(text, longest) : longest;
    if (length == longest) return MPI_T_ERR_INVALID;
    switch (base::change_setting(setting, {text, length})) {
    case base::Change::malformed: return MPI_T_ERR_INVALID;
    case base::Change::late: return MPI_T_ERR_CVAR_SET_NEVER;
    case base::Change::made: break;
    }
    return MPI_SUCCESS;
}

} // namespace

int cvar_get_num(int* num_cvar) { return control_indices.count(num_cvar); }

int cvar_get_info(int cvar_index, char* name, int* name_len, int* verbosity, MPI_Datatype* datatype,
                  MPI_T_enum* enumtype, char* desc, int* desc_len, int* bind, int* scope) {
    if (const int code = control_indices.check(cvar_index)) return code;
    if (!control_indices.is_ours(cvar_index))
        return HOST(T_cvar_get_info)(control_indices.theirs(cvar_index), name, name_len, verbosity,
                                     datatype, enumtype, desc, desc_len, bind, scope);
    const auto setting = static_cast<std::size_t>(control_indices.ours(cvar_index));
    answer(name, name_len, name_of(setting));
    answer<int>(verbosity, MPI_T_VERBOSITY_USER_BASIC);
    answer(datatype, MPI_Datatype(MPI_CHAR));
    answer(enumtype, MPI_T_ENUM_NULL);
    answer(desc, desc_len, base::setting_help(setting));
    answer<int>(bind, MPI_T_BIND_NO_OBJECT);
    answer(scope, scope_of(setting));
    return MPI_SUCCESS;
}

int cvar_get_index(const char* name, int* cvar_index) {
    if (const int code = control_indices.settle()) return code;
    for (std::size_t i = 0; name && cvar_index && i < base::setting_count; ++i)
        if (name_of(i) == name) {
            *cvar_index = control_indices.of_ours(static_cast<int>(i));
            return MPI_SUCCESS;
        }
    const int code = HOST(T_cvar_get_index)(name, cvar_index);
    if (code == MPI_SUCCESS) *cvar_index = control_indices.of_theirs(*cvar_index);
    return code;
}

int cvar_handle_alloc(int cvar_index, void* obj_handle, MPI_T_cvar_handle* handle, int* count) {
    if (const int code = control_indices.check(cvar_index)) return code;
    if (!control_indices.is_ours(cvar_index))
        return HOST(T_cvar_handle_alloc)(control_indices.theirs(cvar_index), obj_handle, handle,
                                         count);
    if (!handle) return MPI_T_ERR_INVALID;
    const int setting = control_indices.ours(cvar_index);
    answer(count, room_for(static_cast<std::size_t>(setting)));
    *handle = handle_of(setting);
    return MPI_SUCCESS;
}

int cvar_handle_free(MPI_T_cvar_handle* handle) {
    if (!handle || !is_ours(*handle)) return HOST(T_cvar_handle_free)(handle);
    if (!has_begun()) return MPI_T_ERR_NOT_INITIALIZED;
    *handle = MPI_T_CVAR_HANDLE_NULL;
    return MPI_SUCCESS;
}

int cvar_read(MPI_T_cvar_handle handle, void* buf) {
    if (!is_ours(handle)) return HOST(T_cvar_read)(handle, buf);
    if (!has_begun()) return MPI_T_ERR_NOT_INITIALIZED;
    if (!buf) return MPI_T_ERR_INVALID;
    const std::string text = base::setting_text(setting_of(handle));
    std::memcpy(buf, text.c_str(), text.size() + 1);
    return MPI_SUCCESS;
}

int cvar_write(MPI_T_cvar_handle handle, const void* buf) {
    if (!is_ours(handle)) return HOST(T_cvar_write)(handle, buf);
    if (!has_begun()) return MPI_T_ERR_NOT_INITIALIZED;
    return change(setting_of(handle), static_cast<const char*>(buf));
}

} // namespace mpix::intercept::tools
