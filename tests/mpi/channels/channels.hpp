// SPDX-License-Identifier: BSD-3-Clause
// The two ends of a channel, each with a buffer of its own that is a ring of slots. What must come
// follows from arithmetic; gaps and margins must not change.
#pragma once

#include <memory>

#include "common/call.hpp"
#include "common/completion.hpp"

namespace mpitest {

enum class Mode { send, bsend, ssend, rsend, recv };

struct Block {
    int count = 1;
    MPI_Datatype type = MPI_INT;

    int ints() const {
        int size = 0;
        MPI_Type_size(type, &size);
        return count * size / static_cast<int>(sizeof(int));
    }
};

// Whom an end is for. What is sent with the same `salt` is the same in each round.
struct Partner {
    int peer = 0;
    int tag = 0;
    MPI_Comm comm = MPI_COMM_WORLD;
    int salt = 0;
};

// How many transfers may be under way, and how far apart they stand, in elements.
struct Slack {
    int slots = 1;
    int increment = 0;
};

inline MPI_Request init_of(Mode mode, void* buffer, const Block& block, const Partner& partner) {
    MPI_Request made = MPI_REQUEST_NULL;
    const auto init = [&](auto call) {
        CHECK_MPI(
            call(buffer, block.count, block.type, partner.peer, partner.tag, partner.comm, &made));
    };
    if (mode == Mode::send) init(MPI_Send_init);
    if (mode == Mode::bsend) init(MPI_Bsend_init);
    if (mode == Mode::ssend) init(MPI_Ssend_init);
    if (mode == Mode::rsend) init(MPI_Rsend_init);
    if (mode == Mode::recv) init(MPI_Recv_init);
    return made;
}

class InfoOf {
  public:
    explicit InfoOf(const Slack& slack) {
        CHECK_MPI(MPI_Info_create(&info));
        if (slack.increment != 0) set("ADDRESS_BASE_INCREMENT", std::to_string(slack.increment));
    }
    ~InfoOf() { CHECK_MPI(MPI_Info_free(&info)); }
    InfoOf(const InfoOf&) = delete;
    InfoOf& operator=(const InfoOf&) = delete;
    void set(const char* key, const std::string& value) {
        CHECK_MPI(MPI_Info_set(info, key, value.c_str()));
    }

    MPI_Info info = MPI_INFO_NULL;
};

class ChannelEnd {
  public:
    ChannelEnd(Mode mode, const Block& block, const Partner& partner, const Slack& slack = {})
        : info(slack), is_sender(mode != Mode::recv), buffer(bytes_of(block, slack)),
          expected_source(partner.peer), expected_tag(partner.tag), block_(block),
          partner_(partner), slack_(slack), wanted_(buffer) {
        buffer.fill_ints(partner.salt + 777, 0);
        wanted_ = buffer;
        in = init_of(mode, at(0, buffer), block, partner);
    }
    ~ChannelEnd() {
        if (out != MPI_REQUEST_NULL) CHECK_MPI(MPIX_Unbind_channel(&out));
        CHECK(out == MPI_REQUEST_NULL);
        if (in != MPI_REQUEST_NULL) CHECK_MPI(MPI_Request_free(&in));
    }
    ChannelEnd(const ChannelEnd&) = delete;
    ChannelEnd& operator=(const ChannelEnd&) = delete;

    void bind() {
        if (slack_.slots == 1 && slack_.increment == 0)
            CHECK_MPI(MPIX_Bind_channel(in, &out, info.info));
        else
            CHECK_MPI(MPIX_Bind_slack_channel(in, &out, slack_.slots, info.info));
    }
    const Partner& partner() const { return partner_; }
    const Slack& slack() const { return slack_; }

    // For the next start: the data of a sender.
    void prepare() {
        if (is_sender) write(started_, buffer);
        started_++;
    }
    void start() {
        prepare();
        CHECK_MPI(MPI_Start(&out));
    }
    // The oldest is complete.
    void check(const MPI_Status& status) {
        CHECK(status.MPI_ERROR == untouched_error);
        if (!is_sender) check_partner(status);
        check_data();
    }
    void check_data() {
        if (!is_sender) {
            write(done_, wanted_);
            CHECK(read(done_) == data(done_));
        }
        done_++;
    }
    void check_partner(const MPI_Status& status) const {
        int ints = -1;
        CHECK_MPI(MPI_Get_count(&status, MPI_INT, &ints));
        CHECK(ints == block_.ints());
        CHECK(status.MPI_SOURCE == expected_source);
        CHECK(status.MPI_TAG == expected_tag);
    }
    void wait() {
        MPI_Status status = spoiled_status();
        CHECK_MPI(MPI_Wait(&out, &status));
        check(status);
    }
    bool test() {
        MPI_Status status = spoiled_status();
        int flag = -1;
        CHECK_MPI(MPI_Test(&out, &flag, &status));
        if (flag) check(status);
        return flag != 0;
    }
    int started() const { return started_; }
    int done() const { return done_; }
    int under_way() const { return started_ - done_; }
    // Nothing is under way: what must not have been touched has not been.
    void check_all() {
        if (!is_sender) CHECK(difference(wanted_, buffer) == "");
    }

    InfoOf info;
    const bool is_sender;
    Buffer buffer;
    MPI_Request in = MPI_REQUEST_NULL, out = MPI_REQUEST_NULL;
    int expected_source, expected_tag; // of a receiver's statuses

  private:
    static std::size_t bytes_of(const Block& block, const Slack& slack) {
        const Extent extent = extent_of(block.type);
        const auto moves = static_cast<std::size_t>(std::abs(slack.increment)) *
                           static_cast<std::size_t>(slack.slots);
        return extent.step * (static_cast<std::size_t>(block.count) + moves) + extent.slack;
    }
    void* at(int round, Buffer& in_buffer) const {
        const auto step = static_cast<long>(extent_of(block_.type).step);
        const long slot = round % slack_.slots;
        const long first = slack_.increment < 0 ? -slack_.increment * (slack_.slots - 1L) : 0;
        return in_buffer.as<char>() + (first + slot * slack_.increment) * step;
    }
    std::vector<int> data(int round) const {
        std::vector<int> all(static_cast<std::size_t>(block_.ints()));
        for (std::size_t i = 0; i < all.size(); i++) all[i] = value_at(partner_.salt, round, i);
        return all;
    }
    void write(int round, Buffer& into) const {
        const std::vector<int> from = data(round);
        const int bytes = static_cast<int>(from.size() * sizeof(int));
        int position = 0;
        if (bytes > 0)
            CHECK_MPI(MPI_Unpack(from.data(), bytes, &position, at(round, into), block_.count,
                                 block_.type, MPI_COMM_SELF));
    }
    std::vector<int> read(int round) {
        std::vector<int> into(static_cast<std::size_t>(block_.ints()));
        int position = 0;
        if (!into.empty())
            CHECK_MPI(MPI_Pack(at(round, buffer), block_.count, block_.type, into.data(),
                               static_cast<int>(into.size() * sizeof(int)), &position,
                               MPI_COMM_SELF));
        return into;
    }

    const Block block_;
    const Partner partner_;
    const Slack slack_;
    Buffer wanted_; // the receiver's buffer as it must be in the end
    int started_ = 0, done_ = 0;
};

using Ends = std::vector<std::unique_ptr<ChannelEnd>>;

// All at once, in the order that they have here.
inline void bind_all(const Ends& ends) {
    std::vector<MPI_Request> in, out(ends.size(), MPI_REQUEST_NULL);
    std::vector<MPI_Info> infos;
    std::vector<int> slots;
    for (const auto& end : ends) {
        in.push_back(end->in);
        infos.push_back(end->info.info);
        slots.push_back(end->slack().slots);
    }
    CHECK_MPI(MPIX_Bind_slack_channels(in.data(), out.data(), static_cast<int>(ends.size()),
                                       slots.data(), infos.data()));
    for (std::size_t i = 0; i < ends.size(); i++) ends[i]->out = out[i];
}

// Receivers first: they are ready then.
inline void run_rounds(const Ends& ends, int rounds) {
    for (int round = 0; round < rounds; round++) {
        for (const bool sends : {false, true}) {
            for (const auto& end : ends)
                if (end->is_sender == sends) end->start();
            if (!sends) MPI_Barrier(MPI_COMM_WORLD);
        }
        for (const auto& end : ends) end->wait();
    }
    for (const auto& end : ends) end->check_all();
}

struct Neighbours {
    int me = rank_of(), ranks = size_of();
    int next = (me + 1) % ranks, previous = (me + ranks - 1) % ranks;
};

// A channel to the next rank and one from the previous.
inline Ends ring(Mode mode, const Block& send, const Block& recv, const Slack& send_slack = {},
                 const Slack& recv_slack = {}) {
    const Neighbours near;
    Ends ends;
    ends.push_back(std::make_unique<ChannelEnd>(
        mode, send, Partner{near.next, 5, MPI_COMM_WORLD, near.me}, send_slack));
    ends.push_back(std::make_unique<ChannelEnd>(
        Mode::recv, recv, Partner{near.previous, 5, MPI_COMM_WORLD, near.previous}, recv_slack));
    return ends;
}

} // namespace mpitest
