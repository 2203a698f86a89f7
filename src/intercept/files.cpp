// SPDX-License-Identifier: BSD-3-Clause
//
// The progress thread rests while a file is open, on a host that needs it: whatever the program
// calls for the file then meets no thread of ours.
#include "intercept/files.hpp"

#include "intercept/passing.hpp"
#include "progress/host_progress.hpp"

namespace mpix::intercept {
namespace {

bool rests_for_files() { return !host::here().files_allow_threads() && !is_disabled(); }

} // namespace

int file_open(MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file) {
    if (!rests_for_files()) return HOST(File_open)(comm, name, mode, info, file);
    progress::rest();
    const int code = HOST(File_open)(comm, name, mode, info, file);
    if (code != MPI_SUCCESS) progress::end_rest();
    return code;
}

int file_close(MPI_File* file) {
    const int code = HOST(File_close)(file);
    if (code == MPI_SUCCESS && rests_for_files()) progress::end_rest();
    return code;
}

} // namespace mpix::intercept
