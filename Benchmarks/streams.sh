#!/usr/bin/env bash
# Runs `errand-bench streams` with its HTTP/2 server. usage: streams.sh ERRAND-BENCH PYTHON
#   PYTHON: an interpreter with the package h2
set -euo pipefail
bench=$(realpath "$1") python=$2
cd "$(dirname "$0")"
scratch=$(mktemp -d)
server=
finish() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    rm -rf "$scratch"
}
trap finish EXIT

openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$scratch/key" -out "$scratch/pem" \
    -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost 2>/dev/null
"$python" streams.py "$scratch/pem" "$scratch/key" "$scratch/port" &
server=$!
for _ in $(seq 100); do [ -e "$scratch/port" ] && break; sleep 0.1; done
[ -e "$scratch/port" ] || { echo 'the HTTP/2 server did not start'; exit 1; }
timeout 300 "$bench" streams "https://localhost:$(cat "$scratch/port")/" "$scratch/pem"
