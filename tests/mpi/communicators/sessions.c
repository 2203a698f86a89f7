/* SPDX-License-Identifier: BSD-3-Clause
 * Persistent collectives in programs of sessions. The argument says how sessions and the world
 * meet: one (and no MPI_Init), two (the second outlasts the first), within (MPI_Init and
 * MPI_Finalize are outside), around (they are inside). Built where the host has sessions. MPICH 4.0
 * itself crashes in the first one after the last has ended, and on one rank. */
#include "mpix/mpix.h"

#include <stdio.h>
#include <string.h>

enum { rounds = 5, most_ranks = 64 };

static int wrong, rank, ranks;
static int told_times, told_class;
static MPI_Comm told_comm;

static void expect(int condition, const char* what) {
    if (condition) return;
    fprintf(stderr, "rank %d: wrong: %s\n", rank, what);
    wrong = 1;
}

static void check(int code, const char* call) {
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    if (code == MPI_SUCCESS) return;
    MPI_Error_string(code, text, &length);
    fprintf(stderr, "rank %d: %s: %s\n", rank, call, text);
    wrong = 1;
}

#define CHECK(name, ...) check(name(__VA_ARGS__), #name)

static void remember(MPI_Comm* comm, int* code, ...) {
    told_times++;
    told_comm = *comm;
    MPI_Error_class(*code, &told_class);
}

static void multiply(void* in, void* inout, int* length, MPI_Datatype* type) {
    (void)type;
    for (int i = 0; i < *length; i++) ((int*)inout)[i] *= ((int*)in)[i];
}

static MPI_Comm open_session(MPI_Session* session, const char* tag) {
    MPI_Group group;
    MPI_Comm comm = MPI_COMM_NULL;
    check(MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, session), "MPI_Session_init");
    CHECK(MPI_Group_from_session_pset, *session, "mpi://WORLD", &group);
    CHECK(MPI_Comm_create_from_group, group, tag, MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm);
    CHECK(MPI_Group_free, &group);
    CHECK(MPI_Comm_rank, comm, &rank);
    CHECK(MPI_Comm_size, comm, &ranks);
    return comm;
}

/* A sum, a product by an op of the program, a broadcast with gaps, an exchange and a barrier. */
enum { plans = 5 };
struct Plans {
    int in, sum, product, told[6], sent[most_ranks], got[most_ranks];
    MPI_Request requests[plans];
};

static void make_plans(struct Plans* p, MPI_Comm comm) {
    MPI_Datatype gaps;
    MPI_Op op;
    MPI_Request* to = p->requests;
    CHECK(MPI_Type_vector, 3, 1, 2, MPI_INT, &gaps);
    CHECK(MPI_Type_commit, &gaps);
    CHECK(MPI_Op_create, multiply, 1, &op);
    CHECK(MPI_Allreduce_init, &p->in, &p->sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &to[0]);
    CHECK(MPI_Allreduce_init, &p->in, &p->product, 1, MPI_INT, op, comm, MPI_INFO_NULL, &to[1]);
    CHECK(MPI_Bcast_init, p->told, 1, gaps, ranks - 1, comm, MPI_INFO_NULL, &to[2]);
    CHECK(MPI_Alltoall_init, p->sent, 1, MPI_INT, p->got, 1, MPI_INT, comm, MPI_INFO_NULL, &to[3]);
    CHECK(MPI_Barrier_init, comm, MPI_INFO_NULL, &to[4]);
    CHECK(MPI_Op_free, &op);
    CHECK(MPI_Type_free, &gaps);
}

static void use_plans(struct Plans* p, int round) {
    int expected_sum = 0, expected_product = 1;
    MPI_Status statuses[plans];
    p->in = round + rank % 3 + 1;
    for (int i = 0; i < 6; i++) p->told[i] = rank == ranks - 1 ? round + i : -1;
    for (int r = 0; r < ranks; r++) {
        p->sent[r] = round * 1000 + rank * 10 + r;
        expected_sum += round + r % 3 + 1;
        expected_product *= round + r % 3 + 1;
    }
    CHECK(MPI_Startall, plans, p->requests);
    CHECK(MPI_Waitall, plans, p->requests, statuses);
    expect(p->sum == expected_sum, "sum");
    expect(p->product == expected_product, "product");
    for (int i = 0; i < 5; i++) {
        const int is_gap = i % 2 == 1 && rank != ranks - 1;
        expect(p->told[i] == (is_gap ? -1 : round + i), "broadcast with gaps");
    }
    for (int r = 0; r < ranks; r++) expect(p->got[r] == round * 1000 + r * 10 + rank, "exchange");
}

static void use_often(struct Plans* p) {
    for (int round = 0; round < rounds; round++) use_plans(p, round);
}

static void free_plans(struct Plans* p) {
    for (int i = 0; i < plans; i++) CHECK(MPI_Request_free, &p->requests[i]);
}

static int class_of(int code) {
    int error_class = -1;
    MPI_Error_class(code, &error_class);
    return error_class;
}

static void misuse(struct Plans* p, MPI_Comm comm) {
    MPI_Request refused = MPI_REQUEST_NULL, *sum = &p->requests[0];
    MPI_Errhandler handler;
    p->in = 1;
    CHECK(MPI_Start, sum);
    expect(class_of(MPI_Start(sum)) == MPI_ERR_REQUEST, "start of an active request");
    CHECK(MPI_Wait, sum, MPI_STATUS_IGNORE);
    expect(p->sum == ranks, "sum after misuse");
    const int code = MPI_Bcast_init(p->told, -1, MPI_INT, 0, comm, MPI_INFO_NULL, &refused);
    expect(class_of(code) == MPI_ERR_COUNT && refused == MPI_REQUEST_NULL, "negative count");
    CHECK(MPI_Comm_create_errhandler, remember, &handler);
    CHECK(MPI_Comm_set_errhandler, comm, handler);
    CHECK(MPI_Errhandler_free, &handler);
    expect(class_of(MPI_Cancel(sum)) == MPI_ERR_REQUEST, "cancel");
    expect(told_times == 1 && told_comm == comm && told_class == MPI_ERR_REQUEST, "handler");
    CHECK(MPI_Comm_set_errhandler, comm, MPI_ERRORS_RETURN);
}

static struct Plans first, second;

static void one(void) {
    MPI_Session session;
    MPI_Comm copy, comm = open_session(&session, "org.mpix.one");
    make_plans(&first, comm);
    use_often(&first);
    misuse(&first, comm);
    CHECK(MPI_Comm_dup, comm, &copy);
    make_plans(&second, copy);
    CHECK(MPI_Comm_free, &copy);
    use_often(&second);
    free_plans(&first);
    CHECK(MPI_Comm_free, &comm);
    use_often(&second); /* and never freed */
    CHECK(MPI_Session_finalize, &session);
}

static void two(void) {
    MPI_Session early, late;
    MPI_Comm early_comm = open_session(&early, "org.mpix.early");
    make_plans(&first, early_comm);
    use_often(&first);
    MPI_Comm late_comm = open_session(&late, "org.mpix.late");
    make_plans(&second, late_comm);
    for (int round = 0; round < rounds; round++) {
        use_plans(&second, round);
        use_plans(&first, round + 10);
    }
    free_plans(&first);
    CHECK(MPI_Comm_free, &early_comm);
    CHECK(MPI_Session_finalize, &early);
    use_often(&second);
    make_plans(&first, late_comm);
    use_often(&first);
    free_plans(&first);
    free_plans(&second);
    CHECK(MPI_Comm_free, &late_comm);
    CHECK(MPI_Session_finalize, &late);
}

static void within(void) {
    MPI_Session session;
    MPI_Init(NULL, NULL);
    MPI_Comm comm = open_session(&session, "org.mpix.within");
    make_plans(&first, comm);
    make_plans(&second, MPI_COMM_WORLD);
    use_often(&first);
    use_often(&second);
    free_plans(&first);
    CHECK(MPI_Comm_free, &comm);
    CHECK(MPI_Session_finalize, &session);
    use_often(&second);
    make_plans(&first, MPI_COMM_WORLD);
    use_often(&first);
    free_plans(&first);
    free_plans(&second);
    MPI_Finalize();
}

static void around(void) {
    MPI_Session session;
    MPI_Comm comm = open_session(&session, "org.mpix.around");
    make_plans(&first, comm);
    use_often(&first);
    MPI_Init(NULL, NULL);
    make_plans(&second, MPI_COMM_WORLD);
    use_often(&second);
    use_often(&first);
    free_plans(&second);
    MPI_Finalize();
    use_often(&first);
    make_plans(&second, comm);
    use_often(&second);
    free_plans(&first);
    free_plans(&second);
    CHECK(MPI_Comm_free, &comm);
    CHECK(MPI_Session_finalize, &session);
}

int main(int argc, char** argv) {
    static const struct {
        const char* name;
        void (*run)(void);
    } ways[] = {{"one", one}, {"two", two}, {"within", within}, {"around", around}};
    for (int i = 0; i < 4; i++)
        if (strcmp(argc > 1 ? argv[1] : "one", ways[i].name) == 0) {
            ways[i].run();
            return wrong;
        }
    return 64;
}
