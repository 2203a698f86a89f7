// SPDX-License-Identifier: BSD-3-Clause
// What the tests of bundles share: a bundle that frees itself, a generalized request that writes
// down what is done to it, and a member of every kind with data that follow from arithmetic.
#pragma once

#include <atomic>
#include <functional>

#include "completion/point_to_point.hpp"
#include "partitioned/partitioned_marks.hpp"
#include "partitioned/partitioned_requests.hpp"

namespace mpitest {

struct Bundle {
    explicit Bundle(const Requests& members) {
        CHECK_MPI(MPIX_Bundle_init(static_cast<int>(members.size()), members.data(), MPI_INFO_NULL,
                                   &request));
        CHECK(request != MPI_REQUEST_NULL);
    }
    Bundle(const Bundle&) = delete;
    Bundle& operator=(const Bundle&) = delete;
    ~Bundle() {
        if (request != MPI_REQUEST_NULL) free_request(request);
    }
    void after(int later, int earlier) { CHECK_MPI(MPIX_Bundle_after(request, later, earlier)); }
    void start() { CHECK_MPI(MPI_Start(&request)); }
    void wait() { wait_empty(request); }
    void run() {
        start();
        wait();
    }

    MPI_Request request = MPI_REQUEST_NULL;
};

// A generalized request that takes `turns` polls of each round.
struct Task {
    explicit Task(int polls_of_round = 3, std::vector<int>* to = nullptr, int id = 0)
        : turns(polls_of_round), log(to), number(id) {
        CHECK_MPI(
            MPIX_Pgrequest_init(on_start, on_poll, on_query, on_free, on_cancel, this, &request));
    }
    Task(const Task&) = delete;
    Task& operator=(const Task&) = delete;
    ~Task() {
        if (request != MPI_REQUEST_NULL) free_request(request);
        CHECK(faults == 0);
    }

    // The functions may be called by a thread of the library, which checks nothing itself.
    std::atomic<int> turns;
    std::vector<int>* log; // of beginnings, number, and ends, -1 - number
    const int number;
    std::function<void()> at_start = [] {}, at_poll = [] {};
    std::atomic<bool> is_held = false, is_cancelled = false; // a held one does not end
    std::atomic<int> start_code = MPI_SUCCESS, poll_code = MPI_SUCCESS, query_code = MPI_SUCCESS,
                     cancel_code = MPI_SUCCESS, free_code = MPI_SUCCESS;
    std::atomic<int> starts = 0, polls = 0, ends = 0, queries = 0, cancels = 0, frees = 0;
    std::atomic<int> cancelled_complete = -5, faults = 0;
    MPI_Request request = MPI_REQUEST_NULL;

  private:
    static Task& of(void* state) { return *static_cast<Task*>(state); }
    static int on_start(void* state) {
        Task& task = of(state);
        task.starts++;
        task.polls = 0;
        task.is_cancelled = false;
        if (task.log) task.log->push_back(task.number);
        task.at_start();
        return task.start_code;
    }
    static int on_poll(void* state, int* flag) {
        Task& task = of(state);
        task.faults += task.ends >= task.starts; // before the beginning, or after the end
        task.at_poll();
        *flag = (++task.polls >= task.turns && !task.is_held) || task.is_cancelled;
        const bool is_over = *flag != 0 || task.poll_code != MPI_SUCCESS;
        task.ends += is_over;
        if (is_over && task.log) task.log->push_back(-1 - task.number);
        return task.poll_code;
    }
    static int on_query(void* state, MPI_Status* status) {
        Task& task = of(state);
        task.queries++;
        task.faults += !is_empty(*status);
        status->MPI_SOURCE = 40 + task.number;
        status->MPI_TAG = task.starts;
        MPI_Status_set_elements(status, MPI_INT, 5);
        MPI_Status_set_cancelled(status, task.is_cancelled);
        return task.query_code;
    }
    static int on_free(void* state) {
        of(state).frees++;
        return of(state).free_code;
    }
    static int on_cancel(void* state, int complete) {
        Task& task = of(state);
        task.cancels++;
        task.cancelled_complete = complete;
        task.is_cancelled = true;
        return task.cancel_code;
    }
};

// Some time in which all may move.
inline void turn_around(int turns = 30) {
    int flag = 0;
    for (int turn = 0; turn < turns; turn++) {
        MPI_Iprobe(MPI_ANY_SOURCE, 29999, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
        MPI_Testall(0, nullptr, &flag, MPI_STATUSES_IGNORE);
        pause_briefly();
    }
}

// A member of every kind. Messages go round the ring.
struct Kinds {
    enum Slot : std::size_t {
        recv,
        send,
        recv_sync,
        send_sync,
        sum,
        parted_recv,
        parted_send,
        parted_sum,
        task,
        inner,
        slots
    };

    Ring ring;
    int tag;
    int sent = 0, received = -1, sent_sync = 0, received_sync = -1;
    Ours own_sum, inner_sum;
    OnePair pair;
    PartedOperation parted{{.row = &row_of("Pallreduce"), .granules = 2, .choices = {4}}};
    Task own_task{2}, inner_task{4};
    Bundle nested{{inner_task.request, inner_sum.request}};
    Requests requests = Requests(slots, MPI_REQUEST_NULL);

    explicit Kinds(int first_tag = 60) : tag(first_tag) {
        requests[recv] = recv_from(ring.previous, tag, received);
        requests[send] = send_to(ring.next, tag, sent);
        requests[recv_sync] = recv_from(ring.previous, tag + 1, received_sync);
        requests[send_sync] = send_to(ring.next, tag + 1, sent_sync, MPI_Ssend_init);
        requests[sum] = own_sum.request;
        requests[parted_recv] = pair.recv.request;
        requests[parted_send] = pair.send.request;
        requests[parted_sum] = parted.request;
        requests[task] = own_task.request;
        requests[inner] = nested.request;
    }
    Kinds(const Kinds&) = delete;
    Kinds& operator=(const Kinds&) = delete;
    ~Kinds() {
        for (const Slot slot : {recv, send, recv_sync, send_sync}) free_request(requests[slot]);
    }

    void prepare(int round) {
        sent = round * 100 + ring.me;
        sent_sync = -sent;
        received = received_sync = -1;
        own_sum.prepare(round);
        inner_sum.prepare(round + 7);
        pair.recv.prepare(round);
        pair.send.prepare(round);
        parted.begin(round);
    }
    void mark(int round) {
        pair.send.mark_all(static_cast<std::uint32_t>(round));
        Marker(parted, 1).mark_all(Marking::one);
    }
    void check(int round) {
        CHECK(received == round * 100 + ring.previous);
        CHECK(received_sync == -received);
        CHECK(own_sum.right(round));
        CHECK(inner_sum.right(round + 7));
        pair.recv.check();
        pair.send.check();
        parted.check();
        CHECK(own_task.ends == own_task.starts);
        CHECK(inner_task.ends == inner_task.starts);
    }
};

} // namespace mpitest
