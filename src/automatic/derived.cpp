// SPDX-License-Identifier: BSD-3-Clause
//
// An attribute goes with its type, so that another one with the same handle is asked itself. It is
// a number: twice the size, and one if it is dense.
#include "automatic/derived.hpp"

#include "datatype/layout.hpp"
#include "host/failure.hpp"

#include <mutex>

namespace mpix::automatic {
namespace {

std::mutex mutex;
int key = MPI_KEYVAL_INVALID;

int keyval() {
    const std::lock_guard lock(mutex);
    if (key == MPI_KEYVAL_INVALID)
        host::check_raised(HOST(Type_create_keyval)(MPI_TYPE_NULL_COPY_FN, MPI_TYPE_NULL_DELETE_FN,
                                                    &key, nullptr));
    return key;
}

} // namespace

Derived derived_of(MPI_Datatype type) {
    void* held = nullptr;
    int found = 0;
    host::check_raised(HOST(Type_get_attr)(type, keyval(), &held, &found));
    if (!found) {
        const datatype::Layout layout(type);
        held = reinterpret_cast<void*>(static_cast<std::uintptr_t>(2 * layout.size + layout.dense));
        host::check_raised(HOST(Type_set_attr)(type, keyval(), held));
    }
    const auto number = reinterpret_cast<std::uintptr_t>(held);
    return {static_cast<std::int64_t>(number / 2), number % 2 != 0};
}

void forget_derived() {
    const std::lock_guard lock(mutex);
    if (key != MPI_KEYVAL_INVALID) HOST(Type_free_keyval)(&key);
}

} // namespace mpix::automatic
