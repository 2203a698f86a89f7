// SPDX-License-Identifier: BSD-3-Clause
// The program's attributes and names on a communicator are its own: their callbacks are called
// exactly as without plans.
#include <optional>

#include "common/plans.hpp"

using namespace mpitest;

namespace {

// What the callbacks of one attribute of the program have seen.
struct Calls {
    int copies = 0, deletes = 0;
    MPI_Comm deleted_on = MPI_COMM_NULL;
};

int count_copy(MPI_Comm, int, void* extra, void* value, void* copy, int* flag) {
    static_cast<Calls*>(extra)->copies++;
    *static_cast<void**>(copy) = value;
    *flag = 1;
    return MPI_SUCCESS;
}

int count_delete(MPI_Comm comm, int, void*, void* extra) {
    static_cast<Calls*>(extra)->deletes++;
    static_cast<Calls*>(extra)->deleted_on = comm;
    return MPI_SUCCESS;
}

bool has_value(MPI_Comm comm, int keyval, const void* value) {
    void* found = nullptr;
    int flag = 0;
    CHECK_MPI(MPI_Comm_get_attr(comm, keyval, &found, &flag));
    return flag == 1 && found == value;
}

// A communicator with an attribute, its copies and its end; what the callbacks saw at each step.
std::vector<Calls> life_of_an_attribute(bool with_plans) {
    Calls calls;
    std::vector<Calls> seen;
    int keyval = MPI_KEYVAL_INVALID, value = 5;
    MPI_Comm comm = duplicate(), copy = MPI_COMM_NULL, later = MPI_COMM_NULL, half = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_create_keyval(count_copy, count_delete, &keyval, &calls));
    std::optional<Sum> first, second;
    if (with_plans) first.emplace(comm);
    CHECK_MPI(MPI_Comm_set_attr(comm, keyval, &value));
    if (with_plans) second.emplace(comm);
    seen.push_back(calls);
    if (with_plans) first->start(1);
    copy = duplicate(comm);
    CHECK(has_value(copy, keyval, &value));
    seen.push_back(calls);
    if (with_plans) first->wait();
    MPI_Request pending = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Comm_idup(comm, &later, &pending));
    CHECK_MPI(MPI_Wait(&pending, MPI_STATUS_IGNORE));
    CHECK(has_value(later, keyval, &value));
    seen.push_back(calls);
    CHECK_MPI(MPI_Comm_split(comm, 0, 0, &half));
    CHECK(!has_value(half, keyval, &value));
    seen.push_back(calls);
    {
        std::optional<Sum> on_copy, on_half;
        if (with_plans) on_copy.emplace(copy);
        if (with_plans) on_half.emplace(half);
        for (MPI_Comm* each : {&later, &half, &copy}) {
            free_comm(*each);
            seen.push_back(calls);
        }
        if (with_plans) on_copy->run(2);
        if (with_plans) on_half->run(2);
    }
    CHECK(has_value(comm, keyval, &value));
    if (with_plans) first.reset();
    const MPI_Comm freed = comm;
    free_comm(comm);
    CHECK(calls.deleted_on == freed);
    seen.push_back(calls);
    second.reset();
    CHECK_MPI(MPI_Comm_free_keyval(&keyval));
    seen.push_back(calls);
    return seen;
}

struct LastUse {
    Sum* sum;
    int calls = 0;
};

int use_and_free_plan(MPI_Comm, int, void*, void* extra) {
    auto* last = static_cast<LastUse*>(extra);
    last->sum->run(2);
    free_request(last->sum->request);
    last->calls++;
    return MPI_SUCCESS;
}

std::string name_of(MPI_Comm comm) {
    char name[MPI_MAX_OBJECT_NAME] = "";
    int length = -1;
    CHECK_MPI(MPI_Comm_get_name(comm, name, &length));
    CHECK(length == static_cast<int>(std::strlen(name)));
    return name;
}

} // namespace

TEST_CASE("an attribute's callbacks are called as often as without plans") {
    const auto without = life_of_an_attribute(false), with = life_of_an_attribute(true);
    for (std::size_t step = 0; step < without.size(); step++) {
        INFO("step " << step);
        CHECK(with[step].copies == without[step].copies);
        CHECK(with[step].deletes == without[step].deletes);
    }
    CHECK(with.back().copies == 2);
    CHECK(with.back().deletes == 3);
}

TEST_CASE("a delete callback may use and free a plan on the communicator that goes") {
    MPI_Comm comm = duplicate();
    for (const bool plan_is_first : {true, false}) {
        MPI_Comm copy = duplicate(comm);
        LastUse last{nullptr};
        int keyval = MPI_KEYVAL_INVALID;
        CHECK_MPI(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, use_and_free_plan, &keyval, &last));
        if (!plan_is_first) CHECK_MPI(MPI_Comm_set_attr(copy, keyval, nullptr));
        Sum sum(copy);
        last.sum = &sum;
        if (plan_is_first) CHECK_MPI(MPI_Comm_set_attr(copy, keyval, nullptr));
        free_comm(copy);
        CHECK(last.calls == 1);
        CHECK(sum.request == MPI_REQUEST_NULL);
        CHECK_MPI(MPI_Comm_free_keyval(&keyval));
    }
    free_comm(comm);
}

TEST_CASE("names stay the program's") {
    const std::string world = name_of(MPI_COMM_WORLD);
    MPI_Comm comm = duplicate();
    CHECK_MPI(MPI_Comm_set_name(comm, "ocean"));
    Sum sum(comm), on_world(MPI_COMM_WORLD);
    CHECK(name_of(comm) == "ocean");
    CHECK(name_of(MPI_COMM_WORLD) == world);
    CHECK_MPI(MPI_Comm_set_name(comm, "atmosphere"));
    sum.run(2);
    CHECK(name_of(comm) == "atmosphere");
    on_world.run(1);
    free_comm(comm);
    sum.run(2);
}
