// SPDX-License-Identifier: BSD-3-Clause
// Each waits for other ranks, none for a plan.
#include "traffic.hpp"

#include <numeric>

namespace fuzz {
namespace {

int size_of(MPI_Comm comm) {
    int size = 0;
    MUST(MPI_Comm_size(comm, &size));
    return size;
}
int rank_of(MPI_Comm comm) {
    int number = 0;
    MUST(MPI_Comm_rank(comm, &number));
    return number;
}

void expect(long wanted, long got, const char* what) {
    if (wanted != got)
        fail(std::string(what) + ": expected " + std::to_string(wanted) + ", got " +
             std::to_string(got));
}

void allreduce(const Communicator& description, int number, int world_rank, MPI_Comm comm) {
    int in = number + world_rank, out = -1, wanted = 0;
    for (const int peer : description.peers_of(description.member_of(world_rank)))
        wanted += number + description.members[at(peer)];
    MUST(MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_SUM, comm));
    expect(wanted, out, "blocking allreduce");
}

void bcast(int number, MPI_Comm comm) {
    const int root = number % size_of(comm);
    std::vector<int> data(at(number % 3 == 0 ? 20'000 : 1), rank_of(comm) == root ? number : -1);
    MUST(MPI_Bcast(data.data(), static_cast<int>(data.size()), MPI_INT, root, comm));
    expect(number, data.back(), "blocking bcast");
}

void duplicate(const Communicator& description, int number, int world_rank, MPI_Comm comm) {
    MPI_Comm copy = MPI_COMM_NULL;
    MUST(MPI_Comm_dup(comm, &copy));
    if (number % 2 == 0) allreduce(description, number, world_rank, copy);
    MUST(MPI_Comm_free(&copy));
}

void sendrecv(int number, MPI_Comm comm) {
    const int me = rank_of(comm), ranks = size_of(comm);
    const int next = (me + 1) % ranks, previous = (me + ranks - 1) % ranks;
    std::vector<int> out(at(number % 3 == 0 ? 20'000 : 1), number + me), in(out.size(), -1);
    const auto count = static_cast<int>(out.size());
    MUST(MPI_Sendrecv(out.data(), count, MPI_INT, next, ring_tag, in.data(), count, MPI_INT,
                      previous, ring_tag, comm, MPI_STATUS_IGNORE));
    expect(number + previous, in.back(), "sendrecv");
}

void receive(int source, int tag, int variant, int* data) {
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Request request = MPI_REQUEST_NULL;
    switch (variant) {
    case 0: MUST(MPI_Probe(source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE)); [[fallthrough]];
    case 1: MUST(MPI_Recv(data, 1, MPI_INT, source, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE)); break;
    case 2:
        MUST(MPI_Mprobe(source, tag, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE));
        MUST(MPI_Mrecv(data, 1, MPI_INT, &message, MPI_STATUS_IGNORE));
        break;
    case 3:
        MUST(MPI_Sendrecv(nullptr, 0, MPI_INT, MPI_PROC_NULL, 0, data, 1, MPI_INT, source, tag,
                          MPI_COMM_WORLD, MPI_STATUS_IGNORE));
        break;
    default:
        MUST(MPI_Irecv(data, 1, MPI_INT, source, tag, MPI_COMM_WORLD, &request));
        MUST(MPI_Wait(&request, MPI_STATUS_IGNORE));
        break;
    }
}

void token(const Item& item, int number, std::uint64_t seed, int world_rank) {
    const int tag = token_tag + number;
    const auto variant = static_cast<int>(hash(seed, number) % 10);
    int data = number;
    if (world_rank == item.from) {
        if (variant < 5)
            MUST(MPI_Send(&data, 1, MPI_INT, item.to, tag, MPI_COMM_WORLD));
        else
            MUST(MPI_Ssend(&data, 1, MPI_INT, item.to, tag, MPI_COMM_WORLD));
    } else if (world_rank == item.to) {
        data = -1;
        receive(item.from, tag, variant % 5, &data);
        expect(number, data, "token");
    }
}

} // namespace

void block(const Program& program, int number, MPI_Comm comm, int world_rank) {
    const Item& item = program.items[at(number)];
    if (item.action == Action::token) return token(item, number, program.seed, world_rank);
    if (comm == MPI_COMM_NULL) return;
    const Communicator& description = program.comms[at(item.subject)];
    switch (item.action) {
    case Action::barrier: MUST(MPI_Barrier(comm)); break;
    case Action::allreduce: allreduce(description, number, world_rank, comm); break;
    case Action::bcast: bcast(number, comm); break;
    case Action::duplicate: duplicate(description, number, world_rank, comm); break;
    default: sendrecv(number, comm); break;
    }
}

} // namespace fuzz
