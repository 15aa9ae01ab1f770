#!/usr/bin/env bash
# Builds four programs that depend on this package like any other program, and checks that they link nothing unexpected. Requires
# Linux with glibc. Prints the sizes of the programs.
set -euo pipefail
cd "$(dirname "$0")"
# The build folder of the package, so that its libraries are not compiled again.
scratch=../../.build
fail() { printf 'FAILED: %s\n' "$1"; exit 1; }

for product in core-only json-only graphql-only json-rpc; do
    swift build -c release --scratch-path "$scratch" --product "$product" 2>&1 | tail -n 1
done
build=$scratch/release

# The libraries of the toolchain and of C, without libcurl. Foundation depends on it, and it is loaded at run time.
allowed='libswiftCore.so libswift_Concurrency.so libswift_StringProcessing.so libswift_RegexParser.so
    libswiftSynchronization.so libswiftObservation.so libswiftGlibc.so libswiftDispatch.so libdispatch.so
    libBlocksRuntime.so libFoundation.so libFoundationEssentials.so libFoundationInternationalization.so
    libFoundationNetworking.so libm.so.6 libc.so.6 ld-linux-x86-64.so.2 ld-linux-aarch64.so.1'

links() { # links PROGRAM: prints the names of the linked libraries, one on each line
    readelf -d "$1" | sed -nE 's/.*\(NEEDED\).*\[(.*)\]/\1/p'
}

# check PROGRAM MODULE…: fails unless the program contains these mangled modules, and no other module of this package.
check() {
    local program=$build/$1 symbols library module
    shift
    for library in $(links "$program"); do
        case " $(echo $allowed) " in
            *" $library "*) ;;
            *) fail "$program links an unexpected library: $library" ;;
        esac
    done
    symbols=$(nm "$program")
    for module in 6Errand 10ErrandJSON 13ErrandSupport 13ErrandGraphQL 13ErrandTesting 14ErrandLoopback 11GalleryCore; do
        case " $* " in
            *" $module "*) grep -qF "\$s$module" <<<"$symbols" || fail "$program has no symbol of $module" ;;
            *) if grep -m 3 -F "\$s$module" <<<"$symbols"; then fail "$program has symbols of $module"; fi ;;
        esac
    done
    if grep -E ' [UT] (curl_|gallery_catalogue)' <<<"$symbols"; then fail "$program has symbols of libcurl or of the gallery"; fi
    # Strings remain if symbols are stripped.
    if strings -a "$program" | grep -E 'ErrandTesting|ErrandLoopback|GalleryCore'; then fail "$program contains the names of other modules"; fi
    strip -o "$build/stripped" "$program"
    printf '%-13s %5d kB, stripped %5d kB; links %s\n' "$(basename "$program")" $(($(stat -c %s "$program") / 1000)) \
        $(($(stat -c %s "$build/stripped") / 1000)) "$(echo $(links "$program"))"
}

# calls PROGRAM: sends a request to a closed port. The error comes from libcurl, so libcurl was found.
calls() {
    [ "$(no_proxy='*' "$build/$1" http://127.0.0.1:9/)" = 'error: connection' ] || fail "$1: expected a connection error, so libcurl was not found"
}

check core-only 6Errand 10ErrandJSON 13ErrandSupport
calls core-only
check graphql-only 6Errand 10ErrandJSON 13ErrandSupport 13ErrandGraphQL
calls graphql-only
check json-rpc 6Errand 10ErrandJSON 13ErrandSupport
calls json-rpc
# A JSON-RPC service for one request. The port file of an earlier run would name a closed port.
rm -f "$build/json-rpc.port"
python3 -c '
import http.server, sys
class Service(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        body = b"""{"jsonrpc": "2.0", "id": 1, "error": {"code": -32601, "message": "unknown", "data": ["a", [7]]}}"""
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)
    def log_message(self, *arguments): pass
server = http.server.HTTPServer(("127.0.0.1", 0), Service)
server.timeout = 60
print(server.server_port, flush=True)
server.handle_request()' >"$build/json-rpc.port" &
for _ in {1..100}; do [ -s "$build/json-rpc.port" ] && break || sleep 0.1; done
output=$(no_proxy='*' "$build/json-rpc" "http://127.0.0.1:$(cat "$build/json-rpc.port")/")
[ "$output" = 'error: rpc, -32601 unknown, [a, [other]]' ] || fail "json-rpc: unexpected output: $output"
check json-only 10ErrandJSON 13ErrandSupport
[ "$("$build/json-only" | tr '\n' ' ')" = '[640] error: true ' ] || fail 'json-only: unexpected output'
if links "$build/json-only" | grep -E 'FoundationNetworking|curl'; then fail 'json-only links a network library'; fi
