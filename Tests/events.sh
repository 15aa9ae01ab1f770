#!/usr/bin/env bash
# Receives event streams from a server that drops connections at random bytes and expires tokens. Fails unless each event is
# received once and in order, and each expiry causes one refresh. Prints counts and the resident memory.
# usage: events.sh WIRE-FUZZ [EVENTS [DROPS [EXPIRIES [SEED]]]]
#   WIRE-FUZZ: the built program
#   EVENTS: the number of events (default: 1000000)
#   DROPS: the number of connections that are dropped within the events (default: 1000)
#   EXPIRIES: the maximum number of times that the token expires (default: 200)
#   SEED: the seed of the random choices (default: 7)
set -euo pipefail
fuzz=$(realpath "$1") events=${2:-1000000} drops=${3:-1000} expiries=${4:-200} seed=${5:-7}
streams=4 port=18092
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
server=
finish() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    wait 2>/dev/null || true
    rm -rf "$scratch"
}
trap finish EXIT

status=0
for session in curl urlsession; do
    # URLSession on Linux traps on an incomplete header section.
    options=; [ "$session" != curl ] || options=--header-drops
    python3 Tests/event-server.py "$port" $((events / streams)) $((drops / streams)) "$expiries" "$seed" $options \
        >"$scratch/log" 2>&1 &
    server=$!
    for _ in $(seq 100); do
        (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null && break
        kill -0 "$server" 2>/dev/null || break
        sleep 0.1
    done
    start=$SECONDS
    "$fuzz" --events "$session" "http://127.0.0.1:$port" "$streams" $((events / streams)) || status=1
    echo "  $((SECONDS - start)) s"
    if [ -s "$scratch/log" ]; then cat "$scratch/log"; status=1; fi
    kill "$server"
    wait "$server" 2>/dev/null || true
    server=
done
exit "$status"
