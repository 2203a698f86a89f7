// SPDX-License-Identifier: BSD-3-Clause
//
// The settings of a communicator.
#include "intercept/automatic_settings.hpp"

#include "automatic/communicator_plans.hpp"
#include "intercept/errors.hpp"
#include "intercept/passing.hpp"
#include "library/info_keys.hpp"

#include <string>

namespace mpix::intercept {
namespace {

void check(MPI_Comm comm, const char* call) {
    if (comm == MPI_COMM_NULL) reject(MPI_ERR_COMM, std::string(call) + ": comm is MPI_COMM_NULL");
}

} // namespace

int auto_set(MPI_Comm comm, int flag) {
    if (is_disabled()) return MPI_SUCCESS;
    return with_errors(comm, [&] {
        check(comm, "MPIX_Auto_set");
        automatic::set_wanted(comm, *automatic::read_wanted("flag", flag ? "1" : "0"));
        return MPI_SUCCESS;
    });
}

void heed_info(MPI_Comm comm, MPI_Info info) {
    const std::string words = is_disabled() ? "" : library::info_value(info, "mpix_auto");
    if (words.empty()) return;
    if (const auto wanted = automatic::read_wanted("info mpix_auto", words))
        automatic::set_wanted(comm, *wanted);
}

int comm_set_info(MPI_Comm comm, MPI_Info info) {
    const int code = HOST(Comm_set_info)(comm, info);
    if (code == MPI_SUCCESS) heed_info(comm, info);
    return code;
}

int auto_get(MPI_Comm comm, int* flag, int* plans) {
    return with_errors(comm, [&] {
        check(comm, "MPIX_Auto_get");
        automatic::CommunicatorPlans* const found =
            is_disabled() ? nullptr : automatic::find_plans(comm);
        if (flag) *flag = found && found->wants_any();
        if (plans) *plans = found ? static_cast<int>(found->cache.plans()) : 0;
        return MPI_SUCCESS;
    });
}

} // namespace mpix::intercept
