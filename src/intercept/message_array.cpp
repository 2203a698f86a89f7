// SPDX-License-Identifier: BSD-3-Clause
//
// Their states change when the last is complete, and not before.
#include "intercept/message_array.hpp"

#include "intercept/batch.hpp"

namespace mpix::intercept {

MessageArray::MessageArray(int count, MPI_Request requests[], MPI_Status statuses[])
    : requests_(requests), statuses_(statuses),
      records_(may_be_messages(count, requests) && host::here().testall_keeps()
                   ? static_cast<std::size_t>(count)
                   : 0,
               boost::container::default_init),
      kept_(statuses == MPI_STATUSES_IGNORE ? records_.size() : 0, boost::container::default_init) {
    if (records_.empty()) return;
    if (!find_alone({requests, records_.size()}, records_.data())) {
        records_.clear();
        return;
    }
    if (statuses == MPI_STATUSES_IGNORE) statuses_ = kept_.data();
    for (std::size_t i = 0; i < records_.size(); ++i) statuses_[i].MPI_ERROR = MPI_SUCCESS;
}

bool MessageArray::poll() {
    int flag = 0;
    const int code = HOST(Testall)(static_cast<int>(records_.size()), requests_, &flag, statuses_);
    if (code != MPI_SUCCESS && code != MPI_ERR_IN_STATUS)
        for (std::size_t i = 0; i < records_.size(); ++i) statuses_[i].MPI_ERROR = code;
    if (!flag && code == MPI_SUCCESS) return false;
    for (Record* record : records_) record->end();
    return true;
}

int MessageArray::finish() const {
    for (std::size_t i = 0; i < records_.size(); ++i)
        if (statuses_[i].MPI_ERROR != MPI_SUCCESS)
            return host::raise(records_[i]->errors_to(), MPI_ERR_IN_STATUS);
    return MPI_SUCCESS;
}

} // namespace mpix::intercept
