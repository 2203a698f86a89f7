#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# launch.sh HOST BUILD: mpix-run, installed for one host, finds the MPI of programs, the launcher and the
# library, passes on what is the launcher's, and says in one sentence what it cannot do.
set -u
host=$1 build=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_pml=ob1
export OMPI_MCA_btl_base_warn_component_unused=0 OMPI_MCA_plm_rsh_agent=/bin/false
unset LD_PRELOAD LD_LIBRARY_PATH MPIX_STATS

DESTDIR=$work/root meson install -C "$build" --no-rebuild --quiet >/dev/null || exit 1
library=$(find "$work/root" -path "*/mpix/$host/libmpix.so")
PATH=$(dirname "$(find "$work/root" -name mpix-run)"):$work:$PATH
case $host in
openmpi) other=mpich ;;
mpich) other=openmpi ;;
esac

cat >"$work/app.c" <<'PROGRAM'
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(int argc, char** argv) {
    int size;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (getenv("GO_TO") && chdir(getenv("GO_TO"))) return 1;
    printf("%d ranks, %d arguments\n", size, argc - 1);
    MPI_Finalize();
    return 0;
}
PROGRAM
app=$work/app
"mpicc.$host" "$work/app.c" -o "$app" || exit 1
cp "$(type -P env)" "$work/gdb" # which is a program without MPI too, and always there

failed=0
fault() {
    echo "FAILED: $1"
    failed=1
}
line_is() { # EXPECTED ARGUMENTS...: what would be called
    local expected=$1 line
    shift
    line=$(mpix-run --show "$@" 2>&1)
    line=${line% }
    [ "$line" = "$expected" ] || fault "$(printf 'mpix-run %s\n  gives    %s\n  expected %s' "$*" "$line" "$expected")"
}
runs() { # PATTERN TIMES ARGUMENTS...: as many lines of the output are the pattern
    local pattern=$1 times=$2 output
    shift 2
    output=$(timeout -k 5 40 mpix-run "$@" 2>&1 </dev/null) || fault "mpix-run $* failed: $output"
    [ "$(grep -c "$pattern" <<<"$output")" -eq "$times" ] || fault "mpix-run $* printed: $output"
}
refuses() { # SENTENCE ARGUMENTS...
    local sentence=$1 output
    shift
    output=$(timeout -k 5 40 mpix-run "$@" 2>&1 </dev/null) && fault "mpix-run $* succeeded"
    [[ $output == "mpix-run: "*$sentence* && $output != *$'\n'* ]] || fault "mpix-run $* said: $output"
}

with="env LD_PRELOAD=$library"

# The launcher's options are its own, of all kinds that they come in.
line_is "mpirun.$host -n 2 $with $app a b" -n 2 "$app" a b
line_is "mpirun.$host -n 2 $with $app --stats" -n 2 -- "$app" --stats
line_is "mpirun.$host --host localhost:4 -x NAME --mca pml ob1 --oversubscribe -v $with $app" \
    --host localhost:4 -x NAME --mca pml ob1 --oversubscribe -v "$app"
line_is "mpirun.$host -genv A 1 -f hosts -l $with $app" -genv A 1 -f hosts -l "$app"
line_is "mpirun.$host --unheard-of value $with $app" --unheard-of value "$app"
line_is "mpirun.$host -n 1 $with $app a : -n 2 $with $app b" -n 1 "$app" a : -n 2 "$app" b
line_is "mpirun.$host -n 1 $with gdb --args $app x" -n 1 gdb --args "$app" x
line_is "mpirun.$host -n 1 env MPIX_AUTO=bcast MPIX_CHECK=1 MPIX_STATS=1 MPIX_TRACE=t MPIX_VERBOSE=ways \
LD_PRELOAD=$library $app" --auto=bcast --check -n 1 --stats --trace t --explain "$app"

# So are the variables that are set.
MPIX_RACE=0 line_is "mpirun.$host env MPIX_RACE=0 LD_PRELOAD=$library $app" "$app"
LD_PRELOAD=/lib/x86_64-linux-gnu/libm.so.6 \
    line_is "mpirun.$host env LD_PRELOAD=/lib/x86_64-linux-gnu/libm.so.6:$library $app" "$app"

# A launcher that is named.
line_is "mpirun.$host -n 2 $with $app" "mpirun.$host" -n 2 "$app"
printf '#!/bin/sh\n[ -z "${LD_PRELOAD-}" ] && echo clean\nshift 3\nexec "$@"\n' >"$work/srun"
chmod +x "$work/srun"
line_is "srun -N 1 -n1 $with $app" srun -N 1 -n1 "$app"
runs clean 1 srun -N 1 -n1 "$app"

# They run.
runs '^2 ranks, 1 arguments' 2 -n 2 "$app" argument
runs '^2 ranks, 0 arguments' 2 "mpirun.$host" -n 2 "$app"
runs "$library" 1 -n 1 grep -m 1 -o "$library" /proc/self/maps
runs '^mpix: no plans' 1 --stats -n 2 "$app"
runs '^mpix: no operation is in /.*/t.json: none ran on a plan' 1 --trace "$work/t.json" -n 2 "$app"

# Files are those of the folder in which the program was started.
(cd "$work" && GO_TO=/ runs '^2 ranks' 2 --trace=here.json --stats=json:counts.json -n 2 "$app"; exit $failed) ||
    failed=1
[[ -s $work/here.json && -s $work/counts.json ]] || fault "files of a program that leaves its folder"

# By the other's launcher each rank is alone, and the first says so.
if type -P "mpirun.$other" >/dev/null; then
    output=$(timeout -k 5 40 "mpirun.$other" -n 2 env LD_PRELOAD="$library" "$app" 2>&1 </dev/null)
    [ "$(grep -c '^1 ranks' <<<"$output")" -eq 2 ] || fault "mpirun.$other: $output"
    [ "$(grep -c '^mpix: the launcher has started 2 ranks, and each is alone' <<<"$output")" -eq 1 ] ||
        fault "mpirun.$other is not told of: $output"
    # One's own may have been started within a job of the other's.
    output=$(timeout -k 5 40 env OMPI_COMM_WORLD_SIZE=4 PMI_SIZE=4 "mpirun.$host" -n 1 \
        env LD_PRELOAD="$library" "$app" 2>&1 </dev/null)
    [[ $output != *"the launcher has"* ]] || fault "mpirun.$host is told of: $output"
fi

# A program that was linked with its libmpix has that one.
mpixcc --host-mpi "$host" "$work/app.c" -o "$work/linked" || fault "mpixcc"
line_is "mpirun.$host -n 2 $work/linked" -n 2 "$work/linked"

# One that does not tell is what it is said to be.
line_is "mpirun.$host -n 2 $with gdb" --host-mpi "$host" -n 2 gdb
line_is "mpirun.$host -n 2 $with gdb" -n 2 gdb

# A sanitizer has to come first.
if "mpicc.$host" -fsanitize=address "$work/app.c" -o "$work/sane" 2>/dev/null; then
    sanitizer=$(ldd "$work/sane" | grep -oE '/[^ ]*/libasan[^ ]*')
    line_is "mpirun.$host -n 2 env LD_PRELOAD=$sanitizer:$library $work/sane" -n 2 "$work/sane"
fi

# Python's MPI is that of mpi4py.
if /usr/bin/python3 -c 'import mpi4py' 2>/dev/null && [ "$host" = openmpi ]; then
    line_is "mpirun.openmpi -n 2 $with /usr/bin/python3 app.py" -n 2 /usr/bin/python3 app.py
    printf '#!/usr/bin/python3\nfrom mpi4py import MPI\nworld = MPI.COMM_WORLD\nif world.rank == 0: print(world.size, "ranks")\n' >"$work/app.py"
    chmod +x "$work/app.py"
    runs '^2 ranks' 1 -n 2 "$work/app.py"
fi

# What cannot be done is said.
refuses "there is no program ./none" -n 2 ./none
refuses "no program" -n 2
refuses "--host-mpi openmpi, mpich or abi" --host-mpi lam "$app"
refuses "--trace takes a file" --trace
refuses "--host-mpi takes openmpi" --host-mpi
refuses "there is no launcher /none/mpirun" /none/mpirun -n 2 "$app"
refuses "is built for abi, and no libmpix for that is installed" --host-mpi abi "$app"
refuses "stands before mpirun.$host" -n 2 "mpirun.$host" "$app"
refuses "programs that a file names" -configfile f "$app"
printf '#!/bin/sh\necho "%s"\n' "$([ "$other" = openmpi ] && echo 'mpirun (Open MPI) 4.1.4' || echo HYDRA)" \
    >"$work/mpirun.strange"
chmod +x "$work/mpirun.strange"
refuses "is built for $host, and mpirun.strange is the launcher of $other" mpirun.strange -n 2 "$app"
printf 'int MPI_Init(void) { return 0; }\nint main(void) { return MPI_Init(); }\n' >"$work/static.c"
cc -static "$work/static.c" -o "$work/static" || fault "cc -static"
refuses "statically" -n 2 "$work/static"
if type -P nm >/dev/null; then
    cc "$work/static.c" -o "$work/inside" || fault "cc"
    refuses "statically" -n 2 "$work/inside"
    refuses "statically" --host-mpi "$host" -n 2 "$work/inside"
fi
cc -shared -o "$work/libmpi.so.12" -Wl,-soname,libmpi.so.12 "$work/static.c" &&
    cc -Wl,--no-as-needed "$work/static.c" "$work/libmpi.so.12" -o "$work/foreign"
refuses "is built for libmpi.so.12" -n 2 "$work/foreign"

# Where MPICH has that name, so has the libmpix for it.
its=${library%/*/*}/mpich/libmpix.so
mkdir -p "${its%/*}"
cc -shared -Wl,--no-as-needed -x c /dev/null -x none "$work/libmpi.so.12" -o "$its" || fault "cc -shared"
line_is "mpirun.mpich -n 2 env LD_PRELOAD=$its $work/foreign" -n 2 "$work/foreign"

exit $failed
