// SPDX-License-Identifier: BSD-3-Clause
// The table of partitioned collectives: how the data flow, how each side is described, and the
// call. Tests walk the table.
#pragma once

#include <stdexcept>
#include <string>

#include "common/check.hpp"

namespace mpitest {

enum class Flow {
    bcast,
    gather,
    scatter,
    allgather,
    alltoall,
    reduce,
    allreduce,
    reduce_scatter,
    scan,
    exscan,
    neighbor_allgather,
    neighbor_alltoall
};

// A side has one segment, segments that are all alike, or arrays, also of datatypes.
enum class Form { one, regular, irregular, wide };

// The arguments for one side, all of them: a row picks what it needs. Where they must not be looked
// at they stay as they are here.
struct PartedSide {
    void* buffer = nullptr;
    int part = -1;
    MPI_Count count = -1;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    bool has_arrays = false;
    std::vector<int> parts;
    std::vector<MPI_Count> counts;
    std::vector<MPI_Aint> displs, offsets; // in elements, in bytes
    std::vector<MPI_Datatype> types;

    template<class T>
    const T* array(const std::vector<T>& of) const {
        return has_arrays ? of.data() : nullptr;
    }
};

struct PartedCall {
    PartedSide send{}, recv{}; // where there is one buffer, the side that this rank has
    MPI_Op op = MPI_OP_NULL;
    int root = 0;
    bool at_root = false;
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Info info = MPI_INFO_NULL;
};

struct Partitioned {
    const char* name;
    Flow flow;
    Form send, recv;
    int (*init)(const PartedCall&, MPI_Request*);

    bool reduces() const { return flow >= Flow::reduce && flow <= Flow::exscan; }
    bool is_neighbor() const { return flow >= Flow::neighbor_allgather; }
    bool has_root() const {
        return flow == Flow::bcast || flow == Flow::gather || flow == Flow::scatter ||
               flow == Flow::reduce;
    }
    bool may_be_in_place() const { return flow != Flow::bcast && !is_neighbor(); }
};

// What a row hands over for a side.
#define MPIX_TEST_ONE(s) s.buffer, s.part, s.count, s.type
#define MPIX_TEST_ARRAYS(s) s.buffer, s.array(s.parts), s.array(s.counts), s.array(s.displs), s.type
#define MPIX_TEST_WIDE(s)                                                                          \
    s.buffer, s.array(s.parts), s.array(s.counts), s.array(s.offsets), s.array(s.types)
#define MPIX_TEST_TAIL c.comm, c.info, r
#define MPIX_TEST_CALL [](const PartedCall& c, MPI_Request* r)

inline const Partitioned partitioned_calls[] = {
    {"Pbcast", Flow::bcast, Form::one, Form::one,
     MPIX_TEST_CALL{const PartedSide& side = c.at_root ? c.send : c.recv;
return MPIX_Pbcast_init(MPIX_TEST_ONE(side), c.root, MPIX_TEST_TAIL);
} // namespace mpitest
}
, {"Pgather", Flow::gather, Form::one, Form::regular,
   MPIX_TEST_CALL{return MPIX_Pgather_init(MPIX_TEST_ONE(c.send), MPIX_TEST_ONE(c.recv), c.root,
                                           MPIX_TEST_TAIL);
}
}
, {"Pgatherv", Flow::gather, Form::one, Form::irregular,
   MPIX_TEST_CALL{return MPIX_Pgatherv_init(MPIX_TEST_ONE(c.send), MPIX_TEST_ARRAYS(c.recv), c.root,
                                            MPIX_TEST_TAIL);
}
}
, {"Pscatter", Flow::scatter, Form::regular, Form::one,
   MPIX_TEST_CALL{return MPIX_Pscatter_init(MPIX_TEST_ONE(c.send), MPIX_TEST_ONE(c.recv), c.root,
                                            MPIX_TEST_TAIL);
}
}
, {"Pscatterv", Flow::scatter, Form::irregular, Form::one,
   MPIX_TEST_CALL{return MPIX_Pscatterv_init(MPIX_TEST_ARRAYS(c.send), MPIX_TEST_ONE(c.recv),
                                             c.root, MPIX_TEST_TAIL);
}
}
, {"Pscatterw", Flow::scatter, Form::wide, Form::one,
   MPIX_TEST_CALL{return MPIX_Pscatterw_init(MPIX_TEST_WIDE(c.send), MPIX_TEST_ONE(c.recv), c.root,
                                             MPIX_TEST_TAIL);
}
}
, {"Pallgather", Flow::allgather, Form::one, Form::regular,
   MPIX_TEST_CALL{
       return MPIX_Pallgather_init(MPIX_TEST_ONE(c.send), MPIX_TEST_ONE(c.recv), MPIX_TEST_TAIL);
}
}
, {"Pallgatherv", Flow::allgather, Form::one, Form::irregular,
   MPIX_TEST_CALL{return MPIX_Pallgatherv_init(MPIX_TEST_ONE(c.send), MPIX_TEST_ARRAYS(c.recv),
                                               MPIX_TEST_TAIL);
}
}
, {"Palltoall", Flow::alltoall, Form::regular, Form::regular,
   MPIX_TEST_CALL{
       return MPIX_Palltoall_init(MPIX_TEST_ONE(c.send), MPIX_TEST_ONE(c.recv), MPIX_TEST_TAIL);
}
}
, {"Palltoallv", Flow::alltoall, Form::irregular, Form::irregular,
   MPIX_TEST_CALL{return MPIX_Palltoallv_init(MPIX_TEST_ARRAYS(c.send), MPIX_TEST_ARRAYS(c.recv),
                                              MPIX_TEST_TAIL);
}
}
, {"Palltoallw", Flow::alltoall, Form::wide, Form::wide,
   MPIX_TEST_CALL{
       return MPIX_Palltoallw_init(MPIX_TEST_WIDE(c.send), MPIX_TEST_WIDE(c.recv), MPIX_TEST_TAIL);
}
}
, {"Preduce", Flow::reduce, Form::one, Form::one,
   MPIX_TEST_CALL{
       return MPIX_Preduce_init(c.send.buffer, MPIX_TEST_ONE(c.recv), c.op, c.root, MPIX_TEST_TAIL);
}
}
, {"Pallreduce", Flow::allreduce, Form::one, Form::one,
   MPIX_TEST_CALL{
       return MPIX_Pallreduce_init(c.send.buffer, MPIX_TEST_ONE(c.recv), c.op, MPIX_TEST_TAIL);
}
}
, {"Preduce_scatter_block", Flow::reduce_scatter, Form::regular, Form::one,
   MPIX_TEST_CALL{return MPIX_Preduce_scatter_block_init(c.send.buffer, MPIX_TEST_ONE(c.recv), c.op,
                                                         MPIX_TEST_TAIL);
}
}
, {"Preduce_scatter", Flow::reduce_scatter, Form::irregular, Form::one,
   MPIX_TEST_CALL{return MPIX_Preduce_scatter_init(
       c.send.buffer, c.recv.buffer, c.send.array(c.send.parts), c.send.array(c.send.counts),
       c.recv.type, c.op, MPIX_TEST_TAIL);
}
}
, {"Pscan", Flow::scan, Form::one, Form::one,
   MPIX_TEST_CALL{
       return MPIX_Pscan_init(c.send.buffer, MPIX_TEST_ONE(c.recv), c.op, MPIX_TEST_TAIL);
}
}
, {"Pexscan", Flow::exscan, Form::one, Form::one,
   MPIX_TEST_CALL{
       return MPIX_Pexscan_init(c.send.buffer, MPIX_TEST_ONE(c.recv), c.op, MPIX_TEST_TAIL);
}
}
, {"Pneighbor_allgather", Flow::neighbor_allgather, Form::one, Form::regular,
   MPIX_TEST_CALL{return MPIX_Pneighbor_allgather_init(MPIX_TEST_ONE(c.send), MPIX_TEST_ONE(c.recv),
                                                       MPIX_TEST_TAIL);
}
}
, {"Pneighbor_allgatherv", Flow::neighbor_allgather, Form::one, Form::irregular,
   MPIX_TEST_CALL{return MPIX_Pneighbor_allgatherv_init(MPIX_TEST_ONE(c.send),
                                                        MPIX_TEST_ARRAYS(c.recv), MPIX_TEST_TAIL);
}
}
, {"Pneighbor_alltoall", Flow::neighbor_alltoall, Form::regular, Form::regular,
   MPIX_TEST_CALL{return MPIX_Pneighbor_alltoall_init(MPIX_TEST_ONE(c.send), MPIX_TEST_ONE(c.recv),
                                                      MPIX_TEST_TAIL);
}
}
, {"Pneighbor_alltoallv", Flow::neighbor_alltoall, Form::irregular, Form::irregular,
   MPIX_TEST_CALL{return MPIX_Pneighbor_alltoallv_init(MPIX_TEST_ARRAYS(c.send),
                                                       MPIX_TEST_ARRAYS(c.recv), MPIX_TEST_TAIL);
}
}
, {"Pneighbor_alltoallw", Flow::neighbor_alltoall, Form::wide, Form::wide,
   MPIX_TEST_CALL{return MPIX_Pneighbor_alltoallw_init(MPIX_TEST_WIDE(c.send),
                                                       MPIX_TEST_WIDE(c.recv), MPIX_TEST_TAIL);
}
}
,
}
;

inline const Partitioned& row_of(const char* name) {
    for (const Partitioned& row : partitioned_calls)
        if (std::string(name) == row.name) return row;
    throw std::logic_error(name);
}

#undef MPIX_TEST_ONE
#undef MPIX_TEST_ARRAYS
#undef MPIX_TEST_WIDE
#undef MPIX_TEST_TAIL
#undef MPIX_TEST_CALL

} // namespace mpitest
