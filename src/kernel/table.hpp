// SPDX-License-Identifier: BSD-3-Clause
//
// The loops of each level: one table, made by loops.cpp when it is compiled for that level. They
// are constants, so reading a table runs no code of its level.
#pragma once

#include "kernel/pairs.hpp"

namespace mpix::kernel {

struct Row {
    Combine of[elements];
};
struct Table {
    Row of[operators];
};

namespace base {
extern const Table table;
}
namespace v2 {
extern const Table table;
}
namespace v3 {
extern const Table table;
}
namespace v4 {
extern const Table table;
}

} // namespace mpix::kernel
