// SPDX-License-Identifier: BSD-3-Clause
//
// See communicators.hpp. The program's variable may be the one that held the parent: it is read
// when the host has written it.
#include "intercept/communicators.hpp"

#include "comm/communicator_id.hpp"
#include "comm/creations.hpp"
#include "intercept/automatic_settings.hpp"

namespace mpix::intercept {
namespace {

// All members of the parent have called.
int noted(int code, MPI_Comm parent, const MPI_Comm* made, int piece = 0) {
    if (code == MPI_SUCCESS) comm::note_creation(parent, *made, piece);
    return code;
}

int noted_pieces(int code, MPI_Comm parent, const MPI_Comm* made) {
    if (code == MPI_SUCCESS) comm::note_pieces(parent, *made);
    return code;
}

} // namespace

int comm_dup(MPI_Comm comm, MPI_Comm* newcomm) {
    return noted(HOST(Comm_dup)(comm, newcomm), comm, newcomm);
}

int comm_dup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm) {
    const int code = noted(HOST(Comm_dup_with_info)(comm, info, newcomm), comm, newcomm);
    if (code == MPI_SUCCESS) heed_info(*newcomm, info);
    return code;
}

int comm_idup(MPI_Comm comm, MPI_Comm* newcomm, MPI_Request* request) {
    comm::Duplication duplication(comm);
    return duplication.end(HOST(Comm_idup)(comm, newcomm, request));
}

int comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm) {
    return noted_pieces(HOST(Comm_create)(comm, group, newcomm), comm, newcomm);
}

int comm_create_group(MPI_Comm comm, MPI_Group group, int tag, MPI_Comm* newcomm) {
    const int code = HOST(Comm_create_group)(comm, group, tag, newcomm);
    if (code == MPI_SUCCESS) comm::note_group(comm, *newcomm);
    return code;
}

int comm_split(MPI_Comm comm, int color, int key, MPI_Comm* newcomm) {
    return noted(HOST(Comm_split)(comm, color, key, newcomm), comm, newcomm, color);
}

int comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info info, MPI_Comm* newcomm) {
    return noted_pieces(HOST(Comm_split_type)(comm, split_type, key, info, newcomm), comm, newcomm);
}

int intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader,
                     int tag, MPI_Comm* newintercomm) {
    const int code = HOST(Intercomm_create)(local_comm, local_leader, peer_comm, remote_leader, tag,
                                            newintercomm);
    if (code == MPI_SUCCESS) comm::note_join(local_comm, *newintercomm);
    return code;
}

int intercomm_merge(MPI_Comm intercomm, int high, MPI_Comm* newintracomm) {
    return noted(HOST(Intercomm_merge)(intercomm, high, newintracomm), intercomm, newintracomm);
}

int cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                MPI_Comm* newcomm) {
    return noted(HOST(Cart_create)(comm, ndims, dims, periods, reorder, newcomm), comm, newcomm);
}

int cart_sub(MPI_Comm comm, const int remain_dims[], MPI_Comm* newcomm) {
    return noted_pieces(HOST(Cart_sub)(comm, remain_dims, newcomm), comm, newcomm);
}

int graph_create(MPI_Comm comm, int nnodes, const int index[], const int edges[], int reorder,
                 MPI_Comm* newcomm) {
    return noted(HOST(Graph_create)(comm, nnodes, index, edges, reorder, newcomm), comm, newcomm);
}

int dist_graph_create(MPI_Comm comm, int n, const int sources[], const int degrees[],
                      const int destinations[], const int weights[], MPI_Info info, int reorder,
                      MPI_Comm* newcomm) {
    return noted(HOST(Dist_graph_create)(comm, n, sources, degrees, destinations, weights, info,
                                         reorder, newcomm),
                 comm, newcomm);
}

int dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int sources[],
                               const int sourceweights[], int outdegree, const int destinations[],
                               const int destweights[], MPI_Info info, int reorder,
                               MPI_Comm* newcomm) {
    return noted(HOST(Dist_graph_create_adjacent)(comm, indegree, sources, sourceweights, outdegree,
                                                  destinations, destweights, info, reorder,
                                                  newcomm),
                 comm, newcomm);
}

#if OFFERS_Comm_idup_with_info
int comm_idup_with_info(MPI_Comm comm, MPI_Info info, MPI_Comm* newcomm, MPI_Request* request) {
    comm::Duplication duplication(comm);
    return duplication.end(HOST(Comm_idup_with_info)(comm, info, newcomm, request));
}
#endif

#if OFFERS_Comm_create_from_group
int comm_create_from_group(MPI_Group group, const char* stringtag, MPI_Info info,
                           MPI_Errhandler errhandler, MPI_Comm* newcomm) {
    const int code = HOST(Comm_create_from_group)(group, stringtag, info, errhandler, newcomm);
    if (code == MPI_SUCCESS) comm::note_origin(*newcomm);
    return code;
}
#endif

#if OFFERS_Intercomm_create_from_groups
int intercomm_create_from_groups(MPI_Group local_group, int local_leader, MPI_Group remote_group,
                                 int remote_leader, const char* stringtag, MPI_Info info,
                                 MPI_Errhandler errhandler, MPI_Comm* newintercomm) {
    const int code =
        HOST(Intercomm_create_from_groups)(local_group, local_leader, remote_group, remote_leader,
                                           stringtag, info, errhandler, newintercomm);
    if (code == MPI_SUCCESS) comm::note_origin(*newintercomm);
    return code;
}
#endif

} // namespace mpix::intercept
