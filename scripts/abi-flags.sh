#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
#
# abi-flags.sh [FOLDER]: the standard ABI of MPI 5 for a build in FOLDER. Puts the standard's header
# there as include/mpi.h, and for each host a folder hosts/HOST with its libmpi_abi.so.1, and prints
# the flags that compile with it. Without a folder it only says whether there is such a header:
# mpi_abi.h of MPICH or standard_abi/mpi.h of Open MPI, which declare the same.
set -eu

folders=$({ mpicc.mpich -compile_info; mpicc.openmpi --showme:compile; } 2>/dev/null |
    tr ' ' '\n' | sed -n 's/^-I//p')
header=
for name in mpi_abi.h standard_abi/mpi.h; do
    for place in $folders /usr/include /usr/local/include; do
        [ -n "$header" ] || [ ! -f "$place/$name" ] || header=$place/$name
    done
done
if [ -z "$header" ]; then
    echo "abi-flags.sh: no mpi_abi.h: the standard ABI comes with MPICH 5 and Open MPI 6" >&2
    exit 1
fi
[ $# -gt 0 ] || exit 0
folder=$1
mkdir -p "$folder/include"
cp "$header" "$folder/include/mpi.h"

for host in mpich openmpi; do
    library=$(ldconfig -p | sed -n "s/.*=> \(.*libmpi_abi_$host\.so\.1.*\)/\1/p" | head -n 1)
    [ -n "$library" ] ||
        library=$(find /usr/lib /usr/local/lib -name "libmpi_abi_$host.so.1*" 2>/dev/null | head -n 1)
    [ -n "$library" ] || continue
    mkdir -p "$folder/hosts/$host"
    ln -sf "$library" "$folder/hosts/$host/libmpi_abi.so.1"
done
echo "-I$folder/include"
