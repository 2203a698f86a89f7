/* SPDX-License-Identifier: BSD-3-Clause
 * Starts children between the rounds of a plan, in every way there is; two of them outlive MPI. It
 * knows nothing of mpix. Exit 0 where all sums are right, no child has disturbed them, and what was
 * executed has nothing of the parent's memory or files. */
#define _POSIX_C_SOURCE 200809L /* popen */
#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#ifdef OMPI_HAVE_MPI_EXT_PCOLLREQ
#define MPI_Allreduce_init MPIX_Allreduce_init
#endif

/* Of a program that was executed; whatever of libmpix it has, it has loaded itself. */
#define CHECK_INHERITED                                                                            \
    "! grep -q memfd:mpix /proc/self/maps && ! ls -l /proc/self/fd | grep -q mpix"

static int ends_with(int code, pid_t child) {
    int status;
    return waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == code;
}

static int leaves_normally(void) {
    const pid_t child = fork();
    if (!child) exit(3); /* with destructors */
    return ends_with(3, child);
}

static int executes(void) { return system(CHECK_INHERITED) == 0; }

static int pipes(void) {
    int found = 0;
    /* Threads of the shell. One that the host begins where it is loaded has ended by then. */
    FILE* const words = popen("sleep 0.3; set -- /proc/$$/task/*; echo $#", "r");
    return fscanf(words, "%d", &found) == 1 && found == 1 && pclose(words) == 0;
}

/* Until the rank has ended. Launchers wait for whoever has their pipes and sockets. */
static int outlives(int is_executed) {
    const pid_t rank = getpid(), child = fork();
    if (child) return child > 0;
    for (int file = 0; file < 256; file++) close(file);
    if (is_executed)
        execlp("sh", "sh", "-c", "while kill -0 $PPID 2>/dev/null; do sleep 0.1; done",
               (char*)NULL);
    while (getppid() == rank) poll(NULL, 0, 100);
    _exit(0);
}

int main(int argc, char** argv) {
    int in = 1, out, ranks, wrong = 0, any = 1;
    MPI_Request sum;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Allreduce_init(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &sum);
    for (int round = 0; round < 6; round++) {
        out = 0;
        MPI_Start(&sum);
        if (round == 1) wrong |= !leaves_normally();
        if (round == 2) wrong |= !executes() << 1;
        if (round == 3) wrong |= !pipes() << 2;
        if (round > 3) wrong |= !outlives(round == 5) << 3;
        MPI_Wait(&sum, MPI_STATUS_IGNORE);
        wrong |= (out != ranks) << 4;
    }
    MPI_Request_free(&sum);
    MPI_Allreduce(&wrong, &any, 1, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
    if (any) printf("wrong: %d\n", any);
    MPI_Finalize();
    return any != 0;
}
