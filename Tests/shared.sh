#!/usr/bin/env bash
# Starts a Redis or Valkey server with a password, `gallery serve`, and several `gallery fetch` that share a limit. Fails if a
# command fails or does not use the server for each request, or if together they are faster than the limit or much slower.
# usage: shared.sh GALLERY SERVER [PROCESSES [RATE]]
#   GALLERY: the built program
#   SERVER: the program redis-server or valkey-server
#   PROCESSES: the number of `gallery fetch` (default: 4)
#   RATE: the limit in requests per second (default: 20)
set -euo pipefail
gallery=$(realpath "$1") server=$2 processes=${3:-4} rate=${4:-20} pages=10

scratch=$(mktemp -d)
children=
finish() {
    for process in $children; do kill "$process" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$scratch"
}
trap finish EXIT
free_port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }

export GALLERY_SHARED_PASSWORD=s3cr3t
store=$(free_port)
"$server" --bind 127.0.0.1 --port "$store" --requirepass "$GALLERY_SHARED_PASSWORD" --save '' --dir "$scratch" >"$scratch/store.log" &
children+=" $!"
"$gallery" serve --port 0 >"$scratch/url" &
children+=" $!"
for _ in $(seq 100); do
    [ -s "$scratch/url" ] && (exec 3<>"/dev/tcp/127.0.0.1/$store") 2>/dev/null && break
    sleep 0.1
done
url=$(head -n 1 "$scratch/url")
[ -n "$url" ] || { cat "$scratch"/*.log; echo 'FAILED: gallery serve has not started'; exit 1; }

fetches=
began=$(date +%s%N)
for number in $(seq "$processes"); do
    timeout -k 5 120 "$gallery" fetch --quiet --explain --no-cache --per-page 1 --pages "$pages" --output "$scratch/$number" \
        --base-url "$url" --rate "$rate" --workers "$((processes * 10))" --shared "redis://127.0.0.1:$store" >"$scratch/$number.log" 2>&1 &
    fetches+=" $!"
    children+=" $!"
done
failed=0
for fetch in $fetches; do wait "$fetch" || failed=1; done
spent=$((($(date +%s%N) - began) / 1000000)) # in milliseconds
least=$(((processes * pages - 1) * 1000 / rate))
echo "$processes processes, $((processes * pages)) requests, $rate/s: $spent ms, at least $least ms expected"
[ "$failed" -eq 0 ] || { cat "$scratch"/*.log; echo 'FAILED: a command failed'; exit 1; }
# A process without the server has a fortieth of the rate, so the time shows it, too.
if grep -h -e '^gallery: ' -e 'the store of the shared limit failed' "$scratch"/[0-9]*.log; then
    echo 'FAILED: a command could not use the server'
    exit 1
fi
[ "$spent" -ge "$least" ] || { echo 'FAILED: the limit was exceeded'; exit 1; }
[ "$spent" -le $((least * 2 + 5000)) ] || { echo 'FAILED: the limit was not used'; exit 1; }
