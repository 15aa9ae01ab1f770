#!/usr/bin/env bash
# Runs a program with another libcurl than the system's. Nothing is installed.
# usage: with-libcurl.sh PLACE PROGRAM [ARGUMENT…]
#   PLACE: `system` for the system's libcurl, or a folder that has a `libcurl.so.4`, or a private root as
#          `unpack-libcurl.sh FOLDER SUITE` makes one: its libcurl runs with its own libc.
set -euo pipefail
[ $# -ge 2 ] || { sed -n '2,5s/^# //p' "$0"; exit 64; }
place=$1 program=$2
shift 2
if [ "$place" = system ]; then exec "$program" "$@"; fi

loader=$(find -L "$place/lib64" "$place/usr/lib64" -name 'ld-linux*.so.*' 2>/dev/null | head -n 1 || true)
if [ -z "$loader" ]; then
    [ -e "$place/libcurl.so.4" ] || { echo "expected libcurl.so.4 or a private root in $place, found neither"; exit 66; }
    LD_LIBRARY_PATH=$(realpath "$place") exec "$program" "$@"
fi
library=$(find "$place" -name libcurl.so.4 | head -n 1)
[ -n "$library" ] || { echo "expected a libcurl.so.4 in $place, found none"; exit 66; }
# The root's own loader, for this program alone: what the program starts has the system's libc. The Swift libraries are found by
# the program's own search path.
exec "$loader" --inhibit-cache --library-path "$(dirname "$(realpath "$library")")" "$(command -v "$program")" "$@"
