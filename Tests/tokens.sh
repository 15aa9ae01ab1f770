#!/usr/bin/env bash
# Starts an authorization server with tokens that expire after a second, and processes that share one session through a
# ValkeyTokenStore. Kills processes at random moments and starts them again. Fails if a token is refreshed twice, if a session ends
# although no process was killed during its refresh, or if the number of refreshes is too small.
# usage: tokens.sh WIRE-FUZZ SERVER [PROCESSES [SECONDS]]
#   WIRE-FUZZ: the built program
#   SERVER: the program redis-server or valkey-server
#   PROCESSES: the number of processes (default: 8)
#   SECONDS: the duration, about one refresh per second (default: 60)
set -euo pipefail
fuzz=$(realpath "$1") valkey=$2 processes=${3:-8} seconds=${4:-60}

source "$(dirname "$0")/servers.sh"
report() { curl -sS --max-time 10 "$url/report"; }
has_session() { [ "$(report | cut -d ' ' -f 1)" -gt 0 ]; }

start_valkey
"$fuzz" --token-server >"$scratch/url" 2>"$scratch/server.log" &
children+=($!)
await test -s "$scratch/url"
url=$(cat "$scratch/url")

end=$((SECONDS + seconds))
declare -a workers
start() { # start NUMBER
    local rest=$((end - SECONDS))
    "$fuzz" --token-client "$url" "redis://127.0.0.1:$port" $((rest > 1 ? rest : 1)) >"$scratch/$1.out" 2>"$scratch/$1.log" &
    workers[$1]=$!
    children+=($!)
}
# The first process signs in.
start 0
await has_session
for number in $(seq 1 $((processes - 1))); do start "$number"; done
kills=0
while [ "$SECONDS" -lt $((end - 2)) ]; do
    sleep "0.$((RANDOM % 9 + 1))"
    number=$((RANDOM % processes))
    { kill -9 "${workers[$number]}" && wait "${workers[$number]}"; } 2>/dev/null || true
    kills=$((kills + 1))
    start "$number"
done
for number in "${!workers[@]}"; do wait "${workers[$number]}" || failed 'a process failed'; done
read -r refreshes early revocations lost sessions <<<"$(report)"
echo "$processes processes, $kills kills: $refreshes refreshes, $early too early, $revocations revocations, $lost lost, $sessions sign-ins"
[ "$early" -eq 0 ] || failed 'a token was refreshed before it expired'
[ "$revocations" -eq 0 ] || failed 'a refresh token was used twice'
# Each lost session can cause a sign-in of each process.
[ "$sessions" -le $((1 + lost * processes)) ] || failed 'a session ended without a reason'
# After a kill during a refresh, the lease lasts for five seconds.
[ "$refreshes" -ge $((seconds / 3)) ] || failed 'expected more refreshes'
