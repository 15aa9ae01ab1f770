#!/usr/bin/env bash
# Compares the time of `gallery` with that of curl in the same run, and fails above the limits:
#   fetch  1,000 pictures of 100 kB from nginx on this machine, 16 at a time, to files on the disk and to files in memory.
#          The goal is the wall-clock time of curl. The limits are in gallery.py.
#   start  `gallery --help`: at most 3 × the time of `curl --help`
# It builds the program dynamically and statically linked. usage: gallery.sh [PORT]
set -euo pipefail
cd "$(dirname "$0")/.."
port=${1:-18090}
command -v curl >/dev/null || { echo 'curl is not installed: install the package curl'; exit 1; }

swift build -c release --product gallery 2>&1 | tail -n 1
Scripts/build-static.sh | tail -n 1

scratch=$(mktemp -d)
server=
finish() {
    [ -z "$server" ] || { kill "$server" 2>/dev/null && wait "$server"; } || true
    rm -rf "$scratch"
}
trap finish EXIT
trap exit INT TERM
python3 Benchmarks/gallery.py files "$scratch" "$port"
Benchmarks/nginx.sh "$port" "$scratch" >"$scratch/nginx.log" 2>&1 &
server=$!
for _ in $(seq 50); do
    curl --silent --fail --output /dev/null "http://127.0.0.1:$port/photos?page=1" && break
    sleep 0.1
done

# Ignores the configuration, the key and the proxy of the user.
export XDG_CONFIG_HOME=$scratch XDG_CACHE_HOME=$scratch no_proxy='*'
unset UNSPLASH_ACCESS_KEY
programs=(.build/release/gallery .build/static/release/gallery)
python3 Benchmarks/gallery.py start "${programs[@]}"
python3 Benchmarks/gallery.py fetch "$scratch" "$port" "${programs[@]}"
