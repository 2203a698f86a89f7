// SPDX-License-Identifier: BSD-3-Clause
// The table of point-to-point calls that block: sends, receives, probes, and the Wait and Test
// families on requests of the host's.
#pragma once

#include "progress/blocking_calls.hpp"

namespace mpitest {

inline void send(Scene& s, int count = 1, int tag = 0) {
    CHECK_MPI(MPI_Send(mail(), count, MPI_INT, s.other(), s.tag + tag, s.comm));
}

inline void receive(Scene& s, int count = 1, int tag = 0) {
    CHECK_MPI(MPI_Recv(mail(1), count, MPI_INT, s.other(), s.tag + tag, s.comm, MPI_STATUS_IGNORE));
}

inline void send_one(Scene& s) { send(s); }
inline void receive_one(Scene& s) { receive(s); }
inline void send_long(Scene& s) { send(s, long_message); }
inline void receive_long(Scene& s) { receive(s, long_message); }

inline void send_two(Scene& s) {
    send(s);
    send(s, 1, 1);
}

inline void exchange(Scene& s) {
    CHECK_MPI(MPI_Sendrecv(mail(), 1, MPI_INT, s.other(), s.tag, mail(1), 1, MPI_INT, s.other(),
                           s.tag, s.comm, MPI_STATUS_IGNORE));
}

inline void post_one(Scene& s) {
    CHECK_MPI(MPI_Irecv(mail(1), 1, MPI_INT, s.other(), s.tag, s.comm, &s.requests[0]));
}

inline void post_two(Scene& s) {
    post_one(s);
    CHECK_MPI(MPI_Irecv(mail(1) + 1, 1, MPI_INT, s.other(), s.tag + 1, s.comm, &s.requests[1]));
}

inline void wait_one(Scene& s) { CHECK_MPI(MPI_Wait(&s.requests[0], MPI_STATUS_IGNORE)); }

// The buffered message is too long to leave before it is received: the detaching waits for that.
inline void detach_buffer(Scene& s) {
    const int bytes = long_message * static_cast<int>(sizeof(int)) + MPI_BSEND_OVERHEAD;
    std::vector<char> buffer(static_cast<std::size_t>(bytes));
    CHECK_MPI(MPI_Buffer_attach(buffer.data(), bytes));
    CHECK_MPI(MPI_Bsend(mail(), long_message, MPI_INT, s.other(), s.tag, s.comm));
    void* detached = nullptr;
    int detached_bytes = 0;
    CHECK_MPI(MPI_Buffer_detach(&detached, &detached_bytes));
}

inline void receive_matched(MPI_Message& message) {
    CHECK_MPI(MPI_Mrecv(mail(1), long_message, MPI_INT, &message, MPI_STATUS_IGNORE));
}

inline const std::vector<BlockingCall> blocking_messages = {
    {"MPI_Send", send_long, receive_long},
    {"MPI_Ssend",
     [](Scene& s) { CHECK_MPI(MPI_Ssend(mail(), 1, MPI_INT, s.other(), s.tag, s.comm)); },
     receive_one},
    {"MPI_Bsend and MPI_Buffer_detach", detach_buffer, receive_long},
    {"MPI_Recv", receive_one, send_one},
    {"MPI_Recv of a long message", receive_long, send_long},
    {"MPI_Recv from any source",
     [](Scene& s) {
         CHECK_MPI(MPI_Recv(mail(1), 1, MPI_INT, MPI_ANY_SOURCE, s.tag, s.comm, MPI_STATUS_IGNORE));
     },
     send_one},
    {"MPI_Sendrecv", exchange, exchange},
    {"MPI_Sendrecv_replace",
     [](Scene& s) {
         CHECK_MPI(MPI_Sendrecv_replace(mail(), 1, MPI_INT, s.other(), s.tag, s.other(), s.tag,
                                        s.comm, MPI_STATUS_IGNORE));
     },
     exchange},
    {"MPI_Probe",
     [](Scene& s) {
         CHECK_MPI(MPI_Probe(s.other(), s.tag, s.comm, MPI_STATUS_IGNORE));
         receive(s);
     },
     send_one},
    {"MPI_Mprobe and MPI_Mrecv",
     [](Scene& s) {
         MPI_Message message = MPI_MESSAGE_NULL;
         CHECK_MPI(MPI_Mprobe(s.other(), s.tag, s.comm, &message, MPI_STATUS_IGNORE));
         receive_matched(message);
     },
     send_long},
    {"MPI_Iprobe",
     [](Scene& s) {
         poll([&] {
             int flag = 0;
             MPI_Iprobe(s.other(), s.tag, s.comm, &flag, MPI_STATUS_IGNORE);
             return flag;
         });
         receive(s);
     },
     send_one},
    {"MPI_Improbe",
     [](Scene& s) {
         MPI_Message message = MPI_MESSAGE_NULL;
         poll([&] {
             int flag = 0;
             MPI_Improbe(s.other(), s.tag, s.comm, &flag, &message, MPI_STATUS_IGNORE);
             return flag;
         });
         receive_matched(message);
     },
     send_long},
    {"MPI_Wait on a receive",
     [](Scene& s) {
         post_one(s);
         wait_one(s);
     },
     send_one},
    {"MPI_Wait on a long send",
     [](Scene& s) {
         CHECK_MPI(
             MPI_Isend(mail(), long_message, MPI_INT, s.other(), s.tag, s.comm, &s.requests[0]));
         wait_one(s);
     },
     receive_long},
    {"MPI_Wait on a synchronous send",
     [](Scene& s) {
         CHECK_MPI(MPI_Issend(mail(), 1, MPI_INT, s.other(), s.tag, s.comm, &s.requests[0]));
         wait_one(s);
     },
     receive_one},
    {"MPI_Wait on a persistent receive",
     [](Scene& s) {
         CHECK_MPI(MPI_Recv_init(mail(1), 1, MPI_INT, s.other(), s.tag, s.comm, &s.requests[0]));
         CHECK_MPI(MPI_Start(&s.requests[0]));
         wait_one(s);
         CHECK_MPI(MPI_Request_free(&s.requests[0]));
     },
     send_one},
    {"MPI_Wait on a nonblocking barrier",
     [](Scene& s) {
         CHECK_MPI(MPI_Ibarrier(s.comm, &s.requests[0]));
         wait_one(s);
     }},
    {"MPI_Waitall",
     [](Scene& s) {
         post_two(s);
         CHECK_MPI(MPI_Waitall(2, s.requests, MPI_STATUSES_IGNORE));
     },
     send_two},
    {"MPI_Waitany",
     [](Scene& s) {
         post_two(s);
         int index = 0;
         for (int i = 0; i < 2; i++)
             CHECK_MPI(MPI_Waitany(2, s.requests, &index, MPI_STATUS_IGNORE));
     },
     send_two},
    {"MPI_Waitsome",
     [](Scene& s) {
         post_two(s);
         int count = 0, indices[2];
         for (int done = 0; done < 2; done += count)
             CHECK_MPI(MPI_Waitsome(2, s.requests, &count, indices, MPI_STATUSES_IGNORE));
     },
     send_two},
    {"MPI_Test",
     [](Scene& s) {
         post_one(s);
         poll([&] {
             int flag = 0;
             MPI_Test(&s.requests[0], &flag, MPI_STATUS_IGNORE);
             return flag;
         });
     },
     send_one},
    {"MPI_Testall",
     [](Scene& s) {
         post_two(s);
         poll([&] {
             int flag = 0;
             MPI_Testall(2, s.requests, &flag, MPI_STATUSES_IGNORE);
             return flag;
         });
     },
     send_two},
    {"MPI_Testany",
     [](Scene& s) {
         post_two(s);
         poll([&] {
             int flag = 0, index = 0;
             MPI_Testany(2, s.requests, &index, &flag, MPI_STATUS_IGNORE);
             return flag && index == MPI_UNDEFINED;
         });
     },
     send_two},
    {"MPI_Testsome",
     [](Scene& s) {
         post_two(s);
         poll([&] {
             int count = 0, indices[2];
             MPI_Testsome(2, s.requests, &count, indices, MPI_STATUSES_IGNORE);
             return count == MPI_UNDEFINED;
         });
     },
     send_two},
    {"MPI_Request_get_status",
     [](Scene& s) {
         post_one(s);
         poll([&] {
             int flag = 0;
             MPI_Request_get_status(s.requests[0], &flag, MPI_STATUS_IGNORE);
             return flag;
         });
         wait_one(s);
     },
     send_one},
};

} // namespace mpitest
