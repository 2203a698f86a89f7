// SPDX-License-Identifier: BSD-3-Clause
//
// Categories: the host's, whose members are told of by the indices that a tool sees, and one of all
// our variables. It never changes, so that the host's stamp of changes is that of all.
#include "base/settings.hpp"
#include "intercept/performance_variables.hpp"
#include "intercept/tool_answers.hpp"
#include "intercept/tool_calls.hpp"
#include "intercept/tool_indices.hpp"

#include <algorithm>
#include <string_view>

namespace mpix::intercept::tools {

constinit Indices category_indices([](int* theirs) { return HOST(T_category_get_num)(theirs); },
                                   [] { return 1; });

namespace {

constexpr std::string_view own_name = "mpix";

int check(int category) {
    for (Indices* const all : {&control_indices, &performance_indices})
        if (const int code = all->settle()) return code;
    return category_indices.check(category);
}

struct Members {
    int cvars = 0, pvars = 0, categories = 0;
};

int count_theirs(int category, Members& members) {
    int no_name = 0, no_text = 0;
    return HOST(T_category_get_info)(category, nullptr, &no_name, nullptr, &no_text, &members.cvars,
                                     &members.pvars, &members.categories);
}

std::span<int> first_of(int indices[], int length, int members) {
    const int written = indices ? std::max(std::min(length, members), 0) : 0;
    return {indices, static_cast<std::size_t>(written)};
}

// `list` is the host's call, `of` the kind of its members.
template<class List>
int list_members(int category, int length, int indices[], const Indices& of, int ours,
                 int Members::*count, List& list) {
    if (const int code = check(category)) return code;
    if (category_indices.is_ours(category)) {
        of.show_ours(first_of(indices, length, ours));
        return MPI_SUCCESS;
    }
    const int theirs = category_indices.theirs(category);
    Members members;
    int code = list(theirs, length, indices);
    if (code == MPI_SUCCESS) code = count_theirs(theirs, members);
    if (code == MPI_SUCCESS) of.show_theirs(first_of(indices, length, members.*count));
    return code;
}

} // namespace

int category_get_num(int* num_cat) { return category_indices.count(num_cat); }

int category_get_info(int cat_index, char* name, int* name_len, char* desc, int* desc_len,
                      int* num_cvars, int* num_pvars, int* num_categories) {
    if (const int code = category_indices.check(cat_index)) return code;
    if (!category_indices.is_ours(cat_index))
        return HOST(T_category_get_info)(category_indices.theirs(cat_index), name, name_len, desc,
                                         desc_len, num_cvars, num_pvars, num_categories);
    answer(name, name_len, own_name);
    answer(desc, desc_len, "libmpix: its settings, and what its plans did");
    answer(num_cvars, static_cast<int>(base::setting_count));
    answer(num_pvars, static_cast<int>(performance_variables().size()));
    answer(num_categories, 0);
    return MPI_SUCCESS;
}

int category_get_index(const char* name, int* cat_index) {
    if (const int code = category_indices.settle()) return code;
    if (name && cat_index && name == own_name) {
        *cat_index = category_indices.of_ours(0);
        return MPI_SUCCESS;
    }
    const int code = HOST(T_category_get_index)(name, cat_index);
    if (code == MPI_SUCCESS) *cat_index = category_indices.of_theirs(*cat_index);
    return code;
}

int category_get_cvars(int cat_index, int len, int indices[]) {
    return list_members(cat_index, len, indices, control_indices,
                        static_cast<int>(base::setting_count), &Members::cvars,
                        HOST(T_category_get_cvars));
}

int category_get_pvars(int cat_index, int len, int indices[]) {
    return list_members(cat_index, len, indices, performance_indices,
                        static_cast<int>(performance_variables().size()), &Members::pvars,
                        HOST(T_category_get_pvars));
}

int category_get_categories(int cat_index, int len, int indices[]) {
    return list_members(cat_index, len, indices, category_indices, 0, &Members::categories,
                        HOST(T_category_get_categories));
}

#if OFFERS_T_category_get_events
int category_get_num_events(int cat_index, int* num_events) {
    if (const int code = category_indices.check(cat_index)) return code;
    if (!category_indices.is_ours(cat_index))
        return HOST(T_category_get_num_events)(category_indices.theirs(cat_index), num_events);
    answer(num_events, 0);
    return MPI_SUCCESS;
}

int category_get_events(int cat_index, int len, int indices[]) {
    if (const int code = category_indices.check(cat_index)) return code;
    if (category_indices.is_ours(cat_index)) return MPI_SUCCESS;
    return HOST(T_category_get_events)(category_indices.theirs(cat_index), len, indices);
}
#endif

} // namespace mpix::intercept::tools
