// SPDX-License-Identifier: BSD-3-Clause
// MPI_ERROR of statuses where nothing fails: MPI_SUCCESS in each that Waitall, Testall, Waitsome
// and Testsome tell, whatever the request, and left alone by the calls that complete one request
// and in statuses that are not told.
#include <algorithm>

#include "common/completion.hpp"

using namespace mpitest;

namespace {

enum class Kind { null, ours, ours_asleep, send, recv, asleep, isend, irecv, no_peer };
using Kinds = std::vector<Kind>;

// MPICH 4.2 and Open MPI 6 themselves set the field where they have waited for one of several.
bool host_sets_errors() { return mpich_version() >= 40100 || open_mpi_version() >= 60000; }

// Requests of these kinds, each active one sure to complete.
class Array {
  public:
    explicit Array(Kinds kinds) : kinds_(std::move(kinds)), requests(kinds_.size()) {
        for (std::size_t i = 0; i < kinds_.size(); ++i) requests[i] = init(kinds_[i]);
    }
    Array(const Array&) = delete;
    Array& operator=(const Array&) = delete;
    ~Array() {
        for (std::size_t i = 0; i < kinds_.size(); ++i)
            if (is_persistent(kinds_[i])) MPI_Request_free(&requests[i]);
    }
    void start() {
        for (std::size_t i = 0; i < kinds_.size(); ++i) start(kinds_[i], requests[i]);
        statuses.assign(kinds_.size(), spoiled_status());
    }
    int count() const { return static_cast<int>(kinds_.size()); }
    int active() const {
        return static_cast<int>(std::count_if(kinds_.begin(), kinds_.end(), is_active));
    }
    static bool is_of_host(Kind kind) { return kind != Kind::ours && kind != Kind::ours_asleep; }
    bool has_ours() const {
        return std::count_if(kinds_.begin(), kinds_.end(), [](Kind kind) {
                   return kind == Kind::ours || kind == Kind::ours_asleep;
               }) > 0;
    }
    // The first `told` statuses say that all is well, and nothing has been said by the others.
    void check(int told) const {
        for (int i = 0; i < count(); ++i) {
            INFO("status " << i << " of " << count());
            const int error = statuses[static_cast<std::size_t>(i)].MPI_ERROR;
            const bool may_be_set =
                i >= told && host_sets_errors() && std::ranges::any_of(kinds_, is_of_host);
            if (may_be_set)
                CHECK((error == untouched_error || error == MPI_SUCCESS));
            else
                CHECK(error == (i < told ? MPI_SUCCESS : untouched_error));
        }
    }

  private:
    static bool is_active(Kind kind) {
        return kind != Kind::null && kind != Kind::ours_asleep && kind != Kind::asleep;
    }
    static bool is_persistent(Kind kind) {
        return kind != Kind::null && kind != Kind::isend && kind != Kind::irecv;
    }
    MPI_Request init(Kind kind) {
        MPI_Request made = MPI_REQUEST_NULL;
        if (kind == Kind::ours || kind == Kind::ours_asleep)
            MPI_Allreduce_init(&in_, &out_, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF, MPI_INFO_NULL,
                               &made);
        if (kind == Kind::send) MPI_Send_init(&sent_, 1, MPI_INT, 0, 41, MPI_COMM_SELF, &made);
        if (kind == Kind::recv) MPI_Recv_init(&got_, 1, MPI_INT, 0, 41, MPI_COMM_SELF, &made);
        if (kind == Kind::asleep) MPI_Recv_init(&got_, 1, MPI_INT, 0, 43, MPI_COMM_SELF, &made);
        if (kind == Kind::no_peer)
            MPI_Send_init(&sent_, 1, MPI_INT, MPI_PROC_NULL, 44, MPI_COMM_SELF, &made);
        return made;
    }
    void start(Kind kind, MPI_Request& request) {
        if (kind == Kind::isend)
            MPI_Isend(&sent_, 1, MPI_INT, 0, 42, MPI_COMM_SELF, &request);
        else if (kind == Kind::irecv)
            MPI_Irecv(&got_too_, 1, MPI_INT, 0, 42, MPI_COMM_SELF, &request);
        else if (is_active(kind))
            MPI_Start(&request);
    }

    Kinds kinds_;
    int in_ = 1, out_ = 0, sent_ = 2, got_ = 0, got_too_ = 0;

  public:
    std::vector<MPI_Request> requests;
    std::vector<MPI_Status> statuses;
};

const std::vector<Kinds> shapes{
    {Kind::ours},
    {Kind::ours_asleep},
    {Kind::ours, Kind::ours_asleep, Kind::null},
    {Kind::null, Kind::ours, Kind::null, Kind::send, Kind::recv, Kind::asleep},
    {Kind::irecv, Kind::isend, Kind::ours_asleep},
    {Kind::null, Kind::ours, Kind::asleep, Kind::isend, Kind::send, Kind::ours_asleep, Kind::irecv,
     Kind::recv, Kind::ours},
    {Kind::ours, Kind::no_peer},
    {Kind::send, Kind::recv},
    {Kind::null, Kind::asleep, Kind::send, Kind::recv, Kind::isend, Kind::irecv},
};

// MPICH 4.0 sets the field in Waitall alone, and not for null requests: with nothing of ours in the
// array its statuses are its own.
bool host_sets_it() { return open_mpi_version() > 0; }

template<class Visit>
void for_each_array(Visit visit) {
    for (const Kinds& shape : shapes)
        for (int round = 0; round < 2; ++round) {
            INFO("an array of " << shape.size());
            Array array(shape);
            if (!array.has_ours() && !host_sets_it()) continue;
            array.start();
            visit(array);
        }
}

// Completes what is left.
void finish(Array& array) {
    CHECK_MPI(MPI_Waitall(array.count(), array.requests.data(), MPI_STATUSES_IGNORE));
}

} // namespace

TEST_CASE("Waitall tells success in every status") {
    for_each_array([](Array& array) {
        CHECK_MPI(MPI_Waitall(array.count(), array.requests.data(), array.statuses.data()));
        array.check(array.count());
    });
}

TEST_CASE("Testall tells success in every status, or nothing") {
    for_each_array([](Array& array) {
        for (int flag = 0; !flag;) {
            CHECK_MPI(
                MPI_Testall(array.count(), array.requests.data(), &flag, array.statuses.data()));
            if (flag) array.check(array.count());
            pause_briefly();
        }
    });
}

TEST_CASE("Waitsome and Testsome tell success in the statuses that they tell") {
    for (const auto& call : {MPI_Waitsome, MPI_Testsome})
        for_each_array([&](Array& array) {
            std::vector<int> indices(array.requests.size());
            int left = array.active();
            do {
                array.statuses.assign(array.requests.size(), spoiled_status());
                int count = 0;
                CHECK_MPI(call(array.count(), array.requests.data(), &count, indices.data(),
                               array.statuses.data()));
                array.check(std::max(count, 0));
                if (count == MPI_UNDEFINED) break; // MPICH 4.0 does not tell of MPI_PROC_NULL
                left -= count;
                pause_briefly();
            } while (left > 0);
            finish(array);
        });
}

TEST_CASE("Calls that complete one request leave the field alone") {
    for_each_array([](Array& array) {
        for (bool is_over = false; !is_over;) {
            int index = 0, flag = 0;
            CHECK_MPI(MPI_Testany(array.count(), array.requests.data(), &index, &flag,
                                  &array.statuses[0]));
            array.check(0);
            is_over = flag && index == MPI_UNDEFINED;
            if (is_over || flag) continue;
            CHECK_MPI(
                MPI_Waitany(array.count(), array.requests.data(), &index, &array.statuses[0]));
            array.check(0);
            is_over = index == MPI_UNDEFINED;
        }
    });
    Array array({Kind::ours, Kind::ours_asleep});
    for (std::size_t i = 0; i < 2; ++i) {
        array.start();
        int flag = 0;
        while (!flag) {
            CHECK_MPI(MPI_Request_get_status(array.requests[i], &flag, &array.statuses[i]));
            array.check(0);
        }
        CHECK_MPI(MPI_Test(&array.requests[i], &flag, &array.statuses[i]));
        array.check(0);
        CHECK_MPI(MPI_Wait(&array.requests[i], &array.statuses[i]));
        array.check(0);
        finish(array);
    }
}
