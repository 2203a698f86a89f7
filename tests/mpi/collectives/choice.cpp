// SPDX-License-Identifier: BSD-3-Clause
// The info key mpix_plan: a solver for one request. What ranks say must agree, and what only some
// say holds for all.
#include "common/errors.hpp"
#include "common/plans.hpp"

using namespace mpitest;

namespace {

// A sum whose plan was wished for; runs it. The plan's name.
std::string plan_of_sum(const char* wish, MPI_Comm comm = MPI_COMM_WORLD) {
    const Info info("mpix_plan", wish);
    int in = 0, out = -1;
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, comm, info, &request));
    const char* const name = MPIX_Plan_name(request);
    for (int round = 0; round < 3; ++round) {
        in = round + rank_of(comm);
        start_and_wait(request);
        const int ranks = size_of(comm);
        CHECK(out == round * ranks + ranks * (ranks - 1) / 2);
    }
    free_request(request);
    return name ? name : "none";
}

} // namespace

TEST_CASE("a wish for a solver is granted, for that request alone") {
    const std::string chosen = plan_of_sum(nullptr);
    for (const char* name : {"allreduce_ring", "allreduce_recursive_doubling", "delegate"})
        CHECK(plan_of_sum(name) == name);
    CHECK(plan_of_sum(nullptr) == chosen);
    CHECK(plan_of_sum("planner") == chosen);
}

TEST_CASE("a wish that cannot be granted is none") {
    const std::string chosen = plan_of_sum(nullptr);
    CHECK(plan_of_sum("bcast_chain") == chosen);
    CHECK(plan_of_sum("reduce_two_level") == chosen);
    CHECK(plan_of_sum("no_such_solver") == chosen);
}

TEST_CASE("a wish of one rank holds for all") {
    const bool wishes = rank_of() == size_of() - 1;
    CHECK(plan_of_sum(wishes ? "allreduce_ring" : nullptr) == "allreduce_ring");
    CHECK(plan_of_sum(wishes ? "delegate" : "no_such_solver") == "delegate");
}

TEST_CASE("ranks that wish for different solvers get an error that says so") {
    if (size_of() == 1) return;
    const ErrorsReturn guard;
    const int last = size_of() - 1;
    const Info info("mpix_plan", rank_of() == last ? "allreduce_ring" : "delegate");
    int in = 0, out = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    const int code =
        MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, info, &request);
    CHECK(class_of(code) == MPI_ERR_INFO);
    CHECK(error_text(code) ==
          "MPI_Allreduce_init: info mpix_plan differs: rank 0 has delegate, rank " +
              std::to_string(last) + " has allreduce_ring");
    CHECK(request == MPI_REQUEST_NULL);
    plan_of_sum(nullptr);
}

TEST_CASE("a wish holds between two groups too") {
    if (size_of() == 1) return;
    MPI_Comm half = MPI_COMM_NULL, inter = MPI_COMM_NULL;
    const int side = rank_of() == 0 ? 0 : 1;
    MPI_Comm_split(MPI_COMM_WORLD, side, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, side == 0 ? 1 : 0, 7, &inter);
    int remote = 0, in = 1, out = 0;
    MPI_Comm_remote_size(inter, &remote);
    for (const char* name : {"delegate", "allreduce_ring", "group_reduce_linear"}) {
        const Info info("mpix_plan", side == 0 ? name : nullptr);
        MPI_Request request = MPI_REQUEST_NULL;
        CHECK_MPI(MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, inter, info, &request));
        CHECK(MPIX_Plan_name(request) ==
              std::string(name == std::string("delegate") ? name : "group_reduce_linear"));
        out = 0;
        start_and_wait(request);
        CHECK(out == remote);
        free_request(request);
    }
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
}

TEST_CASE("requests that are no plans have no plan's name") {
    CHECK(MPIX_Plan_name(MPI_REQUEST_NULL) == nullptr);
    int in = 0;
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Recv_init(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request));
    CHECK(MPIX_Plan_name(request) == nullptr);
    Sum sum(MPI_COMM_WORLD);
    CHECK(MPIX_Plan_name(request) == nullptr);
    CHECK(MPIX_Plan_name(sum.request) != nullptr);
    free_request(request);
}
