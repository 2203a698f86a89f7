#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
# Runs one program under mpirun with a time limit, and leaves no process behind.
#
#   mpirun-test.sh [--must-fail | --tell-left] HOST RANKS LIMIT_SECONDS [NAME=VALUE...] -- \
#                  program [argument...]
#
# HOST is openmpi or mpich, or abi for the one of them that MPIX_ABI_HOST names. The variables reach
# the ranks alone, never the launcher, so LD_PRELOAD is safe here. Says nothing of its own unless the
# limit passes; then it prints TIMEOUT and returns 124. MPICH tells at its end of datatypes that
# are left: then it prints LEAKED and returns 1, unless the errors go to a terminal. With
# --must-fail a wrong answer, a crash or a hang is what is wanted: it returns 0 for it, and 1 for
# success. With --tell-left it prints a line LEFT for each process of the run that is still there
# two seconds after the launcher.
set -u

if [[ ${1-} == --must-fail ]]; then
    shift
    if output=$("$0" "$@" 2>&1); then
        printf '%s\nsucceeded where it should fail\n' "$output"
        exit 1
    elif [[ $? -eq 64 ]]; then # this script was called wrongly
        printf '%s\n' "$output"
        exit 64
    fi
    exit 0
fi

tells=
if [[ ${1-} == --tell-left ]]; then
    tells=1
    shift
fi

if [[ $# -lt 5 ]]; then
    sed -n '3,15s/^# \{0,1\}//p' "$0" >&2
    exit 64
fi
host=$1 ranks=$2 limit=$3
shift 3

variables=()
while [[ $# -gt 0 && $1 != -- ]]; do
    variables+=("$1")
    shift
done
shift
if [[ $# -eq 0 ]]; then
    echo "mpirun-test.sh: no program" >&2
    exit 64
fi

codes= watcher=() said=
[[ $host != abi ]] || host=${MPIX_ABI_HOST:-mpich}
case $host in
openmpi)
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    # Opening UCX takes half of what a short run does. Whoever has a network for it says so.
    export OMPI_MCA_pml=${OMPI_MCA_pml-ob1}
    export OMPI_MCA_btl_base_warn_component_unused=0 OMPI_MCA_plm_rsh_agent=/bin/false
    launcher=(mpirun.openmpi --bind-to none -n "$ranks")
    ((ranks > 2)) && launcher+=(--oversubscribe)
    ;;
mpich)
    launcher=(mpirun.mpich -n "$ranks")
    # mpiexec of MPICH 4.2 may return 0 though a rank has crashed (pmodels/mpich #7057).
    codes=$(mktemp) said=$(mktemp)
    # shellcheck disable=SC2016
    watcher=(sh -c 'codes=$1; shift; "$@"; code=$?; [ $code -eq 0 ] || echo $code >>"$codes"; exit $code'
             sh "$codes")
    ;;
*)
    echo "mpirun-test.sh: unknown host MPI '$host' (openmpi, mpich, abi)" >&2
    exit 64
    ;;
esac

# The launchers move their ranks into process groups of their own, but never out of their session:
# so the run gets a session for itself, and what is left of that session at the end is killed.
session= left=()
find_left() {
    local stat pid rest fields
    left=()
    [[ -n $session ]] || return
    for stat in /proc/[0-9]*/stat; do
        { read -r pid rest <"$stat"; } 2>/dev/null || continue
        read -ra fields <<<"${rest##*) }" # state, parent, group, session, ...
        [[ ${fields[3]} == "$session" && ${fields[0]} != Z ]] && left+=("$pid")
    done
}
kill_left() {
    find_left
    [[ ${#left[@]} -eq 0 ]] || kill -KILL "${left[@]}" 2>/dev/null
}
sweep() {
    [[ -z $codes ]] || rm -f "$codes" "$said"
    kill_left
}
tell_left() {
    local pid
    for _ in {1..20}; do
        find_left
        [[ ${#left[@]} -eq 0 ]] && return
        sleep 0.1
    done
    for pid in "${left[@]}"; do
        echo "LEFT: $pid, $(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline")"
    done
}
trap sweep EXIT
trap 'exit 130' INT TERM HUP

errors=2 teller=
if [[ -n $said && ! -t 2 ]]; then # a program may ask whether its launcher has a terminal
    exec {errors}> >(tee "$said" >&2)
    teller=$!
fi
setsid -w timeout -k 5 "$limit" "${launcher[@]}" "${watcher[@]}" env "${variables[@]}" "$@" </dev/null 2>&"$errors" &
session=$!
[[ -z $teller ]] || exec {errors}>&-
wait "$session"
status=$?
if [[ $status -eq 0 && -s $codes ]]; then read -r status <"$codes"; fi

[[ -z $tells ]] || tell_left
# Open MPI returns 137 too where a rank was killed.
if [[ $status -eq 124 || $status -eq 137 && $SECONDS -ge $limit ]]; then
    echo "TIMEOUT: no end after $limit s: $host, $ranks ranks: $*"
    exit 124
fi
if [[ $status -eq 0 && -n $teller ]]; then
    kill_left # who still writes
    wait "$teller"
    if grep -qa 'leaked handle' "$said"; then
        echo "LEAKED: what $host tells of at its end was not given back: $*"
        exit 1
    fi
fi
exit "$status"
