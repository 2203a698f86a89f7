#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# opened.sh RUNNER HOST LIBRARY OPENED MODULE PROGRAM SOURCE FLAGS: MPI that is loaded late. libmpix is reached by
# names that are looked up in the process, by modules linked with MPI, and in itself; names that are
# looked up in the host's library go past it, which rank 0 says. Where MPI is inside a program nothing
# happens. SOURCE is such a program, FLAGS compile for the host.
set -u
runner=$1 host=$2 library=$(realpath "$3") opened=$4 module=$5 program=$6 source=$7 flags=$8
# shellcheck source-path=SCRIPTDIR source=plans.sh
. "${0%/*}/plans.sh"
needs python3
mpi=$(ldd "$program" | sed -n 's/.* => \(.*lib\(mpi\|mpich\|mpi_abi\)\.so[^ ]*\) .*/\1/p')
[[ -f $mpi ]] || fail "no MPI library of $program: $mpi"

seen='^mpix: no plans were made' # by MPIX_STATS
past="^mpix: MPI_Init was looked up in $mpi itself, past $library: "
opens() { # SEEN PAST VARIABLE... -- HOW LIBRARY
    says 0 2 20 MPIX_STATS=1 "${@:3:$#-5}" -- python3 "$opened" "${@: -2}"
    sentences "$1" "$seen"
    sentences "$2" "$past"
}
opens 1 0 "LD_PRELOAD=$library" -- global "$mpi"
opens 0 1 "LD_PRELOAD=$library" -- own "$mpi"
opens 1 0 "LD_PRELOAD=" -- own "$library"
plans 2 20 "LD_PRELOAD=$library" -- python3 "$opened" module "$module"

# Debian has a static library of MPICH alone.
[[ $host == mpich && -f ${mpi%/*}/libmpich.a ]] || exit 0
inside=$(mktemp)
trap 'rm -f "$inside"' EXIT
# shellcheck disable=SC2046,SC2086
gcc -w -o "$inside" "$source" ${flags/-lmpich/-l:libmpich.a} $(pkg-config --static --libs-only-l mpich) \
    -Wl,--as-needed || fail 'does not link'
says 0 2 20 MPIX_STATS=1 "LD_PRELOAD=$library" -- "$inside"
sentences 0 '^mpix: '
