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
for target in ErrandGraphQL ErrandValkey; do
    swift build --scratch-path $build --target $target -Xswiftc -sanitize=fuzzer 2>&1 | tail -n 1
done
objects=$build/debug
# SwiftPM names the package after its folder. Targets with that name see declarations with package access.
package=$(basename "$PWD" | tr 'A-Z' 'a-z' | sed 's/[^a-z0-9]/_/g')
mkdir -p $build/findings
# The backtracer of Swift would end the process before libFuzzer writes the input.
export SWIFT_BACKTRACE=enable=no

# fuzz TARGET: builds the target and runs it, and prints its result
fuzz() {
    local target=$1 work
    local source=Tests/fuzz/targets/$target.swift corpus=Tests/fuzz/corpus/$target status=0
    [ -e "$source" ] || { echo "expected a file $source" >&2; return 64; }
    swiftc -sanitize=fuzzer -parse-as-library -module-name Fuzz -package-name "$package" -swift-version 6 -I $objects/Modules \
        -Xcc -fmodule-map-file=$objects/CErrandCurl.build/module.modulemap "$source" \
        $objects/{Errand,ErrandGraphQL,ErrandValkey,ErrandJSON,ErrandSupport,CErrandCurl}.build/*.o -ldl -o "$build/$target" || return
    work=$(mktemp -d)
    mkdir -p "$corpus"
    if ! "$build/$target" "$work" "$corpus" -max_total_time="$limit" -max_len=4096 -timeout=5 -rss_limit_mb=1024 \
        -artifact_prefix="$build/findings/$target-" -print_final_stats=1 >"$build/$target.log" 2>&1; then
        grep -E 'SUMMARY|ERROR|Fatal error' "$build/$target.log" | head -n 3 || true
        echo "$target: FAILED, see $build/$target.log and $build/findings"
        status=1
    else
        echo "$target: $(awk '/stat::number_of_executed_units/ { print $2 }' "$build/$target.log") inputs, no crash, no hang"
    fi
    [ -z "${ERRAND_KEEP_CORPUS:-}" ] || keep "$target" "$work"
    rm -rf "$work"
    return $status
}

# keep TARGET FOLDER: adds the inputs of a run to the corpus, the smallest first, at most 64 in all
keep() {
    local corpus=Tests/fuzz/corpus/$1 merged=$2.merged
    mkdir "$merged"
    "$build/$1" -merge=1 "$merged" "$corpus" "$2" >/dev/null 2>&1
    rm -rf "$corpus"
    mkdir -p "$corpus"
    ls -rS "$merged" | head -n 64 | while read -r name; do cp "$merged/$name" "$corpus/"; done
    rm -rf "$merged"
}

# Two targets run at the same time.
status=0
while [ ${#targets[@]} -gt 0 ]; do
    started=()
    for target in "${targets[@]:0:2}"; do
        fuzz "$target" &
        started+=($!)
    done
    targets=("${targets[@]:2}")
    for process in "${started[@]}"; do wait "$process" || status=$?; done
done
exit $status
