// SPDX-License-Identifier: BSD-3-Clause
//
// The requests in an array of the program that are completed here: our own, and where that is
// necessary persistent sends and receives. The host gets the others.
#pragma once

#include "intercept/handles.hpp"
#include "intercept/point_to_point.hpp"
#include "progress/backoff.hpp"
#include "progress/engine.hpp"

#include <boost/container/small_vector.hpp>

namespace mpix::intercept {

using progress::Operation;
using State = progress::Operation::State;

bool has_ours(int count, const MPI_Request requests[]);

// False where the host alone must answer: none of these is ours, or the arguments are its to
// refuse. If plans are active they must move too, and nothing is left to the host alone.
inline bool completes_any() { return handles().any() || completes_records(); }
inline bool may_be_ours(int count, const MPI_Request requests[]) {
    return completes_any() && count > 0 && requests && has_ours(count, requests);
}

// Whether one of these is an operation; a persistent message that is bound as a channel is.
bool holds_operation(int count, const MPI_Request requests[]);
// Whether all of them may be messages that are completed here.
inline bool may_be_messages(int count, const MPI_Request requests[]) {
    return completes_records() && count > 0 && requests && !holds_operation(count, requests);
}

// A request of ours, which is one of the two.
struct Completable {
    int index;
    Operation* operation;
    Record* record;
    MPI_Request* place; // in the program

    State state() const;
    void tell(MPI_Status* status) const; // the status, with MPI_ERROR left alone
    // Completes it: status with MPI_ERROR left alone, and error code.
    int finish(MPI_Status* status) const;
    // Calls the error handler, unless it has been called.
    int raise(int code) const;
    // How to wait for it.
    progress::Manner manner() const;
    MPI_Comm errors_to() const { return record ? record->errors_to() : operation->errors_to(); }
};

// That of a request, with neither where it is the host's.
Completable completable(MPI_Request* request, int index = 0);

class Batch {
  public:
    Batch(int count, MPI_Request requests[]);

    bool empty() const { return ours_.empty(); }
    bool has_others() const { return others_; } // requests that are not ours
    auto begin() const { return ours_.begin(); }
    auto end() const { return ours_.end(); }
    std::size_t size() const { return ours_.size(); }
    const Completable& operator[](std::size_t i) const { return ours_[i]; }

    // Moves all plans and tells whether none of these is still active.
    bool progress_all_done();
    // Moves all plans, and asks the host for each record.
    void progress_each() const;
    bool any_started() const; // active or complete
    progress::Manner manner() const;

    // The array for a call of the host: the program's own, because to the host our carriers are
    // inactive, or a copy without the records. It has to be given back.
    MPI_Request* lend();
    void give_back();

  private:
    bool has_active_operation() const;

    int count_;
    MPI_Request* requests_;
    boost::container::small_vector<Completable, 32> ours_;
    ActiveRecords active_;                                 // when this was made
    boost::container::small_vector<MPI_Request, 32> lent_; // only where there are records
    bool has_records_ = false;
    bool others_ = false;
};

} // namespace mpix::intercept
