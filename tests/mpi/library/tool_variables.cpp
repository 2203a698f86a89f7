// SPDX-License-Identifier: BSD-3-Clause
// The variables that a tool finds: the host's as the host has them, and those of the library beside
// them.
#include "library/tool_interface.hpp"

#include <algorithm>
#include <climits>
#include <cstdlib>
#include <functional>
#include <set>

using namespace mpitest;

namespace {

enum class Kind { control, performance };

int number(Kind kind, bool of_host) {
    int all = -1;
    if (kind == Kind::control)
        CHECK((of_host ? OF_HOST(T_cvar_get_num) : MPI_T_cvar_get_num)(&all) == MPI_SUCCESS);
    else
        CHECK((of_host ? OF_HOST(T_pvar_get_num) : MPI_T_pvar_get_num)(&all) == MPI_SUCCESS);
    return all;
}

int find(Kind kind, bool of_host, int index, Variable& to) {
    if (kind == Kind::control)
        return read_cvar(of_host ? OF_HOST(T_cvar_get_info) : MPI_T_cvar_get_info, index, to);
    return read_pvar(of_host ? OF_HOST(T_pvar_get_info) : MPI_T_pvar_get_info, index, to);
}

std::vector<Variable> all_of(Kind kind, bool of_host) {
    std::vector<Variable> all(static_cast<std::size_t>(number(kind, of_host)));
    // A host may have some that it does not tell of.
    for (std::size_t i = 0; i < all.size(); ++i)
        if (find(kind, of_host, static_cast<int>(i), all[i]) != MPI_SUCCESS) all[i] = {};
    return all;
}

std::vector<Variable> own(std::vector<Variable> all) {
    std::erase_if(all, [](const Variable& variable) { return !variable.is_own(); });
    return all;
}

int index_of(Kind kind, const Variable& variable) {
    int index = -1;
    const int code = kind == Kind::control
                         ? MPI_T_cvar_get_index(variable.name.c_str(), &index)
                         : MPI_T_pvar_get_index(variable.name.c_str(), variable.var_class, &index);
    return code == MPI_SUCCESS ? index : -1;
}

// As an int, or -1.
int value_of(bool of_host, int index) {
    int value = -1, count = 0;
    MPI_T_cvar_handle handle{};
    if ((of_host ? OF_HOST(T_cvar_handle_alloc) : MPI_T_cvar_handle_alloc)(index, nullptr, &handle,
                                                                           &count) != MPI_SUCCESS)
        return -1;
    const int code = (of_host ? OF_HOST(T_cvar_read) : MPI_T_cvar_read)(handle, &value);
    (of_host ? OF_HOST(T_cvar_handle_free) : MPI_T_cvar_handle_free)(&handle);
    return code == MPI_SUCCESS ? value : -1;
}

} // namespace

TEST_CASE("the host's variables are told of as the host does, in its order") {
    REQUIRE(tools_begun() == MPI_SUCCESS);
    for (const Kind kind : {Kind::control, Kind::performance}) {
        const std::vector<Variable> theirs = all_of(kind, true);
        std::vector<Variable> seen = all_of(kind, false);
        const auto first = std::ranges::find_if(seen, &Variable::is_own);
        REQUIRE(first != seen.end());
        const auto last = std::find_if_not(first, seen.end(), std::mem_fn(&Variable::is_own));
        seen.erase(first, last);
        CHECK(seen == theirs);
        CHECK(own(theirs).empty());
    }
}

TEST_CASE("the host's settings have their values") {
    REQUIRE(tools_begun() == MPI_SUCCESS);
    const std::vector<Variable> theirs = all_of(Kind::control, true);
    int compared = 0;
    for (std::size_t i = 0; i < theirs.size(); ++i) {
        if (theirs[i].type != MPI_INT || theirs[i].bind != MPI_T_BIND_NO_OBJECT) continue;
        const int index = index_of(Kind::control, theirs[i]);
        int of_host = -1;
        OF_HOST(T_cvar_get_index)(theirs[i].name.c_str(), &of_host);
        INFO(theirs[i].name);
        CHECK(value_of(false, index) == value_of(true, of_host));
        ++compared;
    }
    CHECK(compared > 50);
}

TEST_CASE("each variable of the library has one name and one index") {
    REQUIRE(tools_begun() == MPI_SUCCESS);
    for (const Kind kind : {Kind::control, Kind::performance}) {
        std::set<std::string> names;
        for (const Variable& variable : own(all_of(kind, false))) {
            INFO(variable.name);
            Variable again;
            CHECK(find(kind, false, index_of(kind, variable), again) == MPI_SUCCESS);
            CHECK(again == variable);
            CHECK(names.insert(variable.name).second);
            CHECK(!variable.text.empty());
            CHECK(variable.bind == MPI_T_BIND_NO_OBJECT);
        }
        CHECK(names.size() >= 20);
    }
}

TEST_CASE("indices that are nobody's are refused") {
    REQUIRE(tools_begun() == MPI_SUCCESS);
    Variable ignored;
    for (const Kind kind : {Kind::control, Kind::performance})
        for (const int index : {-1, INT_MIN, number(kind, false), INT_MAX})
            CHECK(find(kind, false, index, ignored) == MPI_T_ERR_INVALID_INDEX);
    MPI_T_cvar_handle handle{};
    int count = 0;
    CHECK(MPI_T_cvar_handle_alloc(number(Kind::control, false), nullptr, &handle, &count) ==
          MPI_T_ERR_INVALID_INDEX);
    int index = -1;
    CHECK(MPI_T_cvar_get_index("mpix_none", &index) == MPI_T_ERR_INVALID_NAME);
    CHECK(MPI_T_pvar_get_index("mpix_starts", MPI_T_PVAR_CLASS_TIMER, &index) ==
          MPI_T_ERR_INVALID_NAME);
    CHECK(index == -1);
}

TEST_CASE("settings have the values of the environment") {
    REQUIRE(tools_begun() == MPI_SUCCESS);
    const struct {
        const char *variable, *name, *preset;
    } some[] = {{"MPIX_AUTO", "mpix_auto", "0"},       {"MPIX_RACE", "mpix_race", "32"},
                {"MPIX_MEASURE", "mpix_measure", "1"}, {"MPIX_TRANSPORT", "mpix_transport", "node"},
                {"MPIX_YIELD", "mpix_yield", ""},      {"MPIX_PLAN", "mpix_plan", ""},
                {"MPIX_DISABLE", "mpix_disable", "0"}};
    for (const auto& one : some) {
        const char* const set = std::getenv(one.variable);
        CHECK(cvar_text(one.name) == (set ? set : one.preset));
    }
}

TEST_CASE("settings say how far they reach, and stay as they are once MPI has begun") {
    REQUIRE(tools_begun() == MPI_SUCCESS);
    for (const Variable& variable : own(all_of(Kind::control, false))) {
        INFO(variable.name);
        const bool is_alike = variable.text.find("same on every rank") != std::string::npos;
        const int scope = variable.name == "mpix_disable" ? MPI_T_SCOPE_CONSTANT
                          : is_alike                      ? MPI_T_SCOPE_ALL_EQ
                                                          : MPI_T_SCOPE_LOCAL;
        CHECK(variable.scope == scope);
        CHECK(variable.type == MPI_CHAR);
        MPI_T_cvar_handle handle{};
        int count = 0;
        const std::string before = cvar_text(variable.name.c_str());
        CHECK(MPI_T_cvar_handle_alloc(index_of(Kind::control, variable), nullptr, &handle,
                                      &count) == MPI_SUCCESS);
        CHECK(count > static_cast<int>(before.size()));
        CHECK(MPI_T_cvar_write(handle, before.c_str()) == MPI_T_ERR_CVAR_SET_NEVER);
        CHECK(MPI_T_cvar_handle_free(&handle) == MPI_SUCCESS);
        CHECK(handle == MPI_T_CVAR_HANDLE_NULL);
        CHECK(cvar_text(variable.name.c_str()) == before);
    }
}

TEST_CASE("names are cut to the room that there is") {
    REQUIRE(tools_begun() == MPI_SUCCESS);
    const int index = index_of(Kind::control, Variable{.name = "mpix_race", .text = {}});
    int length = 0;
    const auto ask = [&](char* name) {
        return MPI_T_cvar_get_info(index, name, &length, nullptr, nullptr, nullptr, nullptr,
                                   nullptr, nullptr, nullptr);
    };
    char name[16] = "untouched";
    CHECK(ask(name) == MPI_SUCCESS);
    CHECK(length == 10);
    CHECK(name == std::string("untouched"));
    length = 6;
    CHECK(ask(name) == MPI_SUCCESS);
    CHECK(length == 10);
    CHECK(name == std::string("mpix_"));
    length = 6;
    CHECK(ask(nullptr) == MPI_SUCCESS);
    CHECK(length == 10);
}

namespace {

using List = int(int, int, int[]);

std::vector<int> list(List* call, int category, int members) {
    std::vector<int> indices(static_cast<std::size_t>(members) + 1, -7);
    CHECK(call(category, members, indices.data()) == MPI_SUCCESS);
    CHECK(indices.back() == -7);
    indices.pop_back();
    return indices;
}

std::string name_of_cvar(bool of_host, int index) {
    Variable found;
    return find(Kind::control, of_host, index, found) == MPI_SUCCESS ? found.name : "";
}

} // namespace

TEST_CASE("the library's variables are a category") {
    REQUIRE(tools_begun() == MPI_SUCCESS);
    int category = -1, cvars = 0, pvars = 0, categories = -1, length = 16;
    char name[16] = "";
    CHECK(MPI_T_category_get_index("mpix", &category) == MPI_SUCCESS);
    CHECK(MPI_T_category_get_info(category, name, &length, nullptr, nullptr, &cvars, &pvars,
                                  &categories) == MPI_SUCCESS);
    CHECK(name == std::string("mpix"));
    CHECK(categories == 0);
    std::vector<std::string> listed, there;
    for (const int index : list(MPI_T_category_get_cvars, category, cvars))
        listed.push_back(name_of_cvar(false, index));
    for (const Variable& variable : own(all_of(Kind::control, false)))
        there.push_back(variable.name);
    CHECK(listed == there);
    CHECK(pvars == static_cast<int>(own(all_of(Kind::performance, false)).size()));
    for (const int index : list(MPI_T_category_get_pvars, category, pvars)) {
        Variable found;
        CHECK(find(Kind::performance, false, index, found) == MPI_SUCCESS);
        CHECK(found.is_own());
    }
}

TEST_CASE("the host's categories have the members that the host says") {
    REQUIRE(tools_begun() == MPI_SUCCESS);
    int all = 0, theirs = 0, own_category = -1;
    CHECK(MPI_T_category_get_num(&all) == MPI_SUCCESS);
    CHECK(OF_HOST(T_category_get_num)(&theirs) == MPI_SUCCESS);
    CHECK(all == theirs + 1);
    CHECK(MPI_T_category_get_index("mpix", &own_category) == MPI_SUCCESS);
    for (int i = 0; i < theirs; ++i) {
        char name[1024] = "";
        int length = 1024, cvars = 0, pvars = 0, categories = 0, seen = -1, members = 0;
        if (OF_HOST(T_category_get_info)(i, name, &length, nullptr, nullptr, &cvars, &pvars,
                                         &categories) != MPI_SUCCESS)
            continue;
        INFO(name);
        seen = i < own_category ? i : i + 1;
        char seen_name[1024] = "";
        length = 1024;
        CHECK(MPI_T_category_get_info(seen, seen_name, &length, nullptr, nullptr, &members, nullptr,
                                      nullptr) == MPI_SUCCESS);
        CHECK(seen_name == std::string(name));
        CHECK(members == cvars);
        std::vector<std::string> wanted, found;
        for (const int index : list(OF_HOST(T_category_get_cvars), i, cvars))
            wanted.push_back(name_of_cvar(true, index));
        for (const int index : list(MPI_T_category_get_cvars, seen, cvars))
            found.push_back(name_of_cvar(false, index));
        CHECK(found == wanted);
    }
}
