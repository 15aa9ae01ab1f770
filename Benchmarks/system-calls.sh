#!/usr/bin/env bash
# Prints the system calls and allocations of each session for a request, with responses of 1 kB and 64 requests in flight. Omits
# system calls that fewer than 5 % of the requests need. Requires nginx and strace. usage: system-calls.sh ERRAND_BENCH
# Each session runs with 2,000 and with 12,000 requests. The difference does not contain the start of the program.
set -euo pipefail
bench=$(realpath "$1") port=18084
cd "$(dirname "$0")"
command -v strace >/dev/null || { echo 'strace is not installed (package strace)'; exit 1; }
scratch=$(mktemp -d)
./nginx.sh $port >"$scratch/nginx" 2>&1 &
server=$!
trap 'kill $server 2>/dev/null || true; rm -rf "$scratch"' EXIT
for _ in $(seq 50); do ! (exec 3<>/dev/tcp/127.0.0.1/$port) 2>/dev/null || break; sleep 0.1; done
kill -0 $server 2>/dev/null || { cat "$scratch/nginx"; exit 1; }

run() { # run NAME REQUESTS COMMAND…
    "${@:3}" timeout 300 "$bench" sessions --url http://127.0.0.1:$port/ --in-flight 64 --only "$1" --requests "$2"
}
for subject in floor 'floor + decode' CurlSession 'CurlSession, APILoader' URLSession; do
    run "$subject" 10000
    for requests in 2000 12000; do
        run "$subject" $requests strace -f -c -S name -o "$scratch/$requests" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
    done
    # A line of strace has the share of the time, the seconds, microseconds for each call, calls, errors (if any) and the name.
    awk '
        $4 ~ /^[0-9]+$/ && $NF != "total" { counts[$NF] += (FNR == NR ? -$4 : $4) }
        END { for (name in counts) if (counts[name] >= 500) printf "%8.2f  %s\n", counts[name] / 10000, name }
    ' "$scratch/2000" "$scratch/12000" | sort -nr
done
