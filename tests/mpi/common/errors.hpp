// SPDX-License-Identifier: BSD-3-Clause
// What the error tests share: error handlers that return, and what an error must look like.
#pragma once

#include <algorithm>
#include <cctype>
#include <initializer_list>

#include "common/check.hpp"

namespace mpitest {

// Errors return from here to the end of the scope, for calls on every communicator and on none.
class ErrorsReturn {
  public:
    ErrorsReturn() { set(MPI_ERRORS_RETURN); }
    ErrorsReturn(const ErrorsReturn&) = delete;
    ErrorsReturn& operator=(const ErrorsReturn&) = delete;
    ~ErrorsReturn() { set(MPI_ERRORS_ARE_FATAL); }

  private:
    static void set(MPI_Errhandler handler) {
        MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
        MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
    }
};

inline std::string lower_case(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    return text;
}

inline bool contains(const std::string& text, const char* word) {
    return lower_case(text).find(lower_case(word)) != std::string::npos;
}

// The class is one of `classes`, the text contains all of `words`.
inline void check_error(int code, std::initializer_list<int> classes,
                        std::initializer_list<const char*> words) {
    const int seen = class_of(code);
    INFO("class " << seen << ", text: " << error_text(code));
    const bool named = std::find(classes.begin(), classes.end(), seen) != classes.end();
    CHECK(code != MPI_SUCCESS);
    CHECK(named);
    for (const char* word : words) CHECK(contains(error_text(code), word));
}

} // namespace mpitest
