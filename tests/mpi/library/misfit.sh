#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# misfit.sh RUNNER HOST LIBRARY PROGRAM FLAGS: where the library does not belong it says so in one
# sentence, and either leaves everything to the host or ends the program; nothing crashes. PROGRAM
# knows MPI alone; FLAGS compile for the host.
set -u
runner=$1 host=$2 library=$3 program=$4 flags=$5
own=$host
[[ $host != abi ]] || own=${MPIX_ABI_HOST:-mpich}
files=$(mktemp -d)
trap 'rm -rf "$files"' EXIT
fail() { printf '%s\n' "$@"; exit 1; }
# EXPECTED_STATUS SENTENCE TIMES HOST [VARIABLE...] PROGRAM
says() {
    local status=$1 sentence=$2 times=$3 on=$4 output got said
    output=$(bash "$runner" "$on" 2 20 "${@:5:$#-5}" -- "${@: -1}" 2>&1)
    got=$?
    said=$(grep -c "^mpix: .*$sentence" <<<"$output")
    [[ $(grep -c '^mpix: ' <<<"$output") -eq $said ]] || fail 'says more' "$output"
    if [[ $status == ended ]]; then
        # The launcher may end the others before they have said it.
        [[ $said -ge 1 && $said -le $times ]] || fail "said $said times: $sentence" "$output"
        [[ $got -ne 0 && $got -lt 124 ]] || fail "status $got of a program that is to end" "$output"
    else
        [[ $said -eq $times ]] || fail "said $said times and not $times: $sentence" "$output"
        [[ $got -eq 0 ]] || fail "status $got with: $sentence" "$output"
    fi
}

# Where it belongs it says nothing.
says fine '' 0 "$host" "LD_PRELOAD=$library" "$program"

# Twice, by a preload line and a link line that name two copies.
cp "$library" "$files/libmpix_copy.so"
says fine 'libmpix_copy.so is loaded behind .*libmpix' 2 "$host" \
    "LD_PRELOAD=$library $files/libmpix_copy.so" "$program"

# A host that says it is of MPI 2.
cat >"$files/old.c" <<'.'
int PMPI_Get_version(int* version, int* subversion) { *version = 2; *subversion = 2; return 0; }
.
gcc -shared -fPIC -o "$files/old.so" "$files/old.c" || fail 'does not compile'
says fine 'is older than MPI 3: everything is left to it' 2 "$host" \
    "LD_PRELOAD=$library $files/old.so" "$program"

# Before a program of another host, and with another host in the process.
cat >"$files/small.c" <<'.'
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
    const char* other = getenv("OTHER_MPI");
    if (other && !dlopen(other, RTLD_NOW | RTLD_LOCAL)) return puts(dlerror()), 1;
    MPI_Init(&argc, &argv);
    int ranks = 0, sum = 0, one = 1;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return sum != ranks;
}
.
# shellcheck disable=SC2086
gcc -w -o "$files/own" "$files/small.c" $flags -ldl || fail 'does not compile'
for other in openmpi mpich; do
    [[ $other != "$host" ]] && command -v "mpicc.$other" >/dev/null || continue
    "mpicc.$other" -w -o "$files/$other" "$files/small.c" -ldl || fail 'does not compile'
    says fine '' 0 "$other" "$files/$other"
    says ended 'this libmpix.* is built for .*, and the MPI library of the program is ' 2 "$other" \
        "LD_PRELOAD=$library" "$files/$other"
    [[ $other != "$own" ]] || continue
    path=$(ldd "$files/$other" | sed -n 's/.*=> \(.*lib\(mpi\|mpich\)\.so[^ ]*\) .*/\1/p')
    [[ -f $path ]] || fail "no library of $other"
    says fine 'two MPI libraries are in this process' 2 "$host" "OTHER_MPI=$path" \
        "LD_PRELOAD=$library" "$files/own"
done
