/* SPDX-License-Identifier: BSD-3-Clause
 * Preloaded, it gives each rank a monotonic clock of its own: three seconds ahead of that of the
 * rank before, and faster by ten parts in a million. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <time.h>

enum { nanoseconds = 1000000000, ahead_s = 3, faster_ppm = 10 };

static int rank_of_launcher(void) {
    const char* text = getenv("OMPI_COMM_WORLD_RANK");
    if (!text) text = getenv("PMI_RANK");
    return text ? atoi(text) : 0;
}

int clock_gettime(clockid_t clock, struct timespec* time) {
    static int (*next)(clockid_t, struct timespec*);
    static long long began;
    static int rank;
    if (!next) {
        rank = rank_of_launcher();
        next = (int (*)(clockid_t, struct timespec*))dlsym(RTLD_NEXT, "clock_gettime");
    }
    const int code = next(clock, time);
    if (code != 0 || clock != CLOCK_MONOTONIC) return code;
    const long long now = (long long)time->tv_sec * nanoseconds + time->tv_nsec;
    if (began == 0) began = now;
    const long long skewed =
        now + (long long)rank * ahead_s * nanoseconds + (now - began) * rank * faster_ppm / 1000000;
    time->tv_sec = skewed / nanoseconds;
    time->tv_nsec = skewed % nanoseconds;
    return code;
}
