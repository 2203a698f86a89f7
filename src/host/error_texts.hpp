// SPDX-License-Identifier: BSD-3-Clause
//
// The error codes made so far, with class and text. Hosts have few codes (MPICH 8191), so equal
// errors share one, and the oldest is given a new text when there are too many.
#pragma once

#include "host/host.hpp"

#include <mutex>
#include <vector>

namespace mpix::host {

class ErrorTexts {
  public:
    // The code for this class and text; make() asks the host for a new one.
    template<class Make>
    int code(int error_class, const std::string& text, Make make) {
        const std::lock_guard lock(mutex_);
        for (const Entry& entry : entries_)
            if (entry.error_class == error_class && entry.text == text) return entry.code;
        Entry& entry = next(error_class);
        if (entry.code < 0) entry.code = make();
        entry.error_class = error_class;
        entry.text = text;
        HOST(Add_error_string)(entry.code, text.substr(0, MPI_MAX_ERROR_STRING - 1).c_str());
        return entry.code;
    }

    int class_of(int code);

  private:
    struct Entry {
        int code = -1;
        int error_class = -1;
        std::string text;
    };

    Entry& next(int error_class);

    static constexpr std::size_t most = 512;
    std::mutex mutex_;
    std::vector<Entry> entries_;
    std::size_t oldest_ = 0;
};

ErrorTexts& error_texts();

} // namespace mpix::host
