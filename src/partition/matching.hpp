// SPDX-License-Identifier: BSD-3-Clause
//
// Bringing the two ends of partitioned sends and receives together. Inits are local: each writes at
// most one message, and the ends meet while the program makes progress.
//
// An envelope is a communicator, a pair of processes and a tag. Of one envelope the k-th send meets
// the k-th receive, counted among those that have not met and that are there: one that is freed
// before its first start has never been. For that
//
// - An end meets nobody before it has been started, because from then on it cannot be withdrawn.
//   What meets has been started on both sides, so nothing ever has to be undone.
// - Every end has a turn, a number that grows with the inits of its process.
// - A receive asks the sender with a request when it is made, and takes that back if it is freed
//   before its first start. Requests are not for particular sends: they only say how many receives
//   there are. The n-th send may begin when there are n, whichever they are; that it waits for them
//   keeps a fast sender from running ahead.
// - A send that is started, and may begin, makes its plan and its memory and offers them, with its
//   turn. Nothing is told of it before. Those in front of it that have not been started are
//   announced first, and if such a one is freed its announcement is taken back.
// - The receiver's side does the matching: it has its own receives in their order, and by their
//   turns the sends that were offered or announced. Where the k-th of both are a receive that was
//   started and a send that was offered they meet.
//
// Control messages from one process to the other do not overtake each other, so the receiver's side
// knows what is in front of an offer. Control messages may cross: a request that is taken back may
// have let a send begin, and then that waits at the receiver's side for the next receive, whose own
// request the sender's side does not count. A line, which is one side of an envelope, is forgotten
// when there is nothing in it.
#pragma once

#include "partition/end.hpp"

namespace mpix::partition {

// Gives the end its turn, and tells the other side if it receives. Under the engine's guard, as all
// of this.
void match(PairEnd& end);

// Nobody finds the end any more. If it has not been started it has never been.
void withdraw(PairEnd& end) noexcept;

// Control messages have ended: nobody is told anything.
void end_matching();

} // namespace mpix::partition
