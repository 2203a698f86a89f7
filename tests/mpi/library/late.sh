#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# late.sh RUNNER HOST LIBRARY PROGRAM TRACE_TOOL [PICTURE_CHECK]: the trace of a program one of whose
# ranks is late names that rank, and its picture shows it. With a check the picture is what a browser
# makes of it; without one the test is skipped.
set -u
runner=$1 host=$2 library=$3 program=$4 tool=$5 check=${6-}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
fail() { printf '%s\n' "$@"; exit 1; }
if [[ -n $check ]]; then
    browser=$(command -v chromium || command -v google-chrome) || { echo 'no chromium'; exit 77; }
fi

for late in 0 2; do
    bash "$runner" "$host" 3 30 LD_PRELOAD="$library" MPIX_TRACE="$folder/trace.json" \
        -- "$program" $late 30 >"$folder/said" 2>&1 || fail 'fails' "$(cat "$folder/said")"
    found=$(python3 -B "$tool" "$folder/trace.json" --svg "$folder/trace.svg") || fail 'mpix-trace fails'
    # The first row is that of the rank that was waited for longest.
    row=$(sed -n 2p <<<"$found")
    [[ $row =~ ^Allreduce\ .*\ rank\ $late\ on\ .*\ ([0-9]+)/30\ +([0-9]+)\.[0-9]$ ]] ||
        fail "not rank $late:" "$found"
    ((BASH_REMATCH[1] > 15 && BASH_REMATCH[2] > 2500)) || fail 'not late often or long:' "$found"
done
python3 - "$folder/trace.svg" <<'END' || fail 'not a picture of three ranks with arrows'
import sys, xml.etree.ElementTree as tree
parts = [part.tag.split("}")[1] for part in tree.parse(sys.argv[1]).iter()]
sys.exit(not (parts.count("text") >= 3 and parts.count("title") > 10 and parts.count("line") > 10))
END
echo '{"traceEvents": 3}' >"$folder/none.json"
for wrong in none.json missing.json; do
    said=$(python3 -B "$tool" "$folder/$wrong" 2>&1) && fail 'reads what is no trace'
    [[ $said == "mpix-trace: $folder/$wrong is no trace: "* && $(wc -l <<<"$said") == 1 ]] || fail "$said"
done
[[ -n $check ]] || exit 0

HOME=$folder timeout -k 5 60 "$browser" --headless --no-sandbox --disable-gpu --window-size=960,240 \
    --screenshot="$folder/trace.png" "file://$folder/trace.svg" >"$folder/said" 2>&1 ||
    fail 'the browser fails' "$(cat "$folder/said")"
python3 -B "$check" "$folder/trace.png"
