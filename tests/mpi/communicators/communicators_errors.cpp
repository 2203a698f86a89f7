// SPDX-License-Identifier: BSD-3-Clause
// Which error handler is told of misuse, how often, and of which communicator: that of the
// operation's communicator, or of MPI_COMM_WORLD once that is freed.
#include "common/errors.hpp"
#include "common/plans.hpp"

using namespace mpitest;

namespace {

struct Told {
    int times = 0;
    MPI_Comm comm = MPI_COMM_NULL;
    int code = MPI_SUCCESS;
};

enum Listener { on_comm, on_world, on_self, listeners };
Told told[listeners];
Sum* used_in_handler = nullptr;

template<Listener listener>
void remember(MPI_Comm* comm, int* code, ...) {
    told[listener] = {told[listener].times + 1, *comm, *code};
    if (used_in_handler != nullptr) used_in_handler->run(1);
}

void forget() {
    for (Told& each : told) each = {};
}

// A handler of the program on a communicator, until the end of the scope.
class Handler {
  public:
    Handler(MPI_Comm comm, MPI_Comm_errhandler_function* function) : comm_(comm) {
        CHECK_MPI(MPI_Comm_create_errhandler(function, &handler_));
        CHECK_MPI(MPI_Comm_set_errhandler(comm, handler_));
    }
    Handler(const Handler&) = delete;
    Handler& operator=(const Handler&) = delete;
    ~Handler() {
        if (comm_ != MPI_COMM_NULL) MPI_Comm_set_errhandler(comm_, MPI_ERRORS_ARE_FATAL);
        MPI_Errhandler_free(&handler_);
    }
    void comm_is_freed() { comm_ = MPI_COMM_NULL; }

  private:
    MPI_Comm comm_;
    MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
};

// Listens on MPI_COMM_WORLD and MPI_COMM_SELF.
struct Listeners {
    Handler world{MPI_COMM_WORLD, remember<on_world>}, self{MPI_COMM_SELF, remember<on_self>};
    Listeners() { forget(); }
};

void check_told(Listener listener, int code, MPI_Comm comm) {
    for (int each = 0; each < listeners; each++) {
        INFO("listener " << each);
        CHECK(told[each].times == (each == listener ? 1 : 0));
    }
    CHECK(told[listener].comm == comm);
    CHECK(told[listener].code == code);
    forget();
}

// Every misuse of a request, active and not; the sum is right in the end.
void misuse(Sum& sum, Listener listener, MPI_Comm comm) {
    const auto check = [&](const char* name, int code) {
        INFO(name);
        CHECK(class_of(code) == MPI_ERR_REQUEST);
        check_told(listener, code, comm);
    };
    check("MPI_Cancel, inactive", MPI_Cancel(&sum.request));
    sum.start(3);
    check("MPI_Start", MPI_Start(&sum.request));
    check("MPI_Startall", MPI_Startall(1, &sum.request));
    check("MPI_Cancel", MPI_Cancel(&sum.request));
    check("MPI_Request_free", MPI_Request_free(&sum.request));
    sum.wait();
    sum.run(1);
}

} // namespace

TEST_CASE("misuse calls the handler of the operation's communicator once, and no other") {
    MPI_Comm comm = duplicate();
    {
        Handler handler(comm, remember<on_comm>);
        const Listeners listeners;
        Sum on_dup(comm), world(MPI_COMM_WORLD), self(MPI_COMM_SELF);
        misuse(on_dup, on_comm, comm);
        misuse(world, on_world, MPI_COMM_WORLD);
        misuse(self, on_self, MPI_COMM_SELF);
    }
    free_comm(comm);
}

TEST_CASE("misuse returns where the communicator says so, and other handlers are not called") {
    MPI_Comm comm = duplicate();
    CHECK_MPI(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    const Listeners listeners;
    Sum sum(comm);
    sum.start(1);
    check_error(MPI_Start(&sum.request), {MPI_ERR_REQUEST}, {"active"});
    check_error(MPI_Request_free(&sum.request), {MPI_ERR_REQUEST}, {"active"});
    sum.wait();
    for (const Told& each : told) CHECK(each.times == 0);
    free_comm(comm);
}

TEST_CASE("the handler that was set last is called, even if the program has freed it") {
    MPI_Comm comm = duplicate();
    const Listeners listeners;
    CHECK_MPI(MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN));
    Sum sum(comm);
    MPI_Errhandler later = MPI_ERRHANDLER_NULL, seen = MPI_ERRHANDLER_NULL;
    CHECK_MPI(MPI_Comm_get_errhandler(comm, &seen));
    CHECK(seen == MPI_ERRORS_RETURN);
    CHECK_MPI(MPI_Comm_create_errhandler(remember<on_comm>, &later));
    CHECK_MPI(MPI_Comm_set_errhandler(comm, later));
    CHECK_MPI(MPI_Errhandler_free(&later));
    misuse(sum, on_comm, comm);
    MPI_Comm copy = duplicate(comm); // inherits the handler
    Sum on_copy(copy);
    misuse(on_copy, on_comm, copy);
    free_comm(copy);
    free_comm(comm);
}

TEST_CASE("errors after the communicator is freed are raised on MPI_COMM_WORLD") {
    MPI_Comm comm = duplicate();
    Handler handler(comm, remember<on_comm>);
    const Listeners listeners;
    Sum sum(comm);
    misuse(sum, on_comm, comm);
    free_comm(comm);
    handler.comm_is_freed();
    misuse(sum, on_world, MPI_COMM_WORLD);
    MPI_Comm other = duplicate(); // may get the handle of the freed one
    {
        Handler others(other, remember<on_comm>);
        Sum on_other(other);
        misuse(sum, on_world, MPI_COMM_WORLD);
        misuse(on_other, on_comm, other);
    }
    free_comm(other);
}

TEST_CASE("an error handler may use other plans") {
    MPI_Comm comm = duplicate();
    {
        Handler handler(comm, remember<on_comm>);
        const Listeners listeners;
        Sum sum(comm), other(comm);
        used_in_handler = &other;
        misuse(sum, on_comm, comm);
        used_in_handler = nullptr;
    }
    free_comm(comm);
}

TEST_CASE("an init that fails calls the handler of its communicator once on every rank") {
    MPI_Comm comm = duplicate();
    {
        Handler handler(comm, remember<on_comm>);
        const Listeners listeners;
        Sum sum(comm);
        int value = 0;
        MPI_Request request = MPI_REQUEST_NULL;
        const auto bcast = [&](int count, int root) {
            const int code =
                MPI_Bcast_init(&value, count, MPI_INT, root, comm, MPI_INFO_NULL, &request);
            CHECK(request == MPI_REQUEST_NULL);
            return code;
        };
        check_told(on_comm, bcast(-1, 0), comm);
        check_told(on_comm, bcast(1, size_of()), comm);
        if (size_of() > 1) check_told(on_comm, bcast(1, rank_of() == 0 ? 0 : 1), comm);
        if (size_of() > 1) check_told(on_comm, bcast(rank_of() + 1, 0), comm);
        sum.run(2);
    }
    free_comm(comm);
}

TEST_CASE("an init on the null communicator calls the handler of MPI_COMM_WORLD") {
    const Listeners listeners;
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = MPI_Barrier_init(MPI_COMM_NULL, MPI_INFO_NULL, &request);
    CHECK(class_of(code) == MPI_ERR_COMM);
    check_told(on_world, code, MPI_COMM_WORLD);
}
