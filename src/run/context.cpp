// SPDX-License-Identifier: BSD-3-Clause
//
// Making, finding and dropping contexts. Shadows are split, not duplicated, because a duplicate
// would call the attribute callbacks of the program.
#include "run/context.hpp"

#include "run/engine.hpp"
#include "run/failure.hpp"
#include "run/patience.hpp"
#include "run/process.hpp"
#include "run/settings.hpp"

namespace mpix::run {
namespace {

int forget(MPI_Comm, int, void* attribute, void*) {
    auto* held = static_cast<std::shared_ptr<Context>*>(attribute);
    (*held)->forget_comm();
    delete held;
    return MPI_SUCCESS;
}

int keyval() {
    static const int made = [] {
        int value = MPI_KEYVAL_INVALID;
        HOST(Comm_create_keyval)(MPI_COMM_NULL_COPY_FN, forget, &value, nullptr);
        return value;
    }();
    return made;
}

} // namespace

int wait_for(MPI_Request& request) {
    Patience patience;
    int done = 0;
    while (true) {
        const int code = HOST(Test)(&request, &done, MPI_STATUS_IGNORE);
        if (code != MPI_SUCCESS || done) return code;
        {
            const Engine::Guard guard(engine());
            engine().progress();
        }
        patience.pause();
    }
}

namespace {

// Returns when every rank of `comm` has entered; plans move meanwhile. After it a blocking host
// call among the same ranks cannot wait for a rank that waits for us.
int gather_ranks(MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    const int code = HOST(Ibarrier)(comm, &request);
    return code == MPI_SUCCESS ? wait_for(request) : code;
}

} // namespace

Shadow::Shadow(MPI_Comm of, bool is_programs) {
    int rank = 0, code = gather_ranks(of);
    HOST(Comm_rank)(of, &rank);
    if (code == MPI_SUCCESS) code = HOST(Comm_split)(of, 0, rank, &comm);
    if (code != MPI_SUCCESS) throw Failure{code, is_programs};
    HOST(Comm_set_errhandler)(comm, MPI_ERRORS_RETURN);
}

Shadow::~Shadow() {
    if (!is_closed() && comm != MPI_COMM_NULL) HOST(Comm_free)(&comm);
}

Context::Context(MPI_Comm comm) : comm_(comm), shadow_(std::make_shared<Shadow>(comm, true)) {
    int inter = 0;
    HOST(Comm_rank)(comm, &rank);
    HOST(Comm_size)(comm, &ranks);
    HOST(Comm_test_inter)(comm, &inter);
    is_inter = inter != 0;
}

std::shared_ptr<Context> Context::of(MPI_Comm comm) {
    std::shared_ptr<Context>* held = nullptr;
    int found = 0;
    check_raised(HOST(Comm_get_attr)(comm, keyval(), &held, &found));
    if (found) return *held;
    auto made = std::make_unique<std::shared_ptr<Context>>(std::make_shared<Context>(comm));
    check_raised(HOST(Comm_set_attr)(comm, keyval(), made.get()));
    return *made.release();
}

Tags Context::take_tags(int lanes) {
    static const int limit =
        settings().MPIX_TAG_LIMIT > 0 ? settings().MPIX_TAG_LIMIT : host::tag_limit();
    if (limit - next_tag_ < lanes) {
        shadow_ = std::make_shared<Shadow>(shadow_->comm);
        next_tag_ = 0;
    }
    const int first = next_tag_;
    next_tag_ += lanes;
    return {shadow_, first};
}

} // namespace mpix::run
