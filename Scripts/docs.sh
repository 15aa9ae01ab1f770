#!/usr/bin/env bash
# Builds the documentation of each library with the docc of the toolchain, into .build/docs. A warning is an error.
# Also combines them into a static website, .build/docs/site, which any web server can serve at its root.
set -euo pipefail
cd "$(dirname "$0")/.."

# A library precedes the libraries with documentation that links to it.
libraries='ErrandJSON Errand ErrandLoopback ErrandGraphQL ErrandTesting ErrandValkey GalleryCore'
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
    # Omits members that types inherit from protocols of the standard library.
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
    echo "documented: $library, $pages pages, including $articles articles"
done

archives=()
for library in Errand ErrandGraphQL ErrandValkey ErrandJSON ErrandTesting ErrandLoopback GalleryCore; do
    archives+=(".build/docs/$library.doccarchive")
done
{
    docc merge "${archives[@]}" --synthesized-landing-page-name Errand \
        --synthesized-landing-page-topics-style list --output-path "$scratch/all.doccarchive"
    docc process-archive transform-for-static-hosting "$scratch/all.doccarchive" --output-path .build/docs/site
} >"$scratch/log" 2>&1 || { cat "$scratch/log"; echo 'broken: the website'; exit 1; }
# Each page requests this file. Without it, each page has an error in the browser's console.
echo '{}' >.build/docs/site/theme-settings.json
echo "website: .build/docs/site, $(find .build/docs/site/data/documentation -name '*.json' | wc -l) pages"
