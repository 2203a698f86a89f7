// SPDX-License-Identifier: BSD-3-Clause
//
// What mpix hangs on communicators of the program: a shared value, which is told when its
// communicator goes, and may outlive it.
#pragma once

#include "comm/aside.hpp"
#include "host/failure.hpp"
#include "host/host.hpp"

#include <memory>
#include <mutex>
#include <utility>

namespace mpix::comm {

template<class Value>
class Attribute {
  public:
    // What the host keeps. Made by itself, where the memory for it is wanted first.
    struct Hung : Aside {
        explicit Hung(std::shared_ptr<Value> hung) : value(std::move(hung)) {}
        const std::shared_ptr<Value> value;
    };
    using Place = std::unique_ptr<Hung>;

    constexpr explicit Attribute(MPI_Comm_copy_attr_function* copy) : copy_(copy) {}

    // Null if there is none.
    std::shared_ptr<Value> find(MPI_Comm comm) {
        Hung* held = nullptr;
        int found = 0;
        host::check_raised(HOST(Comm_get_attr)(comm, keyval(), &held, &found));
        return found ? held->value : nullptr;
    }

    void hang(MPI_Comm comm, Place place) {
        host::check_raised(HOST(Comm_set_attr)(comm, keyval(), place.get()));
        static_cast<void>(place.release()); // it is the host's now
    }

    // At the end of MPI. MPI_COMM_WORLD keeps its attributes till then; those of MPI_COMM_SELF the
    // host is just taking away, and MPICH 4.0 must not be asked for them meanwhile: it looks at
    // freed ones.
    void end() {
        if (keyval_ == MPI_KEYVAL_INVALID) return;
        void* held = nullptr;
        int is_world = 0, found = 0;
        HOST(Initialized)(&is_world); // else a program of sessions
        if (is_world) HOST(Comm_get_attr)(MPI_COMM_WORLD, keyval_, &held, &found);
        if (found) HOST(Comm_delete_attr)(MPI_COMM_WORLD, keyval_);
        HOST(Comm_free_keyval)(&keyval_);
        Aside::free_all();
    }

  private:
    static int forget(MPI_Comm, int, void* attribute, void*) {
        auto* const hung = static_cast<Hung*>(attribute);
        hung->value->forget_comm();
        Aside::put(hung);
        return MPI_SUCCESS;
    }

    int keyval() {
        const std::lock_guard lock(mutex_);
        if (keyval_ == MPI_KEYVAL_INVALID)
            HOST(Comm_create_keyval)(copy_, forget, &keyval_, nullptr);
        return keyval_;
    }

    MPI_Comm_copy_attr_function* const copy_;
    std::mutex mutex_;
    int keyval_ = MPI_KEYVAL_INVALID;
};

} // namespace mpix::comm
