#!/usr/bin/env bash
# Builds the documentation of each library with the toolchain's own docc, into .build/docs. A warning is an error.
set -euo pipefail
cd "$(dirname "$0")/.."

# Those that others link to come first.
libraries='ErrandJSON Errand ErrandLoopback ErrandGraphQL ErrandTesting GalleryCore'
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

for library in $libraries; do
    swift build --product "$library" >"$scratch/build" 2>&1 || { tail -n 20 "$scratch/build"; exit 1; }
done
build=$(swift build --show-bin-path)
triple=$(swift -print-target-info | grep -oE '"triple": "[^"]*"' | head -n 1 | cut -d'"' -f4)
maps=()
for map in "$build"/C*.build/module.modulemap; do
    [ ! -f "$map" ] || maps+=(-Xcc "-fmodule-map-file=$map")
done

rm -rf .build/docs
mkdir -p .build/docs
finished=()
for library in $libraries; do
    catalog=Sources/$library/$library.docc
    [ -d "$catalog" ] || { echo "$library has no catalog"; exit 1; }
    mkdir "$scratch/$library"
    # Without what types get from protocols of the standard library, whose own documentation nobody here writes.
    swift symbolgraph-extract -module-name "$library" -minimum-access-level public -target "$triple" \
        -skip-synthesized-members -skip-inherited-docs -emit-extension-block-symbols \
        -I "$build/Modules" "${maps[@]}" -output-dir "$scratch/$library" >"$scratch/log" 2>&1 ||
        { cat "$scratch/log"; exit 1; }
    archive=.build/docs/$library.doccarchive
    docc convert "$catalog" --fallback-display-name "$library" --fallback-bundle-identifier "errand.$library" \
        --additional-symbol-graph-dir "$scratch/$library" --output-path "$archive" \
        --enable-experimental-external-link-support "${finished[@]}" --warnings-as-errors >"$scratch/log" 2>&1 ||
        { cat "$scratch/log"; echo "broken: the documentation of $library"; exit 1; }
    finished+=(--dependency "$archive")
    pages=$(find "$archive/data/documentation" -name '*.json' | wc -l)
    articles=$(find "$catalog" -name '*.md' | wc -l)
    echo "documented: $library, $pages pages, $articles of them written by hand"
done
