// SPDX-License-Identifier: BSD-3-Clause
//
// Trying out whether the host does an operation between nodes quicker than its plan: both are run
// in memory of the library's own when the first operation of its kind and about its size is made.
#pragma once

#include "collective/arguments.hpp"
#include "comm/context.hpp"
#include "plan/solver.hpp"
#include "progress/operation.hpp"

#include <memory>

namespace mpix::collective {

class Trial {
  public:
    // Makes an operation that all ranks make. Collective.
    using Make = std::unique_ptr<progress::Operation> (*)(const Arguments& arguments);

    Trial(comm::Context& context, const Arguments& arguments, const plan::Shape& shape)
        : context_(context), arguments_(arguments), shape_(shape),
          about_(arguments.collective, shape.largest) {}

    // Whether the host may do it instead: messages leave the node, all ranks know all sizes, and no
    // order shows. The same on all ranks, and so are the others.
    bool applies() const;
    bool is_known() const { return context_.host_trials().is_host_quicker(about_).has_value(); }
    // Collective. What another rank lacks the memory for is not tried.
    void run(const plan::Solver& solver, Make make);
    bool is_host_quicker() const {
        return context_.host_trials().is_host_quicker(about_).value_or(false);
    }

  private:
    comm::Context& context_;
    const Arguments& arguments_;
    const plan::Shape& shape_;
    comm::HostTrials::About about_;
};

} // namespace mpix::collective
