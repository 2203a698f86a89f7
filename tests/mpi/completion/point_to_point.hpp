// SPDX-License-Identifier: BSD-3-Clause
// What the tests of persistent point-to-point share: every kind of persistent send and receive, and
// running a case both with a persistent collective alive, where the library looks at every request,
// and with none, where it passes all on.
#pragma once

#include "common/ways.hpp"

namespace mpitest {

// The forms with int and with MPI_Count as one.
template<auto init>
int init_send(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
              MPI_Request* request) {
    return init(data, count, type, peer, tag, comm, request);
}

template<auto init>
int init_recv(void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
              MPI_Request* request) {
    return init(data, count, type, peer, tag, comm, request);
}

struct SendKind {
    const char* name;
    bool ready; // needs its receive started before
    decltype(&init_send<MPI_Send_init>) init;
};

struct RecvKind {
    const char* name;
    decltype(&init_recv<MPI_Recv_init>) init;
};

inline const SendKind send_kinds[] = {
    {"Send_init", false, init_send<MPI_Send_init>},
    {"Bsend_init", false, init_send<MPI_Bsend_init>},
    {"Ssend_init", false, init_send<MPI_Ssend_init>},
    {"Rsend_init", true, init_send<MPI_Rsend_init>},
    {"Send_init_c", false, init_send<MPI_Send_init_c>},
    {"Bsend_init_c", false, init_send<MPI_Bsend_init_c>},
    {"Ssend_init_c", false, init_send<MPI_Ssend_init_c>},
    {"Rsend_init_c", true, init_send<MPI_Rsend_init_c>},
};

inline const RecvKind recv_kinds[] = {
    {"Recv_init", init_recv<MPI_Recv_init>},
    {"Recv_init_c", init_recv<MPI_Recv_init_c>},
};

inline MPI_Request send_to(int peer, int tag, const int& value,
                           decltype(SendKind::init) init = MPI_Send_init) {
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(init(&value, 1, MPI_INT, peer, tag, MPI_COMM_WORLD, &request));
    return request;
}

inline MPI_Request recv_from(int peer, int tag, int& value) {
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Recv_init(&value, 1, MPI_INT, peer, tag, MPI_COMM_WORLD, &request));
    return request;
}

// Memory for buffered sends; detaching waits until it is no longer needed.
class AttachedBuffer {
  public:
    explicit AttachedBuffer(int bytes) : memory_(static_cast<std::size_t>(bytes)) {
        CHECK_MPI(MPI_Buffer_attach(memory_.data(), bytes));
    }
    AttachedBuffer(const AttachedBuffer&) = delete;
    AttachedBuffer& operator=(const AttachedBuffer&) = delete;
    ~AttachedBuffer() {
        void* address = nullptr;
        int bytes = 0;
        CHECK_MPI(MPI_Buffer_detach(&address, &bytes));
    }

  private:
    std::vector<char> memory_;
};

// Runs the body twice: while no plan is alive, and while one is.
template<class Body>
void with_and_without_plan(Body body) {
    {
        INFO("no persistent collective is alive");
        body();
    }
    INFO("a persistent collective is alive");
    Ours company;
    company.run(1);
    body();
    company.run(2);
}

} // namespace mpitest
