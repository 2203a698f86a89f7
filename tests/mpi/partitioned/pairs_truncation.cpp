// SPDX-License-Identifier: BSD-3-Clause
// The two ends have different numbers of bytes: MPI_ERR_TRUNCATE when the receive completes, each
// time, and nothing beyond its buffer is written.
#include "common/errors.hpp"
#include "common/ways.hpp"
#include "partitioned/pairs.hpp"

using namespace mpitest;

namespace {

struct Sizes {
    Cut send, recv;
};

// A receive of ints with a margin on both sides.
class Mismatch {
  public:
    explicit Mismatch(const Sizes& sizes)
        : sizes_(sizes), out_(bytes(sizes.send)), in_(bytes(sizes.recv)) {
        const auto side = [&](const Cut& cut, Buffer& buffer) {
            const bool sends = &buffer == &out_;
            CHECK_MPI(sends ? MPI_Psend_init(out_.data(), cut.parts, cut.count, cut.type,
                                             ring_.next, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &send_)
                            : MPI_Precv_init(in_.data(), cut.parts, cut.count, cut.type,
                                             ring_.previous, 6, MPI_COMM_WORLD, MPI_INFO_NULL,
                                             &recv_));
        };
        side(sizes.send, out_);
        side(sizes.recv, in_);
    }
    Mismatch(const Mismatch&) = delete;
    Mismatch& operator=(const Mismatch&) = delete;
    ~Mismatch() {
        free_request(send_);
        free_request(recv_);
    }

    void run(int round, const Completion& way) {
        INFO("round " << round << ", " << way.name);
        out_.fill_ints(ring_.me, round);
        in_.fill_ints(ring_.me, 1'000 + round);
        const Buffer before = in_;
        Requests requests{recv_, send_};
        CHECK_MPI(MPI_Startall(2, requests.data()));
        CHECK_MPI(MPI_Pready_range(0, sizes_.send.parts - 1, send_));
        const Outcome outcome = complete(way, requests);
        CHECK(class_of(outcome.codes[0]) == MPI_ERR_TRUNCATE);
        CHECK(outcome.codes[1] == MPI_SUCCESS);
        const std::string text = error_text(outcome.codes[0]);
        CHECK(contains(text, std::to_string(sent_bytes()).c_str()));
        check_outside(before);
        CHECK((requests[0] == recv_ && requests[1] == send_));
        int flag = 0;
        CHECK_MPI(MPI_Parrived(recv_, 0, &flag));
        CHECK(flag == 1);
    }

  private:
    static std::size_t bytes(const Cut& cut) {
        return cut.step() * static_cast<std::size_t>(cut.parts) + extent_of(cut.type).slack;
    }
    long sent_bytes() const { return 4L * sizes_.send.parts * sizes_.send.ints(); }
    // What is no data of the receive buffer is as before.
    void check_outside(const Buffer& before) const {
        const auto& was = before.all();
        const auto& is = in_.all();
        const std::size_t end =
            Buffer::margin + sizes_.recv.step() * static_cast<std::size_t>(sizes_.recv.parts);
        CHECK(std::equal(was.begin(), was.begin() + Buffer::margin, is.begin()));
        CHECK(std::equal(was.begin() + static_cast<std::ptrdiff_t>(end), was.end(),
                         is.begin() + static_cast<std::ptrdiff_t>(end)));
    }

    const Ring ring_;
    const Sizes sizes_;
    Buffer out_, in_;
    MPI_Request send_ = MPI_REQUEST_NULL, recv_ = MPI_REQUEST_NULL;
};

void check_mismatch(const Sizes& sizes) {
    INFO(sizes.send.parts << " of " << sizes.send.count << " to " << sizes.recv.parts << " of "
                          << sizes.recv.count);
    Mismatch mismatch(sizes);
    int round = 0;
    for (const Completion& way : completions) mismatch.run(round++, way);
}

void check_pair() {
    const Ring ring;
    Sends sends;
    Recvs recvs;
    sends.push_back(
        std::make_unique<SendEnd>(Cut{2, 3}, Envelope{ring.next, 6, MPI_COMM_WORLD, ring.me}));
    recvs.push_back(std::make_unique<RecvEnd>(
        Cut{3, 2}, Envelope{ring.previous, 6, MPI_COMM_WORLD, ring.previous}));
    run_rounds(sends, recvs, 2);
}

int handled = 0;
MPI_Comm handled_comm = MPI_COMM_NULL;
void remember(MPI_Comm* comm, int*, ...) {
    handled++;
    handled_comm = *comm;
}

} // namespace

TEST_CASE("the sender has more") {
    const ErrorsReturn guard;
    check_mismatch({{4, 5}, {3, 5}});
    check_mismatch({{1, 2}, {1, 1}});
    check_mismatch({{3, 4}, {2, 0}});
    check_mismatch({{2, 30'000}, {7, 1'000}});
    check_mismatch({{64, 4'000}, {1, 100'000}});
    check_pair();
}

TEST_CASE("the sender has less") {
    const ErrorsReturn guard;
    check_mismatch({{3, 5}, {4, 5}});
    check_mismatch({{1, 1}, {1, 2}});
    check_mismatch({{2, 0}, {3, 4}});
    check_mismatch({{7, 1'000}, {2, 30'000}});
    check_mismatch({{1, 100'000}, {64, 4'000}});
    check_pair();
}

namespace {

// A send of so many ints to a receive of more, the first `sent` of which must come.
void check_what_comes(int sent, const Cut& cut) {
    INFO(sent << " ints to " << cut.parts << " of " << cut.count);
    const Ring ring;
    std::vector<int> out(static_cast<std::size_t>(sent));
    std::iota(out.begin(), out.end(), 1000 * ring.me);
    std::vector<int> wanted(out.size());
    std::iota(wanted.begin(), wanted.end(), 1000 * ring.previous);
    Buffer in(cut.step() * static_cast<std::size_t>(cut.parts) + extent_of(cut.type).slack);
    MPI_Request send = MPI_REQUEST_NULL, recv = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Psend_init(out.data(), sent % 3 ? 1 : 3, sent % 3 ? sent : sent / 3, MPI_INT,
                             ring.next, 6, MPI_COMM_WORLD, MPI_INFO_NULL, &send));
    CHECK_MPI(MPI_Precv_init(in.data(), cut.parts, cut.count, cut.type, ring.previous, 6,
                             MPI_COMM_WORLD, MPI_INFO_NULL, &recv));
    for (int round = 0; round < 3; round++) {
        in.fill_ints(7, round);
        Buffer all = in;
        const int ints = cut.parts * cut.ints(), bytes = ints * static_cast<int>(sizeof(int));
        std::vector<int> data(static_cast<std::size_t>(ints));
        int position = 0;
        CHECK_MPI(MPI_Pack(in.data(), cut.parts * cut.count, cut.type, data.data(), bytes,
                           &position, MPI_COMM_SELF));
        std::copy(wanted.begin(), wanted.end(), data.begin());
        position = 0;
        CHECK_MPI(MPI_Unpack(data.data(), bytes, &position, all.data(), cut.parts * cut.count,
                             cut.type, MPI_COMM_SELF));
        CHECK_MPI(MPI_Start(&recv));
        CHECK_MPI(MPI_Start(&send));
        CHECK_MPI(MPI_Pready_range(0, sent % 3 ? 0 : 2, send));
        MPI_Status status = spoiled_status();
        CHECK(class_of(MPI_Wait(&recv, &status)) == MPI_ERR_TRUNCATE);
        CHECK_MPI(MPI_Wait(&send, MPI_STATUS_IGNORE));
        CHECK(difference(all, in) == "");
        int count = -1;
        CHECK_MPI(MPI_Get_elements(&status, MPI_INT, &count));
        CHECK(count == sent);
        CHECK((status.MPI_SOURCE == ring.previous && status.MPI_TAG == 6));
    }
    free_request(send);
    free_request(recv);
}

} // namespace

TEST_CASE("what a sender of less has sent comes, and is counted") {
    const ErrorsReturn guard;
    for (const int sent : {1, 2, 7, 9, 11, 12, 20, 23, 30, 39}) {
        check_what_comes(sent, {4, 10});
        check_what_comes(sent, {1, 40});
        check_what_comes(sent, {4, 5, vector_of(2, 1, 2)});
        check_what_comes(sent, {1, 20, vector_of(2, 1, 2)});
        check_what_comes(sent, {20, 1, vector_of(2, 1, 2)});
    }
    check_what_comes(29'999, {7, 5'000, vector_of(2, 1, 2)});
}

TEST_CASE("datatypes with gaps, and other numbers of bytes") {
    const ErrorsReturn guard;
    const Type gaps = vector_of(2, 1, 2);
    check_mismatch({{4, 5, gaps}, {4, 9}});
    check_mismatch({{4, 5, gaps}, {4, 11}});
    check_mismatch({{4, 9}, {4, 5, gaps}});
    check_mismatch({{4, 11}, {4, 5, gaps}});
    check_mismatch({{1, 20'000, gaps}, {5, 3'000, gaps}});
    check_mismatch({{5, 3'000, gaps}, {1, 20'000, gaps}});
}

TEST_CASE("the error handler of the receive's communicator is called once") {
    const Ring ring;
    MPI_Comm copy = MPI_COMM_NULL;
    CHECK_MPI(MPI_Comm_dup(MPI_COMM_WORLD, &copy));
    MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
    CHECK_MPI(MPI_Comm_create_errhandler(remember, &handler));
    CHECK_MPI(MPI_Comm_set_errhandler(copy, handler));
    int out[3] = {1, 2, 3}, in[2] = {-1, -1};
    MPI_Request send = MPI_REQUEST_NULL, recv = MPI_REQUEST_NULL;
    CHECK_MPI(MPI_Psend_init(out, 3, 1, MPI_INT, ring.next, 0, copy, MPI_INFO_NULL, &send));
    CHECK_MPI(MPI_Precv_init(in, 1, 2, MPI_INT, ring.previous, 0, copy, MPI_INFO_NULL, &recv));
    for (int round = 0; round < 4; round++) {
        handled = 0;
        CHECK_MPI(MPI_Start(&recv));
        CHECK_MPI(MPI_Start(&send));
        CHECK_MPI(MPI_Pready_range(0, 2, send));
        CHECK(class_of(MPI_Wait(&recv, MPI_STATUS_IGNORE)) == MPI_ERR_TRUNCATE);
        CHECK((handled == 1 && handled_comm == copy));
        CHECK_MPI(MPI_Wait(&send, MPI_STATUS_IGNORE));
        CHECK(handled == 1);
    }
    free_request(send);
    free_request(recv);
    CHECK_MPI(MPI_Comm_free(&copy));
    CHECK_MPI(MPI_Errhandler_free(&handler));
}
