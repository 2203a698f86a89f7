/* SPDX-License-Identifier: BSD-3-Clause
 * What trace.py knows to find in a trace: persistent allreduces, for one of which a rank is late; a
 * ring of partitioned messages, whose partitions threads mark where MPI_THREAD_MULTIPLE is there; a
 * ring of channels with two slots; persistent messages of the host; and plain allreduces.
 *
 * traced [threads] [late RANK] */
#define _DEFAULT_SOURCE /* usleep */
#include "mpix/mpix.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    rounds = 40,
    partitions = 8,
    words = 16,
    late_us = 20000,
    way_us = 500, /* a message is there after that */
    laps = 3,     /* of three rounds */
    plain_rounds = 60,
    messages_on_host = 5
};

static int rank, ranks, has_threads, late = -1, wrong;
static MPI_Request sending;

static void reduce(void) {
    long in[words] = {0}, out[words];
    MPI_Request request;
    MPI_Allreduce_init(in, out, words, MPI_LONG, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < words; i++) in[i] = rank + round + i;
        if (round == rounds / 2 && rank == late) usleep(late_us);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        for (int i = 0; i < words; i++)
            wrong |= out[i] != (long)ranks * (round + i) + ranks * (ranks - 1) / 2;
    }
    MPI_Request_free(&request);
}

static void* mark(void* first) {
    for (int p = *(int*)first; p < partitions; p += 2) MPI_Pready(p, sending);
    return NULL;
}

static void mark_all(void) {
    int first[2] = {0, 1};
    pthread_t other;
    if (has_threads) pthread_create(&other, NULL, mark, &first[1]);
    mark(&first[0]);
    if (has_threads)
        pthread_join(other, NULL);
    else
        mark(&first[1]);
}

static void pass_partitions(int left, int right) {
    long out[partitions * words] = {0}, in[partitions * words];
    MPI_Request receiving;
    MPI_Psend_init(out, partitions, words, MPI_LONG, right, 1, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &sending);
    MPI_Precv_init(in, partitions, words, MPI_LONG, left, 1, MPI_COMM_WORLD, MPI_INFO_NULL,
                   &receiving);
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < partitions * words; i++) out[i] = rank * 1000 + round + i;
        MPI_Start(&receiving);
        MPI_Start(&sending);
        mark_all();
        MPI_Wait(&sending, MPI_STATUS_IGNORE);
        MPI_Wait(&receiving, MPI_STATUS_IGNORE);
        for (int i = 0; i < partitions * words; i++) wrong |= in[i] != left * 1000 + round + i;
    }
    MPI_Request_free(&sending);
    MPI_Request_free(&receiving);
}

/* A ring of channels with two slots. */
struct Slots {
    long out[2][words], in[2][words];
    MPI_Request messages[2], channels[2]; /* received, sent */
    int left, sent, received;             /* rounds */
};

static void start_sending(struct Slots* slots) {
    const int round = slots->sent++;
    for (int i = 0; i < words; i++) slots->out[round % 2][i] = rank * 1000 + round + i;
    MPI_Start(&slots->channels[1]);
}

static void wait_for_slot(struct Slots* slots) {
    const int round = slots->received++;
    MPI_Waitall(2, slots->channels, (MPI_Status[2]){{0}});
    for (int i = 0; i < words; i++)
        wrong |= slots->in[round % 2][i] != slots->left * 1000 + round + i;
}

/* Two messages have come when they are looked for, and the later round's, whose receive is the
 * newest, may be found before the older's. */
static void overtake(struct Slots* slots) {
    for (int i = 0; i < 2; i++) MPI_Start(&slots->channels[0]);
    start_sending(slots);
    wait_for_slot(slots);
    MPI_Start(&slots->channels[0]);
    for (int i = 0; i < 2; i++) start_sending(slots);
    usleep(way_us);
    for (int i = 0; i < 2; i++) wait_for_slot(slots);
}

/* Two rounds are under way at once, of which the older is waited for. */
static void pass_slots(int left, int right) {
    const int slackness[2] = {2, 2};
    struct Slots slots = {.left = left};
    MPI_Info info;
    MPI_Info_create(&info);
    MPI_Info_set(info, "ADDRESS_BASE_INCREMENT", "16"); /* words */
    MPI_Recv_init(slots.in, words, MPI_LONG, left, 2, MPI_COMM_WORLD, &slots.messages[0]);
    MPI_Send_init(slots.out, words, MPI_LONG, right, 2, MPI_COMM_WORLD, &slots.messages[1]);
    MPIX_Bind_slack_channels(slots.messages, slots.channels, 2, slackness,
                             (MPI_Info[]){info, info});
    MPI_Info_free(&info);
    for (int round = 0; round <= rounds; round++) {
        if (round < rounds) {
            MPI_Start(&slots.channels[0]);
            start_sending(&slots);
        }
        if (round > 0) wait_for_slot(&slots);
    }
    for (int lap = 0; lap < laps; lap++) overtake(&slots);
    MPIX_Unbind_channels(slots.channels, 2);
    for (int i = 0; i < 2; i++) MPI_Request_free(&slots.messages[i]);
}

/* In each of the ways that there are. */
static void complete(MPI_Request messages[2], int way) {
    int index, flag = 0, left = 2, found, indices[2];
    MPI_Status statuses[2];
    switch (way) {
    case 0: MPI_Waitall(2, messages, statuses); break;
    case 1:
        for (int i = 0; i < 2; i++) MPI_Wait(&messages[i], statuses);
        break;
    case 2:
        while (!flag) MPI_Testall(2, messages, &flag, statuses);
        break;
    case 3:
        for (int i = 0; i < 2; i++) MPI_Waitany(2, messages, &index, statuses);
        break;
    default:
        for (; left > 0; left -= found) {
            MPI_Waitsome(2, messages, &found, indices, statuses);
            if (found == MPI_UNDEFINED) break;
        }
        wrong |= left != 0;
    }
}

static void pass_on_host(int left, int right) {
    long out = rank, in = -1;
    MPI_Request messages[2];
    MPI_Recv_init(&in, 1, MPI_LONG, left, 3, MPI_COMM_WORLD, &messages[0]);
    MPI_Send_init(&out, 1, MPI_LONG, right, 3, MPI_COMM_WORLD, &messages[1]);
    for (int round = 0; round < messages_on_host; round++) {
        out = rank + 100 * round;
        if (round % 2)
            for (int i = 0; i < 2; i++) MPI_Start(&messages[i]);
        else
            MPI_Startall(2, messages);
        complete(messages, round);
        wrong |= in != left + 100 * round;
    }
    for (int i = 0; i < 2; i++) MPI_Request_free(&messages[i]);
}

static void reduce_plainly(void) {
    for (int round = 0; round < plain_rounds; round++) {
        long in = rank + round, out = 0;
        MPI_Allreduce(&in, &out, 1, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
        wrong |= out != ranks - 1 + round;
    }
}

int main(int argc, char** argv) {
    int provided = MPI_THREAD_SINGLE, wants_threads = 0;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "threads") == 0) wants_threads = 1;
        if (strcmp(argv[i], "late") == 0) late = atoi(argv[++i]);
    }
    MPI_Init_thread(&argc, &argv, wants_threads ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE,
                    &provided);
    has_threads = wants_threads && provided == MPI_THREAD_MULTIPLE;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int left = (rank + ranks - 1) % ranks, right = (rank + 1) % ranks;
    reduce();
    pass_partitions(left, right);
    pass_slots(left, right);
    pass_on_host(left, right);
    reduce_plainly();
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_LOR, MPI_COMM_WORLD);
    MPI_Finalize();
    return wrong;
}
