/* SPDX-License-Identifier: BSD-3-Clause
 * How much memory this process has, for tests of what grows. */
#ifndef RESIDENT_H
#define RESIDENT_H

#include <stdio.h>
#include <unistd.h>

/* -1 if that cannot be known. */
static inline long resident_kib(void) {
    long pages = 0, resident = 0;
    FILE* file = fopen("/proc/self/statm", "r");
    if (!file || fscanf(file, "%ld %ld", &pages, &resident) != 2) resident = -1;
    if (file) fclose(file);
    return resident < 0 ? -1 : resident * (sysconf(_SC_PAGESIZE) / 1024);
}

#endif
