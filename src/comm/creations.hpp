// SPDX-License-Identifier: BSD-3-Clause
//
// How communicators get their identities: what is noted when the host has made one. `made` is null
// on ranks that it leaves out. Nothing of it communicates, except where the comment says so, and
// nothing fails: without memory a communicator just has no identity.
#pragma once

#include "comm/control_communicator.hpp"
#include "host/host.hpp"

#include <cstdint>
#include <memory>

namespace mpix::comm {

// MPI has begun: creations are noted from now on.
void begin_creations();

// Makes the control communicator of the world, and the identities of MPI_COMM_WORLD and
// MPI_COMM_SELF. Collective, when nothing hangs on the first yet.
void note_world() noexcept;

// Null if there is none.
const std::shared_ptr<ControlCommunicator>& control_of_all();
MPI_Comm control_of_world();

// Before the host ends: the control communicator is freed, and nothing is noted any more.
void end_creations();

bool notes_creations();

// By a call that all members of the parent make. Those that get the same communicator give the same
// piece; where they do not know which they got, note_pieces finds out by its first process.
void note_creation(MPI_Comm parent, MPI_Comm made, std::int64_t piece = 0) noexcept;
void note_pieces(MPI_Comm parent, MPI_Comm made) noexcept;

// MPI_Comm_create_group: the others of the parent do not know of it. Collective over `made`.
void note_group(MPI_Comm parent, MPI_Comm made) noexcept;

// MPI_Intercomm_create: the two sides need not have a communicator in common. Collective over
// `made`.
void note_join(MPI_Comm local, MPI_Comm made) noexcept;

// Out of a session: it is made of no communicator. Collective over `made`.
void note_origin(MPI_Comm made) noexcept;

} // namespace mpix::comm
