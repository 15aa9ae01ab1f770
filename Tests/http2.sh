#!/usr/bin/env bash
# The TLS fault suite (HTTP/2, and HTTP/1.1 bodies without a length) and the exit test of CurlSession.
# usage: http2.sh WIRE-FUZZ PYTHON [RUNS [LIBCURL…]]
#   WIRE-FUZZ: the built program
#   PYTHON: an interpreter with the package h2
#   RUNS: the number of runs of the exit test with each libcurl (default: 200)
#   LIBCURL: the libcurl to test, as in Scripts/with-libcurl.sh (default: system)
set -euo pipefail
fuzz=$(realpath "$1") python=$2 runs=${3:-200}
shift $(($# < 3 ? $# : 3))
places=()
for place in "${@:-system}"; do places+=("$([ "$place" = system ] && echo system || realpath "$place")"); done
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
server=
finish() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    rm -rf "$scratch"
}
trap finish EXIT

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$scratch/key" -out "$scratch/pem" \
    -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost,IP:127.0.0.1 2>/dev/null
"$python" Tests/http2.py "$scratch/pem" "$scratch/key" "$scratch/port" 2>"$scratch/server.log" &
server=$!
for _ in $(seq 100); do [ -e "$scratch/port" ] && break; sleep 0.1; done
[ -e "$scratch/port" ] || { cat "$scratch/server.log"; echo 'the HTTP/2 server did not start'; exit 1; }
url=https://localhost:$(cat "$scratch/port")/

status=0
for place in "${places[@]}"; do
    log=$scratch/faults
    with=(Scripts/with-libcurl.sh "$place" "$fuzz")
    ended=0
    timeout 300 "${with[@]}" --http2 "$url" --authorities "$scratch/pem" >"$log" 2>&1 || ended=$?
    if [ "$ended" -ne 0 ]; then
        status=1
        grep -E 'WRONG' "$log" | head -n 40 || true
        [ "$ended" -eq 1 ] || { tail -n 1 "$log"; echo "wire-fuzz ended after this line with status $ended"; }
    fi
    echo "$(head -n 1 "$log"): $(($(wc -l <"$log") - 1)) rows, $(grep -c WRONG "$log" || true) wrong"
    [ "$runs" -gt 0 ] || continue
    crashes=0
    for run in $(seq "$runs"); do
        SWIFT_BACKTRACE=enable=no timeout 20 "${with[@]}" --http2 "${url}wait" --authorities "$scratch/pem" \
            --exit-after $((20 + run % 40)) >"$scratch/exit.log" 2>&1 || crashes=$((crashes + 1))
    done 2>/dev/null
    echo "exit with TLS calls in flight: $runs runs, $crashes failed"
    [ "$crashes" -eq 0 ] || status=1
done
exit "$status"
