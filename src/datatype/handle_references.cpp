// SPDX-License-Identifier: BSD-3-Clause
//
// Two tables of handles with their number of users. Not on any hot path.
#include "datatype/handle_references.hpp"

#include "base/closed.hpp"
#include "datatype/contents.hpp"
#include "datatype/ops.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace mpix::datatype {
namespace {

template<class Handle>
class Table {
  public:
    void keep(Handle handle) {
        const std::lock_guard lock(mutex_);
        if (Entry* entry = find(handle))
            ++entry->users;
        else
            entries_.push_back({handle, 1, 0});
        any_.store(true, std::memory_order_relaxed);
    }

    bool put_off(Handle handle) {
        if (!any_.load(std::memory_order_relaxed)) return false;
        const std::lock_guard lock(mutex_);
        Entry* entry = find(handle);
        if (entry) ++entry->frees;
        return entry;
    }

    // How often the program has freed the handle meanwhile, if that was the last user: twice where
    // it got the handle again from MPI_Type_get_contents.
    int release(Handle handle) {
        const std::lock_guard lock(mutex_);
        Entry* entry = find(handle);
        if (--entry->users > 0) return 0;
        const int frees = entry->frees;
        *entry = entries_.back();
        entries_.pop_back();
        any_.store(!entries_.empty(), std::memory_order_relaxed);
        return frees;
    }

  private:
    struct Entry {
        Handle handle;
        int users;
        int frees;
    };
    Entry* find(Handle handle) {
        const auto found = std::find_if(entries_.begin(), entries_.end(),
                                        [&](const Entry& e) { return e.handle == handle; });
        return found == entries_.end() ? nullptr : &*found;
    }

    // Relaxed: who frees a handle has synchronised with the init that used it.
    std::atomic<bool> any_{false};
    std::mutex mutex_;
    std::vector<Entry> entries_;
};

// Never destroyed: plans may be freed while the process ends.
Table<MPI_Datatype>& types() {
    static auto& table = *new Table<MPI_Datatype>;
    return table;
}
Table<MPI_Op>& ops() {
    static auto& table = *new Table<MPI_Op>;
    return table;
}

// In both, or in neither: a user that nobody releases would put off the program's free for ever.
template<class Handle>
void keep_in(Table<Handle>& table, std::vector<Handle>& kept, Handle handle) {
    kept.push_back(handle);
    try {
        table.keep(handle);
    } catch (...) {
        kept.pop_back();
        throw;
    }
}

} // namespace

void HandleReferences::keep_type(MPI_Datatype type) {
    if (!is_predefined_type(type)) keep_in(types(), types_, type);
}

void HandleReferences::keep_op(MPI_Op op) {
    if (!is_predefined_op(op)) keep_in(ops(), ops_, op);
}

HandleReferences::~HandleReferences() {
    if (base::is_closed()) return;
    for (const MPI_Datatype type : types_)
        for (int frees = types().release(type); frees > 0; --frees) {
            MPI_Datatype freed = type; // the host nulls it
            HOST(Type_free)(&freed);
        }
    for (MPI_Op op : ops_)
        if (ops().release(op) > 0) HOST(Op_free)(&op);
}

bool put_off_type_free(MPI_Datatype type) { return types().put_off(type); }
bool put_off_op_free(MPI_Op op) { return ops().put_off(op); }

} // namespace mpix::datatype
