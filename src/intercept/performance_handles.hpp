// SPDX-License-Identifier: BSD-3-Clause
//
// Handles of our performance variables. Each belongs to a session of the host's and sees what is
// counted while it is started: no other handle notices when it is reset.
#pragma once

#include "base/immortal.hpp"
#include "host/host.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <utility>
#include <vector>

namespace mpix::intercept::tools {

struct PerformanceVariable;

// Any thread. Functions return codes; what allocates may throw bad_alloc.
class PerformanceHandles {
  public:
    int create(MPI_T_pvar_session* session);
    int free(MPI_T_pvar_session* session);
    void drop_all(); // the interface has ended

    // By their addresses they cannot be the host's, whatever a tool hands in.
    bool is_ours(MPI_T_pvar_handle handle) const { return slot_of(handle) < most; }

    int allocate(MPI_T_pvar_session session, int variable, MPI_T_pvar_handle* handle);
    int release(MPI_T_pvar_session session, MPI_T_pvar_handle* handle);

    int start(MPI_T_pvar_session session, MPI_T_pvar_handle handle);
    int stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle);
    int reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle);
    int read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* value);
    int write(MPI_T_pvar_session session, MPI_T_pvar_handle handle, const void* value);
    int read_and_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* value);

    // Those of a session that can be.
    void start_all(MPI_T_pvar_session session);
    void stop_all(MPI_T_pvar_session session);
    void reset_all(MPI_T_pvar_session session);

    // The host's, for a host that has to be told one by one.
    void add_theirs(MPI_T_pvar_session session, MPI_T_pvar_handle handle);
    void drop_theirs(MPI_T_pvar_session session, MPI_T_pvar_handle handle);
    std::vector<MPI_T_pvar_handle> theirs(MPI_T_pvar_session session);

  private:
    struct Handle {
        const PerformanceVariable* variable = nullptr; // null: free
        MPI_T_pvar_session session = MPI_T_PVAR_SESSION_NULL;
        bool is_started = false;
        std::int64_t kept = 0;  // of earlier
        std::int64_t since = 0; // what the variable was when it was started or reset

        std::int64_t value() const;
        void begin();
        void end();
        void set(std::int64_t value);
        void drop();
    };
    static constexpr std::size_t most = 1 << 16;

    std::size_t slot_of(MPI_T_pvar_handle handle) const;
    Handle* find(MPI_T_pvar_session session, MPI_T_pvar_handle handle);
    // Calls action(handle) of one that is counted, and returns its code.
    template<class Action>
    int of_counted(MPI_T_pvar_session session, MPI_T_pvar_handle handle, int refusal,
                   Action action);
    template<class Action>
    void for_all(MPI_T_pvar_session session, Action action);

    using Theirs = std::pair<MPI_T_pvar_session, MPI_T_pvar_handle>;

    std::mutex mutex_;
    std::vector<MPI_T_pvar_session> sessions_;
    std::vector<Theirs> theirs_;
    std::vector<Handle> slots_;
    std::vector<std::size_t> free_slots_; // with room for all
    std::array<char, most> addresses_{};  // of handles: nothing is ever stored there
};

extern base::Immortal<PerformanceHandles> the_performance_handles;
inline PerformanceHandles& performance_handles() { return the_performance_handles.value; }

} // namespace mpix::intercept::tools
