// SPDX-License-Identifier: BSD-3-Clause
//
// Sessions, handles, and the values that they see.
#include "intercept/performance_handles.hpp"

#include "intercept/performance_variables.hpp"
#include "intercept/tool_calls.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mpix::intercept::tools {

constinit base::Immortal<PerformanceHandles> the_performance_handles;

namespace {

using Number = unsigned long long;
constexpr double second = 1e9; // of nanoseconds

void store(const PerformanceVariable& variable, std::int64_t value, void* to) {
    if (variable.is_time())
        *static_cast<double*>(to) = static_cast<double>(value) / second;
    else
        *static_cast<Number*>(to) = static_cast<Number>(value);
}

std::int64_t load(const PerformanceVariable& variable, const void* from) {
    if (variable.is_time()) return std::llround(*static_cast<const double*>(from) * second);
    return static_cast<std::int64_t>(*static_cast<const Number*>(from));
}

// When the interface has ended there are none.
int not_found() { return has_begun() ? MPI_T_ERR_INVALID_HANDLE : MPI_T_ERR_NOT_INITIALIZED; }

} // namespace

std::int64_t PerformanceHandles::Handle::value() const {
    if (variable->is_level()) return variable->value();
    return is_started ? kept + variable->value() - since : kept;
}

void PerformanceHandles::Handle::begin() {
    if (variable->is_level() || std::exchange(is_started, true)) return;
    progress::begin_counting();
    since = variable->value();
}

void PerformanceHandles::Handle::end() {
    if (!is_started) return;
    kept = value();
    is_started = false;
    progress::end_counting();
}

void PerformanceHandles::Handle::set(std::int64_t value) {
    if (is_started) since = variable->value();
    kept = value;
}

void PerformanceHandles::Handle::drop() {
    end();
    *this = {};
}

std::size_t PerformanceHandles::slot_of(MPI_T_pvar_handle handle) const {
    const auto offset =
        host::number_of(handle) - reinterpret_cast<std::uintptr_t>(addresses_.data());
    return std::min<std::size_t>(offset, most);
}

// Null if there is none, or in another session.
PerformanceHandles::Handle* PerformanceHandles::find(MPI_T_pvar_session session,
                                                     MPI_T_pvar_handle handle) {
    const std::size_t slot = slot_of(handle);
    if (slot >= slots_.size() || !slots_[slot].variable || slots_[slot].session != session)
        return nullptr;
    return &slots_[slot];
}

int PerformanceHandles::create(MPI_T_pvar_session* session) {
    const std::lock_guard lock(mutex_);
    sessions_.reserve(sessions_.size() + 1);
    const int code = HOST(T_pvar_session_create)(session);
    if (code == MPI_SUCCESS) sessions_.push_back(*session);
    return code;
}

int PerformanceHandles::free(MPI_T_pvar_session* session) {
    const MPI_T_pvar_session going = session ? *session : MPI_T_PVAR_SESSION_NULL;
    const int code = HOST(T_pvar_session_free)(session);
    if (code != MPI_SUCCESS) return code;
    const std::lock_guard lock(mutex_);
    std::erase(sessions_, going);
    std::erase_if(theirs_, [&](const Theirs& one) { return one.first == going; });
    for (std::size_t slot = 0; slot < slots_.size(); ++slot) {
        if (!slots_[slot].variable || slots_[slot].session != going) continue;
        slots_[slot].drop();
        free_slots_.push_back(slot);
    }
    return code;
}

void PerformanceHandles::drop_all() {
    const std::lock_guard lock(mutex_);
    for (Handle& handle : slots_)
        if (handle.variable) handle.drop();
    slots_ = {};
    free_slots_ = {};
    sessions_ = {};
    theirs_ = {};
}

int PerformanceHandles::allocate(MPI_T_pvar_session session, int variable,
                                 MPI_T_pvar_handle* handle) {
    const std::lock_guard lock(mutex_);
    if (std::ranges::find(sessions_, session) == sessions_.end()) return MPI_T_ERR_INVALID_SESSION;
    if (free_slots_.empty()) {
        if (slots_.size() == most) return MPI_T_ERR_OUT_OF_HANDLES;
        free_slots_.reserve(slots_.size() + 1);
        slots_.emplace_back();
        free_slots_.push_back(slots_.size() - 1);
    }
    const std::size_t slot = free_slots_.back();
    free_slots_.pop_back();
    slots_[slot].variable = &performance_variables()[static_cast<std::size_t>(variable)];
    slots_[slot].session = session;
    *handle = reinterpret_cast<MPI_T_pvar_handle>(&addresses_[slot]);
    return MPI_SUCCESS;
}

int PerformanceHandles::release(MPI_T_pvar_session session, MPI_T_pvar_handle* handle) {
    const std::lock_guard lock(mutex_);
    Handle* const found = find(session, *handle);
    if (!found) return not_found();
    found->drop();
    free_slots_.push_back(slot_of(std::exchange(*handle, MPI_T_PVAR_HANDLE_NULL)));
    return MPI_SUCCESS;
}

template<class Action>
int PerformanceHandles::of_counted(MPI_T_pvar_session session, MPI_T_pvar_handle handle,
                                   int refusal, Action action) {
    const std::lock_guard lock(mutex_);
    Handle* const found = find(session, handle);
    if (!found) return not_found();
    if (found->variable->is_level()) return refusal;
    action(*found);
    return MPI_SUCCESS;
}

int PerformanceHandles::start(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    return of_counted(session, handle, MPI_T_ERR_PVAR_NO_STARTSTOP, [](Handle& h) { h.begin(); });
}

int PerformanceHandles::stop(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    return of_counted(session, handle, MPI_T_ERR_PVAR_NO_STARTSTOP, [](Handle& h) { h.end(); });
}

int PerformanceHandles::reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    return of_counted(session, handle, MPI_T_ERR_PVAR_NO_WRITE, [](Handle& h) { h.set(0); });
}

int PerformanceHandles::write(MPI_T_pvar_session session, MPI_T_pvar_handle handle,
                              const void* value) {
    return of_counted(session, handle, MPI_T_ERR_PVAR_NO_WRITE,
                      [&](Handle& h) { h.set(load(*h.variable, value)); });
}

int PerformanceHandles::read(MPI_T_pvar_session session, MPI_T_pvar_handle handle, void* value) {
    const std::lock_guard lock(mutex_);
    Handle* const found = find(session, handle);
    if (!found) return not_found();
    store(*found->variable, found->value(), value);
    return MPI_SUCCESS;
}

// What comes in between is not lost: it is in the next value.
int PerformanceHandles::read_and_reset(MPI_T_pvar_session session, MPI_T_pvar_handle handle,
                                       void* value) {
    return of_counted(session, handle, MPI_T_ERR_PVAR_NO_WRITE, [&](Handle& h) {
        const std::int64_t found = h.value();
        store(*h.variable, found, value);
        h.since += h.is_started ? found - h.kept : 0;
        h.kept = 0;
    });
}

template<class Action>
void PerformanceHandles::for_all(MPI_T_pvar_session session, Action action) {
    const std::lock_guard lock(mutex_);
    for (Handle& handle : slots_)
        if (handle.variable && handle.session == session && !handle.variable->is_level())
            action(handle);
}

void PerformanceHandles::start_all(MPI_T_pvar_session session) {
    for_all(session, [](Handle& handle) { handle.begin(); });
}
void PerformanceHandles::stop_all(MPI_T_pvar_session session) {
    for_all(session, [](Handle& handle) { handle.end(); });
}
void PerformanceHandles::reset_all(MPI_T_pvar_session session) {
    for_all(session, [](Handle& handle) { handle.set(0); });
}

void PerformanceHandles::add_theirs(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    const std::lock_guard lock(mutex_);
    theirs_.emplace_back(session, handle);
}
void PerformanceHandles::drop_theirs(MPI_T_pvar_session session, MPI_T_pvar_handle handle) {
    const std::lock_guard lock(mutex_);
    std::erase(theirs_, Theirs(session, handle));
}
std::vector<MPI_T_pvar_handle> PerformanceHandles::theirs(MPI_T_pvar_session session) {
    const std::lock_guard lock(mutex_);
    std::vector<MPI_T_pvar_handle> found;
    for (const auto& [in, handle] : theirs_)
        if (in == session) found.push_back(handle);
    return found;
}

} // namespace mpix::intercept::tools
