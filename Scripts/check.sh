#!/usr/bin/env bash
# Runs the checks that need no server: format, limits and warnings. Prints each rule and, if it is broken, the file and line.
# usage: check.sh [LOG]
#   LOG: the output of a `swift test` that has just built everything in an empty .build (default: builds it)
set -uo pipefail
# Without this option, `rule` would set `failed` in a subshell.
shopt -s lastpipe
log=${1:+$(realpath "$1")}
cd "$(dirname "$0")/.."
failed=0

rule() { # rule NAME: reads the violations from standard input
    local places
    places=$(cat)
    if [ -n "$places" ]; then
        printf 'broken: %s\n%s\n' "$1" "$places"
        failed=1
    else
        printf 'holds:  %s\n' "$1"
    fi
}

# Runs a check that prints violations. If the check fails, for example if its script crashes, prints a line with its status.
places() { "$@" || echo "$* ended with status $?"; }

sources() { git ls-files --cached --others --exclude-standard -- "$@" | while read -r file; do [ -f "$file" ] && echo "$file"; done; }

library=$(sources 'Sources/*.swift' 'Examples/*.swift')
tests=$(sources 'Tests/*.swift')
[ -n "$library" ] && [ -n "$tests" ] || { echo 'no sources found: run this in a git checkout'; exit 1; }
code() { grep -nE "$1" ${2:-$library} | grep -vE '^[^:]+:[0-9]+: *//'; }

swift format lint --strict -r Package.swift Sources Tests Examples Benchmarks/Package.swift Benchmarks/Sources 2>&1 |
    rule 'the sources have the format of .swift-format'
places awk -f Scripts/limits.awk $library $tests $(sources '*/*.c' '*/*.h') | rule 'files have at most 300 lines, functions at most 40'
# A URLProtocol cannot be Sendable, and delayed replies capture it. The reason is next to the annotation.
# The stubs repeat the signatures of other libraries.
code '@unchecked Sendable|nonisolated\(unsafe\)' |
    grep -vE '^(Sources/ErrandTesting/Platform/StubProtocol.swift|Examples/Ecosystem/Stubs/[^:]*):' |
    rule 'the sources have no unchecked Sendable conformance'
code '(^|[^A-Za-z])(try!|as!|fatalError\(|preconditionFailure\(|assertionFailure\()' | rule 'the sources have no traps'
code '^ *#(if|elseif)' | grep -vE '^(Sources/[A-Za-z-]+|Examples/Recipes|Examples/Runner)/Platform/' | rule 'platform conditions are only in folders Platform'
code '(Task\.sleep|usleep\(|Thread\.sleep)' "$tests" | grep -v '^Tests/TestSupport/Soak.swift:' |
    rule 'tests sleep only with Soak'
code '\bMutex\b' "$library $tests" | grep -v '/Locked.swift:' | rule 'locks use Locked, which the Thread Sanitizer supports'
code '@testable' "$tests" | rule 'tests do not use @testable'
git grep -nIE '(/home/|/root/|/Users/|/tmp/bash|/opt/swift)' -- . ':!Scripts/check.sh' | rule 'the files contain no absolute paths of a machine'
places Scripts/prose.sh | rule 'comments, test names and documents use plain words'
places python3 Scripts/diagrams.py --check | rule 'the diagrams are up to date'
places python3 Scripts/make-catalogue.py --check 2>&1 | rule 'catalogue.c embeds the pictures of catalogue.json'

# Compiles both branches of each condition. gcc before 15 does not support #embed, and must report the #error for it.
c_warnings() {
    local flags='-fsyntax-only -Wall -Wextra -Wpedantic -ISources/CErrandCurl/include -ISources/CGalleryCore/include
        -ITests/CTestEnvironment/include'
    "$1" $flags $(sources 'Sources/CErrandCurl/*.c' 'Sources/CGalleryCore/*.c' 'Tests/CTestEnvironment/*.c')
    "$1" $flags -U__linux__ $(sources 'Sources/CErrandCurl/*.c')
}
for compiler in clang gcc; do
    command -v "$compiler" >/dev/null || { echo "$compiler is not installed"; continue; }
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
# The lines after the build are the output of the tests.
sed '/Build complete/q' "$log" | grep -E '(error|warning):' | sort -u | rule 'the build has no warnings'
{ grep -q 'Build complete' "$log" || echo "see $log"; } | rule 'the build completes'
places python3 Scripts/structure.py --self-test | rule 'the structure check finds a cycle and an upward reference'
places python3 Scripts/structure.py "$built/debug" | rule 'the folders of each module are layers without cycles'
places Scripts/api-ledger.sh --check --built "$built" | rule 'the public API matches API/*.txt'

count=$(printf '%s\n' "$library" | wc -l)
median=$(printf '%s\n' "$library" | xargs wc -l | grep -v ' total$' | awk '{print $1}' | sort -n | awk '{a[NR]=$1} END {print a[int((NR+1)/2)]}')
echo "$count files in Sources and Examples, median $median lines"
exit $failed
