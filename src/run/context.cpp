// SPDX-License-Identifier: BSD-3-Clause
//
// Making, finding and dropping contexts. Shadows are split, not duplicated, because a duplicate
// would call the attribute callbacks of the program.
#include "run/context.hpp"

#include "run/engine.hpp"
#include "run/failure.hpp"
#include "run/patience.hpp"

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
        engine().progress();
        patience.pause();
    }
}

void gather_ranks(MPI_Comm comm) {
    MPI_Request request = MPI_REQUEST_NULL;
    check(HOST(Ibarrier)(comm, &request));
    check(wait_for(request));
}

Shadow::Shadow(MPI_Comm of) {
    gather_ranks(of);
    int rank = 0;
    HOST(Comm_rank)(of, &rank);
    check(HOST(Comm_split)(of, 0, rank, &comm));
    HOST(Comm_set_errhandler)(comm, MPI_ERRORS_RETURN);
}

Shadow::~Shadow() {
    int finalized = 0;
    HOST(Finalized)(&finalized);
    if (!finalized && comm != MPI_COMM_NULL) HOST(Comm_free)(&comm);
}

Context::Context(MPI_Comm comm) : comm_(comm), shadow_(std::make_shared<Shadow>(comm)) {
    int inter = 0;
    HOST(Comm_rank)(comm, &rank);
    HOST(Comm_size)(comm, &ranks);
    HOST(Comm_test_inter)(comm, &inter);
    is_inter = inter != 0;
}

std::shared_ptr<Context> Context::of(MPI_Comm comm) {
    std::shared_ptr<Context>* held = nullptr;
    int found = 0;
    check(HOST(Comm_get_attr)(comm, keyval(), &held, &found));
    if (found) return *held;
    auto made = std::make_unique<std::shared_ptr<Context>>(std::make_shared<Context>(comm));
    check(HOST(Comm_set_attr)(comm, keyval(), made.get()));
    return *made.release();
}

void drop_world_contexts() {
    for (const MPI_Comm comm : {MPI_COMM_WORLD, MPI_COMM_SELF}) {
        void* held = nullptr;
        int found = 0;
        HOST(Comm_get_attr)(comm, keyval(), &held, &found);
        if (found) HOST(Comm_delete_attr)(comm, keyval());
    }
}

Tags Context::take_tags(int lanes) {
    static const int limit = host::tag_limit();
    if (limit - next_tag_ < lanes) {
        shadow_ = std::make_shared<Shadow>(shadow_->comm);
        next_tag_ = 0;
    }
    const int first = next_tag_;
    next_tag_ += lanes;
    return {shadow_, first};
}

} // namespace mpix::run
