/* SPDX-License-Identifier: BSD-3-Clause
 * Watches files as tools for I/O do: by MPI_File_open, and by the open of the C library that the
 * host calls for it. With WRAPPED it is linked into a program by the linker's --wrap. It looks at
 * the file of pass_through.c alone, and at the end of the process it says what it saw. */
#define _GNU_SOURCE /* RTLD_NEXT */
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <dlfcn.h>
#include <mpi.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#ifdef WRAPPED
#define MPI_File_open __wrap_MPI_File_open
#define PMPI_File_open __real_MPI_File_open
int MPI_File_open(MPI_Comm, const char*, int, MPI_Info, MPI_File*);
int PMPI_File_open(MPI_Comm, const char*, int, MPI_Info, MPI_File*);
#endif

static int file_opens, opens;

int MPI_File_open(MPI_Comm comm, const char* name, int mode, MPI_Info info, MPI_File* file) {
    return file_opens++, PMPI_File_open(comm, name, mode, info, file);
}

static int open_next(const char* which, const char* path, int flags, int mode) {
    int (*next)(const char*, int, ...);
    *(void**)&next = dlsym(RTLD_NEXT, which);
    opens += strstr(path, "mpix_pass_through") != NULL;
    return next(path, flags, mode);
}

#define OPEN(name)                                                                                 \
    int name(const char* path, int flags, ...) {                                                   \
        va_list rest;                                                                              \
        va_start(rest, flags);                                                                     \
        const int mode = va_arg(rest, int); /* not looked at where there is none */                \
        va_end(rest);                                                                              \
        return open_next(#name, path, flags, mode);                                                \
    }
OPEN(open)
OPEN(open64)

__attribute__((destructor)) static void tell(void) {
    fprintf(stderr, "files: File_open %d, open %s\n", file_opens, opens ? "seen" : "not seen");
}
