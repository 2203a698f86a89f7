// SPDX-License-Identifier: BSD-3-Clause
//
// From arguments to an end, and from that to its operation.
#include "partition/pair.hpp"

#include "host/failure.hpp"
#include "partition/matching.hpp"
#include "run/engine.hpp"
#include "run/host_progress.hpp"

#include <utility>

namespace mpix::partition {
namespace {

run::Operation::About about(const PairArguments& pair, std::shared_ptr<End> end) {
    const run::Side& side = pair.sends ? pair.arguments.send : pair.arguments.recv;
    const auto numbers = Numbering::of_one(side.part_count(0), pair.peer);
    run::Operation::About about{.name = pair.name, .home = end->shared_identity()};
    about.retained.keep_type(side.type(0));
    about.buffers = run::buffers_of(pair.arguments);
    about.partitions = std::make_unique<run::Partitions>(pair.sends ? numbers : Numbering(),
                                                         pair.sends ? Numbering() : numbers);
    if (!pair.sends) {
        about.envelope = pair.peer == MPI_PROC_NULL
                             ? run::Envelope{MPI_PROC_NULL, MPI_ANY_TAG, 0}
                             : run::Envelope{pair.peer, pair.tag, end->bytes()};
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
        const run::Engine::Guard guard(run::engine());
        withdraw(end);
    }
    MatchedEnd(const MatchedEnd&) = delete;
    MatchedEnd& operator=(const MatchedEnd&) = delete;

    End end;
};

} // namespace

std::unique_ptr<run::Operation> make_end(const PairArguments& pair) {
    run::begin_progress();
    auto identity = run::Identity::required(pair.arguments.comm);
    const bool is_alone = pair.peer == MPI_PROC_NULL;
    const int peer = is_alone ? MPI_PROC_NULL : identity->post_rank(pair.peer);
    auto made = std::make_shared<MatchedEnd>(pair.arguments, std::move(identity), pair.sends, peer,
                                             pair.tag);
    End& end = made->end;
    auto operation =
        std::make_unique<run::Operation>(about(pair, std::shared_ptr<End>(std::move(made), &end)));
    end.attach(*operation);
    const run::Engine::Guard guard(run::engine());
    if (is_alone)
        end.bind_alone(MPI_SUCCESS);
    else
        match(end);
    return operation;
}

} // namespace mpix::partition
