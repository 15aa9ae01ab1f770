#!/usr/bin/env bash
# What can be checked without a server: format, limits, warnings. Prints each rule that is broken, with file and line.
# usage: check.sh [LOG]
#   LOG: what `swift test` printed that has just built everything in an empty .build; else it is built here
set -uo pipefail
# Without it, `rule` would set `failed` in a subshell.
shopt -s lastpipe
log=${1:+$(realpath "$1")}
cd "$(dirname "$0")/.."
failed=0

rule() { # rule NAME: reads the places where it is broken
    local places
    places=$(cat)
    if [ -n "$places" ]; then
        printf 'broken: %s\n%s\n' "$1" "$places"
        failed=1
    else
        printf 'holds:  %s\n' "$1"
    fi
}

# Runs a check whose output is the places, and prints a place of its own if the check fails, as when its script crashes.
places() { "$@" || echo "$1 $2 ended with status $?"; }

sources() { git ls-files --cached --others --exclude-standard -- "$@" | while read -r file; do [ -f "$file" ] && echo "$file"; done; }

library=$(sources 'Sources/*.swift' 'Examples/*.swift')
tests=$(sources 'Tests/*.swift')
[ -n "$library" ] && [ -n "$tests" ] || { echo 'no sources found: run this in a git checkout'; exit 1; }
code() { grep -nE "$1" ${2:-$library} | grep -vE '^[^:]+:[0-9]+: *//'; }

swift format lint --strict -r Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources 2>&1 |
    rule 'the format is that of .swift-format'
places awk -f Scripts/limits.awk $library $tests $(sources '*/*.c' '*/*.h') | rule 'files have at most 300 lines, functions at most 40'
# A URLProtocol can't be Sendable, and delayed answers have to capture it: the reason is beside the annotation.
# The stubs repeat the signatures of the libraries that they stand for.
code '@unchecked Sendable|nonisolated\(unsafe\)' |
    grep -vE '^(Sources/ErrandTesting/Platform/StubProtocol.swift|Examples/Ecosystem/Stubs/[^:]*):' |
    rule 'Sendable by construction, nothing unchecked'
code '(^|[^A-Za-z])(try!|as!|fatalError\(|preconditionFailure\(|assertionFailure\()' | rule 'no trap on input'
code '^ *#(if|elseif)' | grep -vE '^(Sources/[A-Za-z-]+|Examples/Recipes)/Platform/' | rule 'platforms differ in Platform/ only'
code '(Task\.sleep|usleep\(|Thread\.sleep)' "$tests" | grep -v '^Tests/TestSupport/Soak.swift:' |
    rule 'no test sleeps but through Soak'
code '\bMutex\b' "$library $tests" | grep -v '/Locked.swift:' | rule 'locks are Locked, which the sanitizer can follow'
code '@testable' "$tests" | rule 'tests see what package shows'
git grep -nIE '(/home/|/root/|/Users/|/tmp/bash|/opt/swift)' -- . ':!Scripts/check.sh' | rule 'no path of a machine'
places python3 Scripts/make-catalogue.py --check 2>&1 | rule 'catalogue.c embeds the pictures of catalogue.json'

# Compiles both branches of each condition. gcc before 15 has no #embed, and must report the #error for it.
c_warnings() {
    local flags='-fsyntax-only -Wall -Wextra -Wpedantic -ISources/CErrandCurl/include -ISources/CGalleryCore/include
        -ITests/CTestEnvironment/include'
    "$1" $flags $(sources 'Sources/CErrandCurl/*.c' 'Sources/CGalleryCore/*.c' 'Tests/CTestEnvironment/*.c')
    "$1" $flags -U__linux__ $(sources 'Sources/CErrandCurl/*.c')
}
for compiler in clang gcc; do
    command -v "$compiler" >/dev/null || { echo "no $compiler"; continue; }
    c_warnings "$compiler" 2>&1 | grep -E '(error|warning):' | grep -v 'error: #error "expected a compiler with #embed' |
        rule "the C sources have no warnings with $compiler"
done

built=.build
if [ -z "$log" ]; then
    built=.build/check
    log=$built.log
    mkdir -p .build
    swift build --build-tests --scratch-path "$built" -Xswiftc -warnings-as-errors >"$log" 2>&1
fi
# What comes after the build is what the tests printed.
sed '/Build complete/q' "$log" | grep -E '(error|warning):' | sort -u | rule 'the build has no warnings'
{ grep -q 'Build complete' "$log" || echo "see $log"; } | rule 'the build completes'
places python3 Scripts/structure.py "$built/debug" | rule 'the folders of each module form no cycle'
places Scripts/api-ledger.sh --check --built "$built" | rule 'the public API is that of API/*.txt'

count=$(printf '%s\n' "$library" | wc -l)
median=$(printf '%s\n' "$library" | xargs wc -l | grep -v ' total$' | awk '{print $1}' | sort -n | awk '{a[NR]=$1} END {print a[int((NR+1)/2)]}')
echo "$count files in Sources and Examples, median $median lines"
exit $failed
