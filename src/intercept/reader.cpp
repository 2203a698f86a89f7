// SPDX-License-Identifier: BSD-3-Clause
//
// The checks.
#include "intercept/reader.hpp"

#include "collective/neighborhood.hpp"
#include "collective/overlaps.hpp"
#include "datatype/ops.hpp"
#include "intercept/errors.hpp"
#include "library/info_keys.hpp"
#include "progress/binding.hpp"

#include <climits>
#include <cstdlib>

namespace mpix::intercept {

void Reader::reject(int error_class, const std::string& text) const {
    intercept::reject(error_class, std::string(name_) + ": " + text);
}

void Reader::reject_null_array(SideNames names) const {
    reject(MPI_ERR_ARG, std::string(names.count) + "s, displacements or types are null");
}

Reader::Reader(plan::Call call, MPI_Comm comm, const MPI_Request* request) : name_(name(call)) {
    const Collective collective = call.collective;
    arguments.collective = collective;
    arguments.is_partitioned = call.is_partitioned;
    communicator(comm, request);
    if (plan::is_neighbor(collective)) neighbors();
    const bool scans = collective == Collective::scan || collective == Collective::exscan;
    if (is_inter_ && (scans || call.is_partitioned))
        reject(MPI_ERR_COMM, "comm is an intercommunicator");
}

Reader::Reader(const char* name, MPI_Comm comm, const MPI_Request* request) : name_(name) {
    arguments.is_partitioned = true;
    communicator(comm, request);
}

void Reader::communicator(MPI_Comm comm, const MPI_Request* request) {
    arguments.comm = comm;
    if (comm == MPI_COMM_NULL) reject(MPI_ERR_COMM, "comm is MPI_COMM_NULL");
    if (!request) reject(MPI_ERR_ARG, "request is null");
    int rank = 0, ranks = 1, segments = 1, inter = 0;
    host::check_raised(HOST(Comm_test_inter)(comm, &inter));
    host::check_raised(HOST(Comm_rank)(comm, &rank));
    host::check_raised(inter ? HOST(Comm_remote_size)(comm, &ranks)
                             : HOST(Comm_size)(comm, &ranks));
    host::check_raised(HOST(Comm_size)(comm, &segments));
    segments_ = static_cast<std::size_t>(segments);
    rank_ = static_cast<std::size_t>(rank);
    ranks_ = static_cast<std::size_t>(ranks);
    is_inter_ = inter != 0;
    host::make_self(comm);
}

void Reader::peer(const char* name, int peer) {
    if (peer == MPI_PROC_NULL || (peer >= 0 && peer < static_cast<int>(ranks_))) return;
    if (peer == MPI_ANY_SOURCE) reject(MPI_ERR_RANK, std::string(name) + " is MPI_ANY_SOURCE");
    reject(MPI_ERR_RANK, std::string(name) + " is " + std::to_string(peer) + ", must be in 0 to " +
                             std::to_string(ranks_ - 1));
}

void Reader::tag(int tag) {
    const int limit = host::tag_limit(arguments.comm);
    if (tag == MPI_ANY_TAG) reject(MPI_ERR_TAG, "tag is MPI_ANY_TAG");
    if (tag < 0 || tag > limit)
        reject(MPI_ERR_TAG,
               "tag is " + std::to_string(tag) + ", must be in 0 to " + std::to_string(limit));
}

void Reader::neighbors() {
    int topology = MPI_UNDEFINED;
    if (!is_inter_) host::check_raised(HOST(Topo_test)(arguments.comm, &topology));
    if (topology == MPI_UNDEFINED) reject(MPI_ERR_TOPOLOGY, "comm has no process topology");
    const collective::Neighborhood near = collective::neighborhood(arguments.comm);
    indegree_ = near.indegree;
    outdegree_ = near.outdegree;
}

bool Reader::is_root() const {
    return is_inter_ ? arguments.root == MPI_ROOT : arguments.root == static_cast<int>(rank_);
}

bool Reader::sends_to_root() const { return !is_inter_ || arguments.root >= 0; }

void Reader::root(int root) {
    arguments.root = root;
    if (is_inter_ && (root == MPI_ROOT || root == MPI_PROC_NULL)) return;
    if (root < 0 || root >= static_cast<int>(ranks_))
        reject(MPI_ERR_ROOT, "root is " + std::to_string(root) + ", must be in 0 to " +
                                 std::to_string(ranks_ - 1));
}

void Reader::op(MPI_Op op) {
    if (op == MPI_OP_NULL) reject(MPI_ERR_OP, "op is MPI_OP_NULL");
    arguments.op = op;
    const auto& types = arguments.recv.types.empty() ? arguments.send.types : arguments.recv.types;
    if (types.empty() || !datatype::is_predefined_op(op)) return;
    // Only the host knows which types an operation is defined on: it is asked to reduce none.
    char byte[2] = {};
    MPI_Request probe = MPI_REQUEST_NULL;
    if (HOST(Iallreduce)(&byte[0], &byte[1], 0, types[0], op, host::self(), &probe) != MPI_SUCCESS)
        reject(MPI_ERR_OP, "op is not defined on datatype");
    HOST(Wait)(&probe, MPI_STATUS_IGNORE);
}

void Reader::side(Side& into, SideNames names, const void* buffer, std::int64_t count,
                  MPI_Datatype type) {
    into.buffer = address(names, buffer);
    into.counts = {count};
    into.types = {type};
    check_side(into, names);
}

// What all partitions of each block count together.
collective::OfBlocks<MPI_Count> Reader::whole_counts(Side& into, SideNames names,
                                                     std::span<const int> parts,
                                                     std::span<const MPI_Count> counts,
                                                     bool is_array) const {
    collective::OfBlocks<MPI_Count> whole(counts.begin(), counts.end());
    for (std::size_t i = 0; i < whole.size(); ++i) {
        std::string index;
        if (is_array) index.append("[").append(std::to_string(i)).append("]");
        if (parts[i] < 1)
            reject(MPI_ERR_ARG, "partitions" + index + " of " + names.buffer + " is " +
                                    std::to_string(parts[i]) + ", must be at least 1");
        if (whole[i] > 0 && __builtin_mul_overflow(whole[i], parts[i], &whole[i]))
            reject(MPI_ERR_COUNT, std::string(names.count) + index + " is " +
                                      std::to_string(counts[i]) + ", too many elements");
    }
    into.parts.assign(parts.begin(), parts.end());
    return whole;
}

void Reader::parted_side(Side& into, SideNames names, const void* buffer, int parts,
                         MPI_Count count, MPI_Datatype type) {
    const auto whole = whole_counts(into, names, {&parts, 1}, {&count, 1}, false);
    side(into, names, buffer, whole[0], type);
}

void Reader::parted_side(Side& into, SideNames names, const void* buffer, std::size_t blocks,
                         const int parts[], const MPI_Count counts[],
                         const MPI_Aint displacements[], std::span<const MPI_Datatype> types) {
    if (blocks > 0 && (!parts || !counts)) reject(MPI_ERR_ARG, "partitions or counts are null");
    const auto whole = whole_counts(into, names, {parts, blocks}, {counts, blocks}, true);
    fill(into, names, buffer, blocks, whole.data(), displacements, types);
    watch(names.parts, std::span(parts, blocks));
    watch(names.counts, std::span(counts, blocks));
}

void Reader::parted_segments(Side& into, const void* buffer, const int parts[],
                             const MPI_Count counts[], MPI_Datatype type) {
    if (!parts || !counts) reject(MPI_ERR_ARG, "partitions or recvcounts are null");
    const auto whole =
        whole_counts(into, recv_names, {parts, segments_}, {counts, segments_}, true);
    fill_segments(into, buffer, whole.data(), type);
    watch("partitions", std::span(parts, segments_));
    watch("recvcounts", std::span(counts, segments_));
}

bool Reader::in_place(Side& into, SideNames names, const void* buffer, bool allowed) {
    if (buffer != MPI_IN_PLACE) return false;
    if (!allowed || is_inter_)
        reject(MPI_ERR_BUFFER, std::string(names.buffer) + " is MPI_IN_PLACE, not allowed here");
    into.in_place = true;
    return true;
}

std::byte* Reader::address(SideNames names, const void* buffer) const {
    if (buffer == MPI_IN_PLACE)
        reject(MPI_ERR_BUFFER, std::string(names.buffer) + " is MPI_IN_PLACE, not allowed here");
    return static_cast<std::byte*>(const_cast<void*>(buffer));
}

void Reader::check_side(const Side& side, SideNames names, const char* plural) const {
    for (std::size_t i = 0; i < side.counts.size(); ++i) {
        if (side.counts[i] >= 0) continue;
        const std::string index = *plural ? "[" + std::to_string(i) + "]" : "";
        reject(MPI_ERR_COUNT, std::string(names.count) + plural + index + " is " +
                                  std::to_string(side.counts[i]) + ", must not be negative");
    }
    for (const MPI_Datatype type : side.types) check_type(type, names);
    for (std::size_t i = 0; i < side.counts.size(); ++i) check_bytes(side, i, names);
}

void Reader::check_blocks() const {
    if (!base::settings().MPIX_CHECK) return;
    if (const std::string found = collective::overlapping_blocks(arguments); !found.empty())
        reject(MPI_ERR_BUFFER, found);
}

// All blocks together must be countable in bytes.
void Reader::check_bytes(const Side& side, std::size_t i, SideNames names) const {
    if (side.counts[i] <= INT_MAX) return;
    MPI_Aint lb = 0, extent = 0;
    MPI_Count size = 0;
    host::check(HOST(Type_size_x)(side.type(i), &size));
    host::check(HOST(Type_get_extent)(side.type(i), &lb, &extent));
    const std::int64_t each = std::max<std::int64_t>(size, std::abs(extent));
    std::int64_t bytes = 0;
    if (__builtin_mul_overflow(side.counts[i], each, &bytes) ||
        __builtin_mul_overflow(bytes, static_cast<std::int64_t>(ranks_) + 1, &bytes))
        reject(MPI_ERR_COUNT, std::string(names.count) + " is " + std::to_string(side.counts[i]) +
                                  ", too many bytes");
}

// Only the host knows whether a type is committed: it is asked to pack none of it.
void Reader::check_type(MPI_Datatype type, SideNames names) const {
    if (type == MPI_DATATYPE_NULL)
        reject(MPI_ERR_TYPE, std::string(names.type) + " is MPI_DATATYPE_NULL");
    char byte = 0;
    int position = 0;
    if (HOST(Pack)(&byte, 0, type, &byte, 1, &position, host::self()) != MPI_SUCCESS)
        reject(MPI_ERR_TYPE, std::string(names.type) + " is not a committed datatype");
}

namespace {

// What an info comes to, for a reduction or another operation.
struct Wanted {
    bool over_host;
    comm::RequestedSolver requested_solver;
    collective::PartitionHints parted;

    Wanted(const library::Hints& hints, bool is_reduction)
        : over_host(hints.mpix_transport == "host"),
          requested_solver(comm::find_requested_solver(hints.mpix_plan)) {
        parted.min_message = library::number_of(hints.mpix_min_message_bytes);
        parted.max_messages = library::number_of(hints.mpix_max_messages);
        parted.all_send_same = hints.MPIX_ALL_SEND_PARTITIONS_SAME == "true";
        parted.all_recv_same = hints.MPIX_ALL_RECV_PARTITIONS_SAME == "true";
        parted.each_pair_same = hints.MPIX_EACH_PARTITION_PAIR_SAME == "true";
        parted.is_root_unknown = (is_reduction ? hints.MPIX_PREDUCE_ROOT_PART_UNKNOWN
                                               : hints.MPIX_PBCAST_ROOT_PART_UNKNOWN) == "true";
        parted.are_others_same = (is_reduction ? hints.MPIX_PREDUCE_NONROOT_ALL_PART_SAME
                                               : hints.MPIX_PBCAST_LEAVES_ALL_PART_SAME) == "true";
    }
};

Wanted wanted(MPI_Info info, bool is_reduction) {
    if (info != MPI_INFO_NULL) return Wanted(library::read_hints(info), is_reduction);
    static const Wanted presets[] = {{library::Hints(), false}, {library::Hints(), true}};
    return presets[is_reduction];
}

} // namespace

void Reader::hints(MPI_Info info) {
    const Wanted hints = wanted(info, plan::is_reduction(arguments.collective));
    arguments.over_host = hints.over_host;
    arguments.requested_solver = hints.requested_solver;
    if (arguments.is_partitioned) arguments.hints = hints.parted;
}

} // namespace mpix::intercept
