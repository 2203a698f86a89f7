// SPDX-License-Identifier: BSD-3-Clause
// The table of calls on windows that block: making and freeing them, and the three kinds of
// synchronisation. What is put is not looked at: MPICH 4.0.2 as Debian builds it loses it.
#pragma once

#include "progress/blocking_calls.hpp"

namespace mpitest {

inline int* memory(Scene& s) {
    int *base = nullptr, found = 0;
    MPI_Win_get_attr(s.window, MPI_WIN_BASE, &base, &found);
    return base;
}

inline void allocate_window(Scene& s) {
    int* base = nullptr;
    CHECK_MPI(MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, s.comm, &base, &s.window));
}

inline void free_window(Scene& s) {
    if (s.window != MPI_WIN_NULL) CHECK_MPI(MPI_Win_free(&s.window));
}

inline void fence(Scene& s) { CHECK_MPI(MPI_Win_fence(0, s.window)); }

inline void allocate_and_fence(Scene& s) {
    allocate_window(s);
    fence(s);
}

// To MPICH 5 as Debian builds it no two processes share memory.
inline bool share_memory(const Scene& s) {
    MPI_Comm node = MPI_COMM_NULL;
    MPI_Comm_split_type(s.comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    const bool all = size_of(node) == size_of(s.comm);
    MPI_Comm_free(&node);
    return all;
}

inline void allocate_shared(Scene& s) {
    int* base = nullptr;
    CHECK_MPI(
        MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, s.comm, &base, &s.window));
}

// The group of the other end.
class Other {
  public:
    explicit Other(const Scene& s) {
        MPI_Group all = MPI_GROUP_NULL;
        const int other = s.other();
        MPI_Comm_group(s.comm, &all);
        MPI_Group_incl(all, 1, &other, &group_);
        MPI_Group_free(&all);
    }
    Other(const Other&) = delete;
    Other& operator=(const Other&) = delete;
    ~Other() { MPI_Group_free(&group_); }
    operator MPI_Group() const { return group_; }

  private:
    MPI_Group group_ = MPI_GROUP_NULL;
};

inline void put(Scene& s) {
    CHECK_MPI(MPI_Put(mail(), 1, MPI_INT, s.other(), 0, 1, MPI_INT, s.window));
}

inline void access(Scene& s) {
    const Other other(s);
    CHECK_MPI(MPI_Win_start(other, 0, s.window));
    put(s);
    CHECK_MPI(MPI_Win_complete(s.window));
}

inline void expose(Scene& s) {
    const Other other(s);
    CHECK_MPI(MPI_Win_post(other, 0, s.window));
    CHECK_MPI(MPI_Win_wait(s.window));
}

inline void expose_and_test(Scene& s) {
    const Other other(s);
    CHECK_MPI(MPI_Win_post(other, 0, s.window));
    poll([&] {
        int flag = 0;
        MPI_Win_test(s.window, &flag);
        return flag;
    });
}

// The partner holds its own window, and lets go when it releases.
inline void allocate_and_hold(Scene& s) {
    allocate_window(s);
    if (s.is_partner()) CHECK_MPI(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, s.me, 0, s.window));
    if (s.is_partner()) *memory(s) = 1;
    MPI_Barrier(s.comm);
}

inline void let_go(Scene& s) { CHECK_MPI(MPI_Win_unlock(s.me, s.window)); }

inline const std::vector<BlockingCall> blocking_windows = {
    {"MPI_Win_create",
     [](Scene& s) {
         CHECK_MPI(
             MPI_Win_create(mail(), sizeof(int), sizeof(int), MPI_INFO_NULL, s.comm, &s.window));
     },
     nullptr, nullptr, free_window},
    {"MPI_Win_allocate", allocate_window, nullptr, nullptr, free_window},
    {"MPI_Win_allocate_shared",
     [](Scene& s) { s.shares ? allocate_shared(s) : allocate_window(s); }, nullptr,
     [](Scene& s) { s.shares = share_memory(s); }, free_window},
    {"MPI_Win_create_dynamic",
     [](Scene& s) { CHECK_MPI(MPI_Win_create_dynamic(MPI_INFO_NULL, s.comm, &s.window)); }, nullptr,
     nullptr, free_window},
    {"MPI_Win_free", free_window, nullptr, allocate_window},
    {"MPI_Win_fence", fence, nullptr, allocate_and_fence, free_window},
    {"MPI_Win_start and MPI_Win_complete", access, expose, allocate_window, free_window},
    {"MPI_Win_post and MPI_Win_wait", expose, access, allocate_window, free_window},
    {"MPI_Win_post and MPI_Win_test", expose_and_test, access, allocate_window, free_window},
    {"MPI_Win_lock and MPI_Win_unlock",
     [](Scene& s) {
         CHECK_MPI(MPI_Win_lock(MPI_LOCK_EXCLUSIVE, s.other(), 0, s.window));
         put(s);
         CHECK_MPI(MPI_Win_unlock(s.other(), s.window));
     },
     let_go, allocate_and_hold, free_window},
    {"MPI_Win_lock_all and MPI_Win_flush",
     [](Scene& s) {
         CHECK_MPI(MPI_Win_lock_all(0, s.window));
         put(s);
         CHECK_MPI(MPI_Win_flush(s.other(), s.window));
         CHECK_MPI(MPI_Win_unlock_all(s.window));
     },
     let_go, allocate_and_hold, free_window},
};

} // namespace mpitest
