#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# network.sh BETWEEN_TEST HOST PROGRAM: what a message between nodes takes is measured once by a program
# with one communicator; not with MPIX_MEASURE=0, and not where all are on one machine. Over TCP a long
# one takes more, as its receiver is asked, whether parts of it were clearly quicker or not.
set -u
run=$1 host=$2 program=$3 failed=0
. "$(dirname "$0")/lines.sh"
lines 1 1 'between nodes a message takes.* and [0-9.]*[1-9][0-9.]* to take one more.* GB/s, [1-9][0-9]* at once' 2 1 40
lines 1 1 'between nodes a message takes.* and takes [0-9.]*[1-9][0-9.]* us more from' 2 1 40
lines 0 0 'between nodes a message takes' 2 1 40 MPIX_MEASURE=0
lines 0 0 'between nodes a message takes' 1 2 40
exit "$failed"
