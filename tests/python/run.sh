#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# run.sh HOST LIBRARY RANKS LIMIT [VAR=VALUE...] -- PROGRAM.py [argument...]: runs a program of the
# Python package, with the mpi4py that is built for HOST: that of the folder that MPIX_MPI4PY names,
# or the machine's. For MPICH, where there is none, the one in stand_in has to do; else it is skipped.
set -eu
host=$1 library=$2 ranks=$3 limit=$4
shift 4
variables=()
while [ "$1" != -- ]; do variables+=("$1") && shift; done
shift
here=$(cd "$(dirname "$0")" && pwd)
root=$here/../..
python=$(PATH=/usr/bin:$PATH command -v python3) # Debian's, which has Debian's mpi4py

ask='import mpi4py; mpi4py.rc.initialize = False; from mpi4py import MPI; print(MPI.get_vendor()[0])'
path=${MPIX_MPI4PY-}
vendor=$(PYTHONPATH=$path "$python" -B -c "$ask" 2>/dev/null </dev/null || true)
case $host:$vendor in
openmpi:'Open MPI' | mpich:MPICH) ;;
mpich:*)
    path=$here/stand_in
    macros=$(mktemp)
    trap 'rm -f "$macros"' EXIT
    echo '#include <mpi.h>' | mpicc.mpich -E -dM -xc - >"$macros"
    variables+=("MPI_MACROS=$macros")
    ;;
*)
    echo "no mpi4py that is built for $host"
    exit 77
    ;;
esac
bash "$root/scripts/mpirun-test.sh" "$host" "$ranks" "$limit" "LD_PRELOAD=$library" \
    "PYTHONPATH=${MPIX_PACKAGE-$root/python}:$here:$path" "${variables[@]}" -- "$python" -B "$@"
