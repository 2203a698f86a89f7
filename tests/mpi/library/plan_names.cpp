// SPDX-License-Identifier: BSD-3-Clause
// Says which solver the library takes, on rank 0 a line a plan: "allreduce 8 allreduce_ring", on
// all ranks' communicator and on a duplicate. Runs each, and returns whether answers are right. An
// argument is the value of the info key mpix_plan. tuning.sh calls it with tables of all sorts.
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include "mpix/mpix.h"

#include <cstdio>
#include <vector>

namespace {

bool run_sum(MPI_Comm comm, int bytes, MPI_Info info, bool speaks) {
    const int count = bytes / static_cast<int>(sizeof(int));
    int ranks = 0;
    MPI_Comm_size(comm, &ranks);
    std::vector<int> in(static_cast<std::size_t>(count), 1), out(in.size());
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Allreduce_init(in.data(), out.data(), count, MPI_INT, MPI_SUM, comm, info, &request);
    if (speaks) std::printf("allreduce %d %s\n", bytes, MPIX_Plan_name(request));
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    for (const int sum : out)
        if (sum != ranks) return false;
    return true;
}

} // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Info info = MPI_INFO_NULL;
    if (argc > 1) {
        MPI_Info_create(&info);
        MPI_Info_set(info, "mpix_plan", argv[1]);
    }
    bool is_right = true;
    for (const int bytes : {8, 4096, 65536})
        is_right &= run_sum(MPI_COMM_WORLD, bytes, info, rank == 0);
    MPI_Comm copy = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    is_right &= run_sum(copy, 8, info, rank == 0);
    MPI_Comm_free(&copy);
    if (info != MPI_INFO_NULL) MPI_Info_free(&info);
    MPI_Finalize();
    return is_right ? 0 : 1;
}
