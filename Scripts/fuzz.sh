#!/usr/bin/env bash
# Fuzzes the parsers of the library with libFuzzer, which is part of the Swift toolchain.
#
# usage: Scripts/fuzz.sh [SECONDS] [TARGET...]
#   SECONDS: the time for each target (default 20)
#   TARGET: a file of Tests/fuzz/targets without its suffix (default: all of them)
#
# Prints one line for each target, and fails if an input crashes it, takes longer than 5 seconds or needs more than 1 GB. That
# input is kept in .build/fuzz/findings. The runs start with the inputs of Tests/fuzz/corpus and do not change them. To add the
# inputs that a run found, set ERRAND_KEEP_CORPUS=1.
set -euo pipefail
cd "$(dirname "$0")/.."

limit=${1:-20}
shift || true
[[ $limit =~ ^[0-9]+$ ]] || { echo "invalid number of seconds \"$limit\"" >&2; exit 64; }
targets=("$@")
[ ${#targets[@]} -gt 0 ] || targets=($(basename -s .swift Tests/fuzz/targets/*.swift))

build=.build/fuzz
swift build --scratch-path $build --target Errand -Xswiftc -sanitize=fuzzer 2>&1 | tail -n 1
objects=$build/debug
# SwiftPM names the package after its folder. Targets with that name see declarations with package access.
package=$(basename "$PWD" | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9]/_/g')
mkdir -p $build/findings
status=0
for target in "${targets[@]}"; do
    source=Tests/fuzz/targets/$target.swift corpus=Tests/fuzz/corpus/$target
    [ -e "$source" ] || { echo "expected a file $source" >&2; exit 64; }
    swiftc -sanitize=fuzzer -parse-as-library -module-name Fuzz -package-name "$package" -swift-version 6 -I $objects/Modules \
        -Xcc -fmodule-map-file=$objects/CErrandCurl.build/module.modulemap "$source" \
        $objects/{Errand,ErrandJSON,ErrandSupport,CErrandCurl}.build/*.o -ldl -o "$build/$target"
    work=$(mktemp -d)
    mkdir -p "$corpus"
    if ! "$build/$target" "$work" "$corpus" -max_total_time="$limit" -max_len=4096 -timeout=5 -rss_limit_mb=1024 \
        -artifact_prefix="$build/findings/$target-" -print_final_stats=1 >"$build/$target.log" 2>&1; then
        grep -E 'SUMMARY|ERROR|Fatal error' "$build/$target.log" | head -n 3
        echo "$target: FAILED, see $build/$target.log and $build/findings"
        status=1
    else
        runs=$(awk '/stat::number_of_executed_units/ { print $2 }' "$build/$target.log")
        echo "$target: $runs inputs, no crash, no hang"
    fi
    if [ -n "${ERRAND_KEEP_CORPUS:-}" ]; then
        mkdir "$work.merged"
        "$build/$target" -merge=1 "$work.merged" "$corpus" "$work" >/dev/null 2>&1
        rm -rf "$corpus"
        mkdir -p "$corpus"
        # The smallest inputs first, at most 64.
        ls -rS "$work.merged" | head -n 64 | while read -r name; do cp "$work.merged/$name" "$corpus/"; done
        rm -rf "$work.merged"
    fi
    rm -rf "$work"
done
exit $status
