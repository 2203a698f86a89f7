/* SPDX-License-Identifier: BSD-3-Clause
 *
 * Preloaded, it makes every process believe that it may use 64 cores: then ranks that outnumber the
 * real ones measure what messages cost, and find something else in each run. */
#define _GNU_SOURCE
#include <sched.h>
#include <string.h>

int sched_getaffinity(pid_t process, size_t bytes, cpu_set_t* cores) {
    (void)process;
    memset(cores, 0, bytes);
    memset(cores, 0xff, bytes < 8 ? bytes : 8);
    return 0;
}
