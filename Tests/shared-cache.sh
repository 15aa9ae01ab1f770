#!/usr/bin/env bash
# Runs processes that share the responses of a server through a ValkeyCacheStore. Each process reads all resources in another order,
# then random ones. Fails if a resource is requested twice, or if a body is wrong. Then lets the processes read more than the store
# can hold, and fails if the store exceeds its capacity.
# usage: shared-cache.sh WIRE-FUZZ SERVER [PROCESSES [RESOURCES [READS]]]
#   WIRE-FUZZ: the built program
#   SERVER: the program redis-server or valkey-server
#   PROCESSES: the number of processes (default: 8)
#   RESOURCES: the number of resources, with 96 kB on average (default: 1000)
#   READS: the number of reads of each process (default: 12500)
set -euo pipefail
fuzz=$(realpath "$1") valkey=$2 processes=${3:-8} resources=${4:-1000} reads=${5:-12500}

source "$(dirname "$0")/servers.sh"

start_valkey

# Runs the processes with a capacity, and sets `sums` to their reads, wrong bodies, requests, and the largest usage.
run() { # run RESOURCES READS CAPACITY
    local number pids=()
    : >"$scratch/url"
    "$fuzz" --cache-origin >"$scratch/url" 2>"$scratch/server.log" &
    children+=($!)
    await test -s "$scratch/url"
    url=$(cat "$scratch/url")
    for number in $(seq "$processes"); do
        timeout 900 "$fuzz" --cache-client "$url" "redis://127.0.0.1:$port" "$1" "$2" "$3" "$number" \
            >"$scratch/$number.out" 2>"$scratch/$number.log" &
        pids+=($!)
        children+=($!)
    done
    for number in "${!pids[@]}"; do
        wait "${pids[$number]}" || { cat "$scratch"/*.out; failed 'a process failed'; }
    done
    sums=$(awk '{ r += $1; w += $2; m += $3; l = $4 > l ? $4 : l } END { print r, w, m, l }' "$scratch"/*.out)
    read -r found requests <<<"$(curl -sS --max-time 10 "$url/report")"
}
begin=$SECONDS
run "$resources" "$reads" $((resources * 100000 + 2000000))
read -r total wrong _ largest <<<"$sums"
echo "$processes processes, $total reads of $found resources: $requests requests, $wrong wrong, at most $largest bytes, $((SECONDS - begin)) s"
[ "$requests" -eq "$resources" ] || failed "expected one request for each of $resources resources"
run $((resources * 2)) $((resources * 2)) $((resources * 50000))
read -r total wrong _ largest <<<"$sums"
echo "with a capacity of $((resources * 50000)) bytes: $total reads of $found resources, $requests requests, $wrong wrong, at most $largest bytes"
