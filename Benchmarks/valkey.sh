#!/usr/bin/env bash
# Runs `errand-bench valkey` with a server on a free port, and redis-benchmark with the same PING commands and the
# Lua script of a reservation.
# usage: valkey.sh ERRAND-BENCH [SERVER [COMMANDS]]
#   SERVER: the program (default: redis-server)
#   COMMANDS: the number of PING commands (default: 1000000)
set -euo pipefail
bench=$(realpath "$1") program=${2:-redis-server} commands=${3:-1000000}
scratch=$(mktemp -d)
server= status=0
finish() {
    [ -z "$server" ] || { kill "$server" && wait "$server"; } 2>/dev/null || true
    rm -rf "$scratch"
}
trap finish EXIT

port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
"$program" --bind 127.0.0.1 --port "$port" --save '' --slowlog-log-slower-than 5 --dir "$scratch" >"$scratch/log" &
server=$!
for _ in $(seq 100); do (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break; sleep 0.1; done
for depth in 1 50 1000; do
    printf 'redis-benchmark, 1 connection, %s in flight: ' "$depth"
    redis-benchmark -p "$port" -c 1 -P "$depth" -n "$((commands < depth * 10000 ? commands : depth * 10000))" -q -t ping_mbulk | tr '\r' '\n' | grep -o '[0-9.]* requests per second'
done
timeout 600 "$bench" valkey --url "redis://127.0.0.1:$port" --commands "$commands" || status=$?
# The slow log contains the recent EVALSHA commands. The hash of the script is read from it.
script=$(redis-cli -p "$port" SLOWLOG GET 10 | grep -m 1 -oE '^[0-9a-f]{40}$') || { echo 'FAILED: no script in the log'; exit 1; }
redis-benchmark -p "$port" -c 8 -n 16000 EVALSHA "$script" 1 errand:bench:script 1 1000000 1 0 >"$scratch/takes"
printf 'redis-benchmark, 8 connections with the script of take without a pause: '
awk '/throughput/ { printf "%d/s", $3 } /^ *avg/ { getline; printf ", median %d µs, 99th percentile %d µs\n", $3 * 1000, $5 * 1000 }' \
    "$scratch/takes"
exit "$status"
