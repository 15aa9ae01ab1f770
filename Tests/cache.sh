#!/usr/bin/env bash
# Runs two processes at a time, with eight tasks each, on the folder of one DiskCacheStore, and kills the older one again and
# again. Fails unless each process finds only complete entries with the right bytes. Then writes to a store with a capacity of
# 100 MB, and fails if its folder exceeds it.
# usage: cache.sh WIRE-FUZZ [KILLS [MEGABYTES [SEED]]]
#   WIRE-FUZZ: the built program
#   KILLS: the number of processes that are killed (default: 200)
#   MEGABYTES: the amount that is written to the store of 100 MB (default: 10240)
#   SEED: the seed of the random choices (default: 7)
set -euo pipefail
fuzz=$(realpath "$1") kills=${2:-200} megabytes=${3:-10240} seed=${4:-7}

scratch=$(mktemp -d)
first= second=
finish() {
    for client in $first $second; do kill -9 "$client" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$scratch"
}
trap finish EXIT

RANDOM=$seed
started=0
start() { # start: runs a client that ends only if it is killed or finds an error
    started=$((started + 1))
    "$fuzz" --cache "$scratch/shared" 20 100000000 $((seed * 1000 + started)) >"$scratch/$started.log" 2>&1 &
}
start; first=$!
for _ in $(seq "$kills"); do
    start; second=$!
    sleep "0.$(printf %03d $((150 + RANDOM % 400)))"
    for client in $first $second; do
        kill -0 "$client" 2>/dev/null || { cat "$scratch"/*.log; echo 'FAILED: a client has ended'; exit 1; }
    done
    # Kill the older client, so that each one overlaps with two others.
    kill -9 "$first"
    wait "$first" 2>/dev/null || true
    first=$second second=
done
kill -9 "$first"
wait "$first" 2>/dev/null || true
first=
"$fuzz" --cache "$scratch/shared" 20 0 1
entries=$(grep -hoE 'start: [0-9]+' "$scratch"/*.log | awk '{ sum += $2 } END { print sum + 0 }')
echo "$((started - 1)) clients killed while another one worked, $entries entries checked at the starts"
"$fuzz" --cache "$scratch/large" 100 "$megabytes" "$seed"
