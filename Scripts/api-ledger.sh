#!/usr/bin/env bash
# Keeps API/NAME.txt, the public API of each library: one declaration a line, from the compiler's own symbol graph.
# usage: api-ledger.sh [--check] [--built FOLDER]
#   it writes the files; with --check it writes nothing, shows how they differ from the code, and fails where they do
#   --built: what is in FOLDER is up to date, as in .build/check after Scripts/check.sh; else that is built first
set -euo pipefail
cd "$(dirname "$0")/.."

libraries=(Errand ErrandGraphQL ErrandJSON ErrandLoopback ErrandTesting GalleryCore)
check= built=
while [ $# -gt 0 ]; do
    case $1,${2:-} in
        --check,*) check=yes; shift ;;
        --built,?*) built=$2; shift 2 ;;
        *) echo "usage: Scripts/api-ledger.sh [--check] [--built FOLDER]" >&2; exit 64 ;;
    esac
done

# Another compiler prints declarations in other words, another platform has other ones.
version=$(swift --version 2>/dev/null | grep -oE 'Swift version [0-9]+\.[0-9]+' | head -n 1)
title="as ${version/version /} declares it on $(uname -s)"
if [ -n "$check" ] && [ -e API/Errand.txt ] && ! head -n 1 API/Errand.txt | grep -qF "$title"; then
    echo "not compared with API/*.txt, which begin with: $(head -n 1 API/Errand.txt)" >&2
    exit 0
fi

if [ -z "$built" ]; then
    built=.build/check
    swift build --build-tests --scratch-path "$built" -Xswiftc -warnings-as-errors >&2
fi
build=$built/debug
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for library in "${libraries[@]}"; do
    mkdir "$scratch/$library"
    swift symbolgraph-extract -module-name "$library" -minimum-access-level public \
        -skip-synthesized-members -emit-extension-block-symbols \
        -target "$(swift -print-target-info | grep -oE '"triple": "[^"]*"' | cut -d'"' -f4)" \
        -I "$build/Modules" -module-cache-path "$build/ModuleCache" \
        -Xcc "-fmodule-map-file=$build/CErrandCurl.build/module.modulemap" \
        -Xcc "-fmodule-map-file=$build/CGalleryCore.build/module.modulemap" \
        -output-dir "$scratch/$library" >"$scratch/log" 2>&1 || { cat "$scratch/log"; exit 1; }
    {
        echo "# The public API of $library, $title; Scripts/api-ledger.sh writes this file."
        python3 Scripts/api-ledger.py "$scratch/$library" "$library"
    } >"$scratch/$library.txt"
done

if [ -z "$check" ]; then
    mkdir -p API
    for library in "${libraries[@]}"; do cp "$scratch/$library.txt" "API/$library.txt"; done
    grep -H 'top-level types' API/*.txt
    exit
fi
status=0
for library in "${libraries[@]}"; do
    diff -u --label "API/$library.txt" --label 'the code' "API/$library.txt" "$scratch/$library.txt" || status=1
done
[ "$status" -eq 0 ] || echo 'Where this is what you want, run Scripts/api-ledger.sh and commit API with your change.'
exit "$status"
