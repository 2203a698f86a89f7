#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# scale.sh [HOST]: what docs/scale.md shows: prints its table, and draws docs/scale.svg and
# docs/scale-planning.svg. It needs build/HOST/tools/mpix-simulate (default openmpi).
set -eu
cd "$(dirname "$0")/.."
bash scripts/install.sh gnuplot-nox
simulate=build/${1:-openmpi}/tools/mpix-simulate
machine=(latency=1.5 overhead=0.2 per_byte=0.0001 streams=1)
topologies='node:4 core:64,node:16 core:64,node:64 core:64,node:16384 core:64'

"$simulate" --topology "$topologies" --ops barrier,bcast,reduce,allreduce,scan --bytes 8 "${machine[@]}"
"$simulate" --topology "$topologies" --ops bcast,allreduce,scan --bytes 64K "${machine[@]}" | tail -n +2
"$simulate" --topology 'node:4 core:64,node:16 core:64' --ops gather,allgather,alltoall,reduce_scatter \
    --bytes 1K "${machine[@]}" | tail -n +2
"$simulate" --topology 'node:4 core:64,node:16 core:64' --ops allgather --bytes 8,16K \
    "${machine[@]}" | tail -n +2

rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
topologies=$(printf 'node:%d core:64,' 2 4 8 16 32 64)
"$simulate" --topology "${topologies%,}" --ops bcast,allreduce,scan --bytes 8,64K "${machine[@]}" >"$rows"
series=
for row in 'bcast 8' 'bcast 65536' 'allreduce 8' 'allreduce 65536' 'scan 8' 'scan 65536'; do
    read -r operation bytes <<<"$row"
    series+="'< grep -E \"^$operation +$bytes \" $rows' using 4:12 with linespoints title '$operation $((bytes < 1024 ? bytes : bytes / 1024)) $([ $bytes -lt 1024 ] && echo B || echo KiB)', "
done
gnuplot <<END
set terminal svg size 720,420 font 'sans,13'
set output 'docs/scale.svg'
set logscale xy 2
set xlabel 'ranks, 64 a node'
set ylabel 'quickest flat plan / chosen plan'
set key outside right
set grid
plot ${series%, }
END

# What planning takes a rank, and the memory of a plan, up to a million ranks.
topologies=$(printf 'node:%d core:64,' 4 16 64 256 1024 4096 16384)
"$simulate" --chosen --topology "${topologies%,}" --ops barrier,bcast,allreduce,scan,allgather,reduce_scatter \
    --bytes 8 "${machine[@]}" >"$rows"
"$simulate" --chosen --topology "${topologies%,}" --ops allreduce --bytes 64K "${machine[@]}" | tail -n +2 >>"$rows"
plots() { # COLUMN SCALE
    local row operation bytes
    for row in 'barrier 8' 'bcast 8' 'allreduce 8' 'allreduce 65536' 'scan 8' 'allgather 8' 'reduce_scatter 8'; do
        read -r operation bytes <<<"$row"
        printf "'< grep -E \"^%s +%s \" %s' using 4:(\$%s/%s) with linespoints title '%s', " \
            "$operation" "$bytes" "$rows" "$1" "$2" \
            "${operation//_/ }$([ "$operation" = barrier ] || echo " $((bytes < 1024 ? bytes : bytes / 1024)) $([ $bytes -lt 1024 ] && echo B || echo KiB)")"
    done
}
time=$(plots 9 1) memory=$(plots 10 1000)
gnuplot <<END
set terminal svg size 1100,420 font 'sans,13'
set output 'docs/scale-planning.svg'
set multiplot layout 1,2
set logscale xy
set xrange [150:2e6]
set xlabel 'ranks, 64 a node'
set grid
set key off
set ylabel 'planning, us a rank'
plot ${time%, }
set key outside right
set ylabel 'a plan, kB'
plot ${memory%, }
unset multiplot
END
