#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# gdb.sh RUNNER HOST LIBRARY PROGRAM: a debugger that itself is not preloaded stops a preloaded program
# in libmpix's MPI_Startall, whose caller is the program's main, and lets it go on to its end.
set -u
runner=$1 host=$2 library=$(realpath "$3") program=$4
# shellcheck source-path=SCRIPTDIR source=plans.sh
. "${0%/*}/plans.sh"
needs gdb

# shellcheck disable=SC2016
plans 1 60 -- gdb -batch -ex "set exec-wrapper env LD_PRELOAD=$library" -ex 'set debuginfod enabled off' \
    -ex 'set breakpoint pending on' -ex 'tbreak MPI_Startall' -ex run -ex backtrace \
    -ex 'info symbol $pc' -ex 'info sharedlibrary libmpix' -ex continue "$program"
sentences 1 '^#[0-9]* .*MPI_Startall '
sentences 1 '^#[0-9]* .* main '
sentences 1 '^P\?MPI_Startall.* in section \.text of '"$library"
sentences 1 'exited normally'
