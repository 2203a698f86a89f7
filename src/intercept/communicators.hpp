// SPDX-License-Identifier: BSD-3-Clause
//
// Every call that makes a communicator: the host's, and what it makes is noted, so that all members
// know its number without asking. Not those that join processes which did not begin together.
#pragma once

#include "host/host.hpp"

namespace mpix::intercept {

int comm_dup(MPI_Comm comm, MPI_Comm* newcomm);
int comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm);
int comm_idup(MPI_Comm comm, MPI_Comm* newcomm, MPI_Request* request);
int comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm);
int comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* newcomm);
int comm_split(MPI_Comm comm, int color, int key, MPI_Comm* newcomm);
int comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm);
int intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader,
                     int tag, MPI_Comm* newintercomm);
int intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm* newintracomm);
int cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                MPI_Comm* newcomm);
int cart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm* newcomm);
int graph_create(MPI_Comm comm, int nnodes, const int index[], const int edges[], int reorder,
                 MPI_Comm* newcomm);
int dist_graph_create(MPI_Comm comm, int n, const int sources[], const int degrees[],
                      const int destinations[], const int weights[], MPI_Info info, int reorder,
                      MPI_Comm* newcomm);
int dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int sources[],
                               const int sourceweights[], int outdegree, const int destinations[],
                               const int destweights[], MPI_Info info, int reorder,
                               MPI_Comm* newcomm);

#if OFFERS_Comm_idup_with_info
int comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm, MPI_Request* request);
#endif
#if OFFERS_Comm_create_from_group
int comm_create_from_group(MPI_Group group, const char* stringtag, MPI_Info info,
                           MPI_Errhandler errhandler, MPI_Comm* newcomm);
#endif
#if OFFERS_Intercomm_create_from_groups
int intercomm_create_from_groups(MPI_Group local_group, int local_leader, MPI_Group remote_group,
                                 int remote_leader, const char* stringtag, MPI_Info info,
                                 MPI_Errhandler errhandler, MPI_Comm* newintercomm);
#endif

} // namespace mpix::intercept
