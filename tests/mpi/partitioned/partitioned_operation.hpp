// SPDX-License-Identifier: BSD-3-Clause
// A partitioned collective with buffers of its own and the data of a round. A partition is written
// right before it is marked; what must have come follows from arithmetic, gaps and margins too.
#pragma once

#include <list>
#include <random>

#include "partitioned/partitioned_shapes.hpp"

namespace mpitest {

using Stream = std::vector<int>;

// A partition of one side of this rank.
struct Part {
    int segment, index, linear;
};

// Where a segment stands: a block of partitions.
struct Block {
    Buffer* buffer = nullptr;
    std::size_t offset = 0;
    Side side{};
    Shape shape{};

    int elements() const { return shape.per_part() * side.scale; } // of a partition
    std::size_t bytes() const {
        return static_cast<std::size_t>(elements() * shape.parts) * extent_of(side.type).step;
    }
    char* at(int part, Buffer& in) const {
        const auto step = extent_of(side.type).step;
        return in.as<char>() + offset + static_cast<std::size_t>(part * elements()) * step;
    }
    int ints() const { // of a partition
        int size = 0;
        MPI_Type_size(side.type, &size);
        return elements() * size / static_cast<int>(sizeof(int));
    }
};

inline Stream slice(const Stream& stream, int part, int ints) {
    return {stream.begin() + part * ints, stream.begin() + (part + 1) * ints};
}

// The data of a partition, by the host's packing.
inline void write_part(const Block& block, int part, const Stream& data, Buffer& into) {
    const int bytes = static_cast<int>(data.size() * sizeof(int));
    std::vector<char> packed(static_cast<std::size_t>(bytes) + 64);
    int end = 0, read = 0;
    MPI_Pack(data.data(), static_cast<int>(data.size()), MPI_INT, packed.data(), bytes + 64, &end,
             MPI_COMM_SELF);
    MPI_Unpack(packed.data(), end, &read, block.at(part, into), block.elements(), block.side.type,
               MPI_COMM_SELF);
}

inline Stream read_part(const Block& block, int part, Buffer& from) {
    Stream data(static_cast<std::size_t>(block.ints()));
    const int bytes = static_cast<int>(data.size() * sizeof(int));
    std::vector<char> packed(static_cast<std::size_t>(bytes) + 64);
    int end = 0, read = 0;
    MPI_Pack(block.at(part, from), block.elements(), block.side.type, packed.data(), bytes + 64,
             &end, MPI_COMM_SELF);
    MPI_Unpack(packed.data(), end, &read, data.data(), static_cast<int>(data.size()), MPI_INT,
               MPI_COMM_SELF);
    return data;
}

class PartedOperation {
  public:
    explicit PartedOperation(const PartedCase& of);
    PartedOperation(const PartedOperation&) = delete;
    PartedOperation& operator=(const PartedOperation&) = delete;
    ~PartedOperation() {
        if (request != MPI_REQUEST_NULL) free_request(request);
    }

    std::string text() const;
    const Shapes& shapes() const { return shapes_; }
    const PartedCase& about() const { return case_; }
    const std::vector<Part>& sends() const { return sends_; }
    const std::vector<Part>& receives() const { return receives_; }

    // Gives it other buffers, with what is in the old ones; these.
    std::vector<Buffer> rebind();
    // Between rounds: everything is overwritten. Does not start the request.
    void begin(int round);
    void start(int round) {
        begin(round);
        CHECK_MPI(MPI_Start(&request));
    }
    // Right before it is marked.
    void write(const Part& part);
    // "" if what must have arrived stands there.
    std::string arrival_error(const Part& part);
    // After completion: everything, and what must not have been touched.
    void check();

    MPI_Request request = MPI_REQUEST_NULL;

  private:
    using Blocks = std::vector<Block>;

    void lay_out(Blocks& blocks, Form form, Buffer*& buffer, const std::vector<Side>& sides,
                 bool backwards);
    void describe(PartedSide& side, const Blocks& blocks, Form form) const;
    void make_blocks();
    void share_blocks();
    PartedCall call() const;
    MPI_Info info() const;
    void init(PartedCall call);
    Stream stream(Sent from) const;
    Stream expected(int segment) const;
    std::size_t compared() const;

    const PartedCase case_;
    const Shapes shapes_;
    std::list<Buffer> buffers_;
    Buffer *send_buffer_ = nullptr, *recv_buffer_ = nullptr;
    Blocks send_, recv_;
    std::vector<Part> sends_, receives_;
    std::vector<Stream> own_, expected_; // of each segment that is sent, received
    std::vector<Buffer> wanted_;         // the buffers as they must be in the end
    int round_ = 0;
};

inline std::vector<Part> parts_of(const std::vector<Block>& blocks) {
    std::vector<Part> parts;
    for (std::size_t s = 0; s < blocks.size(); s++)
        for (int k = 0; k < blocks[s].shape.parts; k++)
            parts.push_back({static_cast<int>(s), k, static_cast<int>(parts.size())});
    return parts;
}

// A reduction has one datatype.
inline PartedCase with_one_type(PartedCase of) {
    if (of.row->reduces()) of.recv = of.send;
    return of;
}

inline PartedOperation::PartedOperation(const PartedCase& of)
    : case_(with_one_type(of)), shapes_(case_) {
    make_blocks();
    sends_ = parts_of(send_);
    receives_ = parts_of(recv_);
    begin(-1);
    init(call());
}

inline MPI_Info PartedOperation::info() const {
    auto keys = case_.info;
    const std::string least = std::to_string(case_.least), most = std::to_string(case_.most);
    if (case_.least > 0) keys.push_back({"mpix_min_message_bytes", least.c_str()});
    if (case_.most > 0) keys.push_back({"mpix_max_messages", most.c_str()});
    MPI_Info info = MPI_INFO_NULL;
    if (!keys.empty()) MPI_Info_create(&info);
    for (const auto& [key, value] : keys) MPI_Info_set(info, key, value);
    return info;
}

// What it is given is the program's again afterwards.
inline void PartedOperation::init(PartedCall call) {
    std::list<Type> copies;
    const auto copy = [&](MPI_Datatype& type) {
        if (type == MPI_DATATYPE_NULL || type == MPI_INT) return;
        MPI_Datatype made = MPI_DATATYPE_NULL;
        MPI_Type_dup(type, &made);
        type = copies.emplace_back(made);
    };
    call.info = info();
    if (case_.frees_early) {
        MPI_Comm_dup(case_.comm, &call.comm);
        for (PartedSide* side : {&call.send, &call.recv}) {
            copy(side->type);
            for (MPI_Datatype& type : side->types) copy(type);
        }
    }
    CHECK_MPI(case_.row->init(call, &request));
    if (call.info != MPI_INFO_NULL) MPI_Info_free(&call.info);
    for (PartedSide* side : {&call.send, &call.recv}) {
        std::fill(side->parts.begin(), side->parts.end(), -3);
        std::fill(side->counts.begin(), side->counts.end(), -3);
        std::fill(side->displs.begin(), side->displs.end(), -3);
        std::fill(side->offsets.begin(), side->offsets.end(), -3);
        std::fill(side->types.begin(), side->types.end(), MPI_DATATYPE_NULL);
    }
    if (case_.frees_early) MPI_Comm_free(&call.comm);
}

inline std::vector<Buffer> PartedOperation::rebind() {
    std::vector<Buffer> old;
    for (Buffer& buffer : buffers_) old.push_back(std::exchange(buffer, Buffer(buffer)));
    const PartedCall now = call();
    CHECK_MPI(MPIX_Request_rebind(request, now.send.buffer, now.recv.buffer));
    return old;
}

inline std::string PartedOperation::text() const {
    return std::string(case_.row->name) + ", granules " + std::to_string(case_.granules) +
           ", root " + std::to_string(case_.root) + ", seed " + std::to_string(case_.seed) +
           (case_.in_place ? ", in place" : "");
}

// Arrays place segments with holes, also backwards; the others one after the other.
inline void PartedOperation::lay_out(Blocks& blocks, Form form, Buffer*& buffer,
                                     const std::vector<Side>& sides, bool backwards) {
    const bool has_displacements =
        form >= Form::irregular && case_.row->flow != Flow::reduce_scatter;
    std::size_t at = 0, slack = 0, unit = 1;
    for (const Side& side : sides) {
        slack = std::max(slack, extent_of(side.type).slack);
        unit = std::lcm(unit, extent_of(side.type).step);
    }
    for (std::size_t i = 0; i < blocks.size(); i++) {
        Block& block = blocks[backwards && has_displacements ? blocks.size() - 1 - i : i];
        block.offset = at;
        at += block.bytes();
        if (has_displacements) at = (at / unit + 2) * unit;
    }
    buffer = &buffers_.emplace_back(at + slack);
    for (Block& block : blocks) block.buffer = buffer;
}

inline void PartedOperation::make_blocks() {
    const bool varies = case_.row->send == Form::wide; // and so do the types
    const auto side_of = [&](const std::vector<Side>& sides, int segment, bool wide) {
        return sides[wide ? static_cast<std::size_t>(segment) % sides.size() : 0];
    };
    for (int s = 0; s < shapes_.segments_sent(); s++)
        send_.push_back(
            {.side = side_of(case_.send, s, varies), .shape = shapes_.sent(shapes_.me(), s)});
    for (int s = 0; s < shapes_.segments_received(); s++)
        recv_.push_back({.side = side_of(case_.recv, s, case_.row->recv == Form::wide),
                         .shape = shapes_.received(s)});
    lay_out(send_, case_.row->send, send_buffer_, case_.send, false);
    lay_out(recv_, case_.row->recv, recv_buffer_, case_.recv, true);
    if (case_.in_place) share_blocks();
}

// What is in place stands where the other side has it.
inline void PartedOperation::share_blocks() {
    const Flow flow = case_.row->flow;
    const auto me = static_cast<std::size_t>(shapes_.me());
    const bool is_rooted = case_.row->has_root();
    if (is_rooted && !shapes_.at_root()) return;
    if (flow == Flow::scatter) recv_[0] = send_[me];
    if (flow == Flow::gather || flow == Flow::allgather) send_[0] = recv_[me];
    if (flow == Flow::alltoall) send_ = recv_;
    if (!case_.row->reduces()) return;
    recv_buffer_ = send_buffer_; // the larger one
    recv_[0].buffer = send_buffer_;
}

inline void PartedOperation::describe(PartedSide& side, const Blocks& blocks, Form form) const {
    if (form >= Form::irregular) {
        side.has_arrays = true;
        for (const Block& block : blocks) {
            side.parts.push_back(block.shape.parts);
            side.counts.push_back(block.elements());
            side.displs.push_back(
                static_cast<MPI_Aint>(block.offset / extent_of(block.side.type).step));
            side.offsets.push_back(static_cast<MPI_Aint>(block.offset));
            side.types.push_back(block.side.type);
        }
    } else if (!blocks.empty()) {
        side.part = blocks[0].shape.parts;
        side.count = blocks[0].elements();
    }
    side.type = blocks.empty() ? MPI_INT : blocks[0].side.type;
}

// What is not significant stays invalid.
inline PartedCall PartedOperation::call() const {
    PartedCall call{
        .op = case_.op, .root = case_.root, .at_root = shapes_.at_root(), .comm = case_.comm};
    const Flow flow = case_.row->flow;
    const bool in_place = case_.in_place && (!case_.row->has_root() || call.at_root);
    const bool sends = !send_.empty() || case_.row->is_neighbor();
    const bool receives = !recv_.empty() || case_.row->is_neighbor();
    if (sends && (!in_place || flow == Flow::scatter || case_.row->reduces()))
        describe(call.send, send_, case_.row->send);
    if (receives && !(in_place && flow == Flow::scatter))
        describe(call.recv, recv_, case_.row->recv);
    if (sends) call.send.buffer = send_buffer_->data();
    if (receives) call.recv.buffer = recv_buffer_->data();
    if (in_place) (flow == Flow::scatter ? call.recv : call.send).buffer = MPI_IN_PLACE;
    if (flow == Flow::reduce && !receives) describe(call.recv, send_, Form::one);
    if (case_.row->is_neighbor() && send_.empty()) {
        call.send.part = 3; // of no segment, but it must be valid
        call.send.count = 0;
    }
    if (case_.row->is_neighbor() && recv_.empty()) {
        call.recv.part = 3;
        call.recv.count = 0;
    }
    return call;
}

inline Stream PartedOperation::stream(Sent from) const {
    int ints = 0;
    MPI_Type_size(case_.send[0].type, &ints);
    ints = ints / static_cast<int>(sizeof(int)) * case_.send[0].scale;
    Stream data(static_cast<std::size_t>(shapes_.sent(from.rank, from.segment).units * ints));
    for (std::size_t i = 0; i < data.size(); i++)
        data[i] = value_at(from.rank * 64 + from.segment, round_, i);
    return data;
}

inline Stream PartedOperation::expected(int segment) const {
    Stream result;
    for (const Sent& from : shapes_.sources(segment)) {
        Stream next = stream(from);
        if (!result.empty()) case_.fold(result, next);
        result = std::move(next);
    }
    return result;
}

inline void PartedOperation::begin(int round) {
    round_ = round;
    wanted_.clear();
    int salt = 0;
    for (Buffer& buffer : buffers_) {
        buffer.fill_ints(shapes_.me() + 1000 * ++salt, round);
        wanted_.push_back(buffer);
    }
    const auto want = [&](const Block& block, const Stream& all) {
        std::size_t number = 0;
        for (Buffer& buffer : buffers_) {
            if (&buffer == block.buffer)
                for (int k = 0; k < block.shape.parts && !all.empty(); k++)
                    write_part(block, k, slice(all, k, block.ints()), wanted_[number]);
            number++;
        }
    };
    own_.clear(), expected_.clear();
    for (std::size_t s = 0; s < send_.size(); s++) {
        own_.push_back(stream({shapes_.me(), static_cast<int>(s)}));
        want(send_[s], own_.back());
    }
    for (std::size_t s = 0; s < recv_.size(); s++) {
        expected_.push_back(expected(static_cast<int>(s)));
        want(recv_[s], expected_.back());
    }
}

inline void PartedOperation::write(const Part& part) {
    const Block& block = send_[static_cast<std::size_t>(part.segment)];
    const Stream& all = own_[static_cast<std::size_t>(part.segment)];
    write_part(block, part.index, slice(all, part.index, block.ints()), *block.buffer);
}

inline std::string PartedOperation::arrival_error(const Part& part) {
    const Block& block = recv_[static_cast<std::size_t>(part.segment)];
    const Stream& all = expected_[static_cast<std::size_t>(part.segment)];
    if (all.empty()) return "";
    const std::string wrong = difference(slice(all, part.index, block.ints()),
                                         read_part(block, part.index, *block.buffer));
    if (wrong.empty()) return "";
    return "partition " + std::to_string(part.index) + " of segment " +
           std::to_string(part.segment) + ": " + wrong;
}

// Of the buffer of a reduce_scatter in place only the result is defined.
inline std::size_t PartedOperation::compared() const {
    if (!case_.in_place || case_.row->flow != Flow::reduce_scatter) return SIZE_MAX;
    return Buffer::margin + recv_[0].bytes();
}

inline void PartedOperation::check() {
    std::size_t number = 0;
    for (Buffer& buffer : buffers_) {
        INFO((&buffer == recv_buffer_ ? "what is received" : "what is sent"));
        CHECK(difference(wanted_[number++], buffer, compared()) == "");
    }
}

} // namespace mpitest
