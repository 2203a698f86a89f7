#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# helpers.sh RUNNER HOST LIBRARY PROGRAM CHILDREN: a preload line that reaches processes which know no
# MPI: launchers, shells, children of ranks. libmpix says nothing there, begins no thread, opens and
# maps nothing but itself, and changes no exit status.
set -u
runner=$1 host=$2 library=$(realpath "$3") program=$4 children=$5
# shellcheck source-path=SCRIPTDIR source=plans.sh
. "${0%/*}/plans.sh"

# Where no MPI runs at all: what processes have of threads, files and shared memory is as without. A
# thread that the host begins where it is loaded, as MPICH 5 does, has ended by then.
look='sleep 0.3; set -- /proc/$$/task/*; echo $#; ls /proc/self/fd; grep -c "memfd:\|/dev/shm" /proc/self/maps; exit 3'
bare=$(sh -c "$look" 2>&1 </dev/null) && fail 'exit 3 has succeeded'
preloaded=$(LD_PRELOAD=$library sh -c "$look" 2>&1 </dev/null)
[[ $? -eq 3 && $preloaded == "$bare" ]] || fail "bare: $bare" "preloaded: $preloaded"

# UCX, which MPICH brings along, would survive it.
env --default-signal=HUP LD_PRELOAD="$library" UCX_DEBUG_SIGNO='' sh -c 'kill -HUP $$' 2>/dev/null
hung_up=$?
[[ $hung_up -eq 129 ]] || fail "status $hung_up of a process that was hung up"

# The launcher, what it starts, and a rank that is no MPI program.
export LD_PRELOAD=$library
plans 2 20 -- "$program"
says 0 2 20 -- sh -c 'echo here'
[[ $output == $'here\nhere' ]] || fail "$output" 'says more'
unset LD_PRELOAD

says 0 2 20 -- "$children"
says 0 2 20 "LD_PRELOAD=$library" MPIX_STATS=1 -- "$children"
grep -A 1 '^Allreduce ' <<<"$output" | grep -q ' starts  *6 ' || fail "$output" 'not 6 starts of plans'
