// SPDX-License-Identifier: BSD-3-Clause
// The table of calls on files that are collective: they may block, and in the hosts most do.
#pragma once

#include <cstdlib>
#include <unistd.h>

#include "progress/blocking_calls.hpp"

namespace mpitest {

// One name for all ranks of this run.
inline const std::string& file_name() {
    static const std::string name = [] {
        int number = rank_of() == 0 ? static_cast<int>(getpid()) : 0;
        MPI_Bcast(&number, 1, MPI_INT, 0, MPI_COMM_WORLD);
        const char* folder = std::getenv("TMPDIR");
        return std::string(folder ? folder : "/tmp") + "/mpix_progress." + std::to_string(number);
    }();
    return name;
}

inline void open_file(Scene& s) {
    const int mode = MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE;
    CHECK_MPI(MPI_File_open(s.comm, file_name().c_str(), mode, MPI_INFO_NULL, &s.file));
}

inline void close_file(Scene& s) {
    if (s.file != MPI_FILE_NULL) CHECK_MPI(MPI_File_close(&s.file));
}

inline void name_file(Scene&) { file_name(); }

// Neighbouring elements of the file are of different ranks: a collective call has to exchange them.
inline void open_interleaved(Scene& s) {
    open_file(s);
    MPI_File_set_size(s.file, 100 * s.ranks * static_cast<MPI_Offset>(sizeof(int)));
    const Type column = vector_of(100, 1, s.ranks);
    CHECK_MPI(MPI_File_set_view(s.file, s.me * static_cast<MPI_Offset>(sizeof(int)), MPI_INT,
                                column, "native", MPI_INFO_NULL));
}

template<class Call>
BlockingCall on_file(const char* name, Call call) {
    return {name, [call](Scene& s) { CHECK_MPI(call(s)); }, nullptr, open_interleaved, close_file};
}

inline const std::vector<BlockingCall> blocking_files = {
    {"MPI_File_open", open_file, nullptr, name_file, close_file},
    {"MPI_File_close", close_file, nullptr, open_file},
    on_file("MPI_File_set_view",
            [](Scene& s) {
                return MPI_File_set_view(s.file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
            }),
    on_file("MPI_File_set_size", [](Scene& s) { return MPI_File_set_size(s.file, 4096); }),
    on_file("MPI_File_sync", [](Scene& s) { return MPI_File_sync(s.file); }),
    on_file("MPI_File_write_all",
            [](Scene& s) {
                return MPI_File_write_all(s.file, mail(), 100, MPI_INT, MPI_STATUS_IGNORE);
            }),
    on_file("MPI_File_read_all",
            [](Scene& s) {
                return MPI_File_read_all(s.file, mail(), 100, MPI_INT, MPI_STATUS_IGNORE);
            }),
    on_file("MPI_File_write_at_all",
            [](Scene& s) {
                return MPI_File_write_at_all(s.file, 0, mail(), 100, MPI_INT, MPI_STATUS_IGNORE);
            }),
    on_file("MPI_File_iwrite_all and MPI_Wait",
            [](Scene& s) {
                MPI_File_iwrite_all(s.file, mail(), 100, MPI_INT, &s.requests[0]);
                return MPI_Wait(&s.requests[0], MPI_STATUS_IGNORE);
            }),
    {"MPI_File_write_ordered",
     [](Scene& s) {
         CHECK_MPI(MPI_File_write_ordered(s.file, mail(), 1, MPI_INT, MPI_STATUS_IGNORE));
     },
     nullptr, open_file, close_file},
};

} // namespace mpitest
