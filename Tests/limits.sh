#!/usr/bin/env bash
# Starts a server with a hard limit and processes that share it through a FolderLimitStore. The first process is killed in the
# middle. Fails if the server refuses a request, if a call of the store fails, if the state of the limit is lost, or if less than
# 95 % of the limit is used.
# usage: limits.sh WIRE-FUZZ [PROCESSES [REQUESTS [RATE]]]
#   WIRE-FUZZ: the built program
#   PROCESSES: the number of processes besides the killed one (default: 8)
#   REQUESTS: the number of requests of each process (default: 10000)
#   RATE: the limit in requests per second (default: 4000)
set -euo pipefail
fuzz=$(realpath "$1") processes=${2:-8} requests=${3:-10000} rate=${4:-4000}

scratch=$(mktemp -d)
server= killed= clients=
finish() {
    for process in $server $killed $clients; do kill -9 "$process" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$scratch"
}
trap finish EXIT

# The requests come with a burst of 1. The delays of a busy machine make some of them meet at the server, so it allows those of a
# quarter of a second.
burst=$((rate / 4))
"$fuzz" --limit-server "$rate" "$burst" >"$scratch/url" 2>"$scratch/server.log" &
server=$!
for _ in $(seq 100); do [ ! -s "$scratch/url" ] || break; sleep 0.1; done
url=$(cat "$scratch/url")
[ -n "$url" ] || { cat "$scratch/server.log"; echo 'FAILED: the server has not started'; exit 1; }

"$fuzz" --limit-client "$url" "$scratch/limits" 1000000 "$rate" >"$scratch/killed.log" 2>&1 &
killed=$!
for number in $(seq "$processes"); do
    timeout -k 5 600 "$fuzz" --limit-client "$url" "$scratch/limits" "$requests" "$rate" >"$scratch/$number.log" 2>&1 &
    clients+=" $!"
done
# On a busy machine, the processes need some time to start.
for _ in $(seq 200); do ! compgen -G "$scratch/limits/*.limit" >"$scratch/found" || break; sleep 0.1; done
sleep 1
kill -0 "$killed" 2>/dev/null || { cat "$scratch/killed.log"; echo 'FAILED: the process to be killed has ended'; exit 1; }
state() { cut -d ' ' -f 2 "$scratch"/limits/*.limit; } # the time at which the state of the limit was created
before=$(state)
kill -9 "$killed"
wait "$killed" 2>/dev/null || true
killed= failed=0
for client in $clients; do wait "$client" || failed=1; done
clients=
read -r count refusals largest used <<<"$(curl -sS --max-time 10 "$url/report")"
echo "$processes processes and a killed one: $count requests, $refusals refused, $used % of $rate/s, largest burst $largest of $burst"
[ "$failed" -eq 0 ] || { cat "$scratch"/*.log; echo 'FAILED: a process failed'; exit 1; }
[ "$(state)" = "$before" ] || { echo 'FAILED: the state of the limit was lost'; exit 1; }
[ "$refusals" -eq 0 ] || { echo 'FAILED: the limit was exceeded'; exit 1; }
[ "$used" -ge 95 ] && [ "$used" -le 105 ] || { echo 'FAILED: the limit was not used, or exceeded'; exit 1; }
