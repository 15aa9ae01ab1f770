#!/usr/bin/env bash
# Checks on Linux that the package compiles for Apple's platforms and for Linux with musl. Tests the Keychain store and the
# system log with stubs, and compares the privacy manifests with the sources. CONTRIBUTING.md lists the limits.
# usage: apple-check.sh [--built FOLDER] [PLATFORM…] | --self-test | --stubs
#   PLATFORM: macOS, iOS, tvOS, watchOS, visionOS or musl (default: all, and the tests with stubs)
#   --built: FOLDER contains an up-to-date debug build (default: the script builds Errand in .build)
#   --self-test: breaks copies of the package, and fails unless each check reports it
#   --stubs: prints each declaration in Tests/AppleStubs with its source
set -euo pipefail
cd "$(dirname "$0")/.."

stubs=Tests/AppleStubs
built= mode=check platforms=()
while [ $# -gt 0 ]; do
    case $1,${2:-} in
        --built,?*) built=$2; shift ;;
        --self-test,*) mode=self-test ;;
        --stubs,*) mode=stubs ;;
        -*) echo "usage: Scripts/apple-check.sh [--built FOLDER] [PLATFORM…] | --self-test | --stubs" >&2; exit 64 ;;
        *) platforms+=("$1") ;;
    esac
    shift
done

# Prints each declaration with the URL in the comment above its block. An empty line ends a block.
list_stubs() {
    awk '
        FNR == 1 || /^ *$/ { source = "" }
        /^ *\/\/ stub only/ { source = "(stub only)" }
        /^ *\/\/ https:/ { source = $2 }
        /^ *(@[A-Za-z_]+ +)*(public|open|@_exported) / {
            match($0, /^ */)
            if (RLENGTH > 8) next
            name = substr($0, RLENGTH + 1)
            if (index(name, " {")) name = substr(name, 1, index(name, " {") - 1)
            sub(/[(]$/, "", name)
            address = source
            if (name ~ /^@_exported import [a-z]+ [A-Z]/) {
                type = name
                sub(/.*[.]/, "", type)
                address = "https://developer.apple.com/documentation/foundation/" tolower(type)
            }
            if (address == "") { missing = 1; address = FILENAME ":" FNR " NO SOURCE" }
            print name "  " address
        }
        END { exit missing }' "$stubs"/[!T]*/*.swift
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
rule() { # rule NAME COMMAND…: the rule holds if the command succeeds
    if "${@:2}" >"$scratch/log" 2>&1; then
        printf 'holds:  %s\n' "$1"
    else
        printf 'broken: %s\n' "$1"
        cat "$scratch/log"
        failed=1
    fi
}

# The package manager compiles every C target on every platform.
check_c() { # check_c TARGET FLAGS…
    local file status=0
    while read -r file; do
        clang --target="$1" -nostdlibinc -fsyntax-only -Wall -Wextra -Werror "${@:2}" \
            -I "$(dirname "$file")/include" "$file" || status=1
    done < <(git ls-files --cached --others --exclude-standard 'Sources/*.c' 'Tests/*.c')
    return $status
}

# Prints the object files of the modules that the tests link. The folders may still hold those of deleted sources.
linked_objects() { # linked_objects BUILD
    local module
    for module in Errand ErrandJSON ErrandSupport; do
        sed -E "s|.*/(.*)|$1/$module.build/\\1.o|" "$1/$module.build/sources"
    done
    git ls-files --cached --others --exclude-standard 'Sources/CErrandCurl/*.c' |
        sed -E "s|.*/(.*)|$1/CErrandCurl.build/\\1.o|"
}

# Compiles the two files that only Apple's platforms use against stubs that record calls, and runs their tests.
run_tests() {
    local out=$scratch/tests include name sources
    mkdir -p "$out"
    for name in DarwinTypes Darwin AppleFoundation os Security; do
        swiftc -wmo -parse-as-library -swift-version 6 -module-name "$name" -I "$out" \
            -emit-module -emit-module-path "$out/$name.swiftmodule" -c -o "$out/$name.o" "$stubs/$name"/*.swift
    done
    for name in Keychain/KeychainTokenStore Logging/LoggingInterceptor+SystemSink; do
        # The tests import the Linux build of the library, and compile these two files themselves.
        { echo 'import Errand'; sed -e '/^#if canImport/d' -e '/^#endif/d' "Sources/Errand/Platform/$name.swift"; } \
            >"$out/$(basename "$name").swift"
    done
    include=$(swiftc -print-target-info | sed -nE 's/.*"runtimeResourcePath": "([^"]*)".*/\1/p')/host/plugins/testing
    # SwiftPM derives the compiler's package name from the folder.
    name=$(basename "$PWD" | tr 'A-Z' 'a-z' | tr -c 'a-z0-9_\n' '_')
    swiftc -parse-as-library -swift-version 6 -package-name "$name" -warnings-as-errors -module-name AppleTests \
        -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility \
        -enable-upcoming-feature NonisolatedNonsendingByDefault -plugin-path "$include" -I "$out" -I "$built/debug/Modules" \
        -Xcc -fmodule-map-file="$built/debug/CErrandCurl.build/module.modulemap" \
        -o "$out/tests" "$out"/{KeychainTokenStore,LoggingInterceptor+SystemSink}.swift "$stubs"/Tests/*.swift \
        "$out"/*.o $(linked_objects "$built/debug")
    "$out/tests" --testing-library swift-testing >"$out/log" 2>&1 || { cat "$out/log"; return 1; }
    grep 'Test run with' "$out/log" >"$scratch/tested"
}

# Breaks a copy of the package and expects an error: `breaks NAME FILE SED-SCRIPT EXPECTED COMMAND…`
breaks() {
    rm -rf "$scratch/copy" "$scratch/run"
    mkdir "$scratch/copy"
    git ls-files -z --cached --others --exclude-standard | xargs -0 cp -P --parents -t "$scratch/copy" 2>/dev/null || true
    git -C "$scratch/copy" init -q
    cp "$scratch/copy/$2" "$scratch/before"
    sed -i -E "$3" "$scratch/copy/$2"
    ! cmp -s "$scratch/copy/$2" "$scratch/before" || { echo "broken: the self-test changes nothing in $2"; failed=1; return; }
    if (cd "$scratch/copy" && "${@:5}") >"$scratch/log" 2>&1; then
        printf 'broken: %s is not reported\n' "$1"
        failed=1
    elif ! grep -qF "$4" "$scratch/log"; then
        printf 'broken: %s: expected the error "%s"\n' "$1" "$4"
        tail -n 20 "$scratch/log"
        failed=1
    else
        printf 'holds:  %s is reported: %s\n' "$1" "$(grep -F -m 1 "$4" "$scratch/log")"
    fi
}

self_test() {
    local adapter=Sources/Errand/Platform/URLSession/URLSessionAdapter.swift
    local constants=Sources/ErrandLoopback/Platform/SystemConstants.swift
    local check=(python3 Scripts/apple-check.py --only)
    breaks 'a default session that is not an APISession' "$adapter" 's/^(final class URLSessionAdapter: )APISession/\1Sendable/' \
        "return expression of type 'URLSessionAdapter' does not conform to 'APISession'" \
        "${check[@]}" Errand "$scratch/run" macOS
    breaks 'a name that Darwin lacks' "$constants" 's/SO_NOSIGPIPE/SO_NOSIGNAL/' "cannot find 'SO_NOSIGNAL' in scope" \
        "${check[@]}" ErrandLoopback "$scratch/run" macOS
    breaks 'a name of Glibc outside its branch' "$constants" 's/(let noSignal: Int32 = )0/\1SOCK_CLOEXEC/' \
        "cannot find 'SOCK_CLOEXEC' in scope" "${check[@]}" ErrandLoopback "$scratch/run" iOS
    breaks 'a constant of Glibc in the branch of musl' "$constants" 's/(streamSocket = )SOCK_STREAM$/\1Int32(SOCK_STREAM.rawValue)/' \
        "value of type 'Int32' has no member 'rawValue'" "${check[@]}" ErrandLoopback "$scratch/run" musl
    breaks 'a Process in a library' "$constants" '$a let process = Process()' 'iOS has no Process' \
        "${check[@]}" ErrandLoopback "$scratch/run" iOS
    breaks 'required-reason API without a declaration' Sources/Errand/Bodies/RegularFile.swift \
        '$a let up = ProcessInfo.processInfo.systemUptime' 'SystemBootTime is not declared' \
        bash -c 'swift package --package-path . dump-package >dump && python3 Scripts/privacy-manifests.py dump'
    exit $failed
}

case $mode in
    stubs) list_stubs; exit ;;
    self-test) self_test ;;
esac

list_stubs >"$scratch/stubs" || { grep 'NO SOURCE' "$scratch/stubs"; failed=1; }
echo "$(wc -l <"$scratch/stubs") stub declarations, each with its source"
python3 Scripts/apple-check.py "$scratch/run" "${platforms[@]}" || failed=1
[ ${#platforms[@]} -eq 0 ] || exit $failed

if [ ! -d /usr/include/x86_64-linux-musl ] && [ "$(id -u)" -eq 0 ]; then
    apt-get update -qq && apt-get install -y -qq musl-dev >/dev/null
fi
rule 'the C sources compile with musl headers' \
    check_c x86_64-linux-musl -isystem "/usr/include/$(uname -m)-linux-musl"
rule 'the C sources compile for macOS' check_c arm64-apple-macos13 -ffreestanding -isystem "$stubs/C"
swift package --package-path "$scratch/run/macOS" dump-package >"$scratch/dump"
python3 Scripts/privacy-manifests.py "$scratch/dump" || failed=1

if [ -z "$built" ]; then
    built=.build
    swift build --target Errand >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
fi
rule 'the Keychain store and the system log pass their tests' run_tests
cat "$scratch/tested" 2>/dev/null || true
exit $failed
