#!/usr/bin/env bash
# Runs a program with a libcurl other than the system's. Nothing is installed.
# usage: with-libcurl.sh LIBCURL PROGRAM [ARGUMENT…]
#   LIBCURL: `system` for the system's libcurl, a folder that contains `libcurl.so.4`, or a private root that
#            `unpack-libcurl.sh FOLDER SUITE` has created. The libcurl of a private root runs with the libc of the root.
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
# The root's own loader applies to this program only. Child processes use the system's libc. The program's own search path finds
# the Swift libraries.
exec "$loader" --inhibit-cache --library-path "$(dirname "$(realpath "$library")")" "$(command -v "$program")" "$@"
