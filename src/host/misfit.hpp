// SPDX-License-Identifier: BSD-3-Clause
//
// Whether this library belongs before the MPI of this process: a preload line reaches programs that
// it was not written for.
#pragma once

#include <optional>
#include <string>

namespace mpix::host {

struct Misfit {
    enum class Remedy {
        none,   // it is only told of
        pass,   // everything goes to the host
        refuse, // arguments would be misunderstood: the program must not go on
    };
    std::string text; // one sentence
    Remedy remedy;
};

// May be asked before the host's Init.
std::optional<Misfit> misfit();

} // namespace mpix::host
