#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# no_memory.sh RUNNER HOST PROGRAM: where shared memory cannot be had, on all ranks or on one, at
# once or after some, results are right and one line says why, if it is asked for. The hosts need
# files of their own before they begin: less than these 10 MB is refused only after MPI_Init,
# but for Open MPI 5, which itself wants a file of 16 MB and is ended by the limit.
set -u
runner=$1 host=$2 program=$3
why='growing to [0-9]+ bytes: File too large|the limit on addresses \(ulimit -v\) is too low'
line="mpix: no shared memory, messages go over the host: ($why)"

# LINES NAME=VALUE... -- COMMAND...: lines that must be said, at most one by each rank.
check() {
    local lines=$1 output said
    shift
    output=$(bash "$runner" "$host" 3 60 MPIX_TEST_LIMIT=55 MPIX_VERBOSE=1 "$@" 2>&1) ||
        { printf '%s\nfails: %s\n' "$output" "$*" && exit 1; }
    said=$(grep -cE "$line" <<<"$output")
    [[ $said =~ ^[$lines]$ ]] || { printf '%s\nsaid %s times: %s\n' "$output" "$said" "$*" && exit 1; }
}
cases='requests outlive*,memory that is freed*,plans are made*'
check 1 MPIX_TEST_FILE_LIMIT=0 -- "$program" "$cases"
check 1 MPIX_TEST_FILE_LIMIT=0:1 -- "$program" "$cases"
check 1-3 MPIX_TEST_FILE_LIMIT=300000 -- "$program" "$cases"
check 1 MPIX_TEST_FILE_LIMIT=300000:2 -- "$program" "$cases"
check 0 MPIX_TEST_FILE_LIMIT=0 MPIX_TRANSPORT=host -- "$program" "$cases"

limited='ulimit -f 10240 && exec "$0" "$1"'
last='rank=${OMPI_COMM_WORLD_RANK-$PMI_RANK}; [ "$rank" != 2 ] || ulimit -f 10240; exec "$0" "$1"'
if ! bash "$runner" "$host" 3 60 MPIX_DISABLE=1 -- bash -c "$limited" "$program" 'plans are made*' 2>&1 |
    grep -q 'File size limit exceeded'; then
    check 1-3 -- bash -c "$limited" "$program" 'plans are made*'
    check 1 -- bash -c "$last" "$program" 'plans are made*'
fi

# An eighth of the addresses is for the segments of all ranks. With 380 MB there is enough of it for
# three ranks and not for three hundred. For those 8 GB are enough, if not for all messages.
addresses='ulimit -v $2 || exit; exec "$0" "$1"'
last='rank=${OMPI_COMM_WORLD_RANK-$PMI_RANK}; [ "$rank" != 2 ] || ulimit -v $2; exec "$0" "$1"'
many='OMPI_COMM_WORLD_LOCAL_SIZE=300 MPI_LOCALNRANKS=300'
check 0 -- bash -c "$addresses" "$program" "$cases" 380000
check 0 $many -- bash -c "$addresses" "$program" 'memory that is freed*' 8000000
check 1-3 $many -- bash -c "$addresses" "$program" 'plans are made*' 8000000
check 1-3 $many -- bash -c "$addresses" "$program" "$cases" 380000
check 1 $many -- bash -c "$last" "$program" "$cases" 380000
