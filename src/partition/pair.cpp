// SPDX-License-Identifier: BSD-3-Clause
//
// From arguments to an end, and from that to its operation.
#include "partition/pair.hpp"

#include "host/failure.hpp"
#include "partition/matching.hpp"
#include "progress/engine.hpp"
#include "progress/host_progress.hpp"

#include <utility>

namespace mpix::partition {
namespace {

progress::About about(const PairArguments& pair, std::shared_ptr<PairEnd> end) {
    const collective::Side& side = pair.sends ? pair.arguments.send : pair.arguments.recv;
    const auto numbers = Numbering::of_one(side.part_count(0), pair.peer);
    progress::About about{.name = pair.name, .error_communicator = end->shared_identity()};
    about.references.keep_type(side.type(0));
    about.buffers = collective::buffers_of(pair.arguments);
    about.partitions = std::make_unique<progress::Partitions>(pair.sends ? numbers : Numbering(),
                                                              pair.sends ? Numbering() : numbers);
    if (!pair.sends) {
        about.envelope = pair.peer == MPI_PROC_NULL
                             ? progress::Envelope{MPI_PROC_NULL, MPI_ANY_TAG, 0}
                             : progress::Envelope{pair.peer, pair.tag, end->bytes()};
        end->set_envelope(*about.envelope);
    }
    about.attached = std::move(end);
    return about;
}

// What an operation holds: an end that may be in a line, until nobody needs it.
struct MatchedEnd {
    template<class... Arguments>
    explicit MatchedEnd(Arguments&&... arguments) : end(std::forward<Arguments>(arguments)...) {}
    ~MatchedEnd() {
        const progress::Engine::Guard guard(progress::engine());
        withdraw(end);
    }
    MatchedEnd(const MatchedEnd&) = delete;
    MatchedEnd& operator=(const MatchedEnd&) = delete;

    PairEnd end;
};

} // namespace

std::unique_ptr<progress::Operation> make_end(const PairArguments& pair) {
    progress::begin_progress();
    auto identity = comm::CommunicatorId::required(pair.arguments.comm);
    const bool is_alone = pair.peer == MPI_PROC_NULL;
    const int peer = is_alone ? MPI_PROC_NULL : identity->control_rank(pair.peer);
    auto made = std::make_shared<MatchedEnd>(pair.arguments, std::move(identity), pair.sends, peer,
                                             pair.tag);
    PairEnd& end = made->end;
    auto operation = std::make_unique<progress::Operation>(
        about(pair, std::shared_ptr<PairEnd>(std::move(made), &end)));
    end.attach(*operation);
    const progress::Engine::Guard guard(progress::engine());
    if (is_alone)
        end.bind_alone(MPI_SUCCESS);
    else
        match(end);
    return operation;
}

} // namespace mpix::partition
