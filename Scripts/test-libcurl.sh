#!/usr/bin/env bash
# Tests the transports with each libcurl, and prints a line for each. Fails if a test fails.
# usage: test-libcurl.sh [--python PYTHON] LIBCURL…
#   LIBCURL: `system`, a folder with a `libcurl.so.4`, or a private root (see with-libcurl.sh). unpack-libcurl.sh and
#            build-libcurl.sh create such folders.
#   PYTHON: an interpreter with the package h2, for the HTTP/2 faults. Without it they are skipped.
# Needs the tests and wire-fuzz, built by `swift build --build-tests`, and `nginx` and `openssl`.
set -euo pipefail
python=
if [ "${1:-}" = --python ]; then
    python=$2
    shift 2
fi
[ $# -ge 1 ] || { sed -n '2,7s/^# //p' "$0"; exit 64; }
places=()
for place in "$@"; do places+=("$([ "$place" = system ] && echo system || realpath "$place")"); done
cd "$(dirname "$0")/.."
PATH=$PATH:/usr/sbin
ERRAND_NGINX=$(command -v nginx) || { echo 'nginx is not installed: install the package nginx-light'; exit 69; }
export ERRAND_NGINX SWIFT_BACKTRACE=enable=no
build=.build/debug
suites='Curl|ConnectionQueue|ContentDecoder|CodingChain|PublicKeyPin|Certificate|Multiplexing|Route|StreamedOverHTTP2'
suites+='|URLSession|URLProtocolMock|TransportFailure|SessionContract|ErrandTestingTests.Wire'
# These suites start wire-fuzz, which would use the system's libcurl in a private root. The steps below run it directly.
own='WireProcessTests|FaultMatrixTests'

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
status=0 place=
# Runs a program with the current libcurl and keeps its output: run LOG PROGRAM [ARGUMENT…]
run() {
    local log=$scratch/$1
    shift
    timeout 540 Scripts/with-libcurl.sh "$place" "$@" >"$log" 2>&1
}
# Records the result of a step, and prints the lines of its log that explain a failure: note NAME STATUS FIGURE
note() {
    [ "$2" -eq 0 ] || {
        verdict=FAILED status=1
        grep -E 'recorded an issue|WRONG|error: |Fatal|^seed ' "$scratch/$1" | cut -c 1-300 | head -n 20 || true
        [ "$2" -le 1 ] || { tail -n 1 "$scratch/$1"; echo "$1 failed with status $2"; }
    }
    line+=", $1: $3"
}

for place in "${places[@]}"; do
    began=$SECONDS verdict=passed line=
    ended=0
    run tests "$build/errandPackageTests.xctest" --testing-library swift-testing --filter "$suites" --skip "$own" || ended=$?
    note tests $ended "$(grep -oE '[0-9]+ tests in [0-9]+ suites (passed|failed)' "$scratch/tests" || echo "ended with $ended")"
    ended=0
    run fuzz "$build/wire-fuzz" --session curl --count 3000 || ended=$?
    note fuzz $ended "$(grep -oE '[0-9]+ exchanges.*' "$scratch/fuzz" | head -n 1 | sed -E 's/ in [0-9.]+ seconds//')"
    for session in curl urlsession; do
        ended=0
        run "faults of $session" "$build/wire-fuzz" --matrix $session || ended=$?
        note "faults of $session" $ended \
            "$(($(wc -l <"$scratch/faults of $session") - 3)), $(grep -c WRONG "$scratch/faults of $session" || true) wrong"
    done
    if [ -n "$python" ]; then
        ended=0
        Tests/http2.sh "$build/wire-fuzz" "$python" 0 "$place" >"$scratch/faults of HTTP-2" 2>&1 || ended=$?
        note 'faults of HTTP-2' $ended "$(grep -oE '[0-9]+ rows, [0-9]+ wrong' "$scratch/faults of HTTP-2" || echo none)"
    fi
    name=$(sed -nE '1s,^with (libcurl [^ ]*).*,\1,p' "$scratch/fuzz")
    echo "${name:-$place} $verdict in $((SECONDS - began)) s${line}"
done
exit $status
