#!/usr/bin/env bash
# Compiles the samples with the settings of an app project created with Xcode 26, but without `nonisolated` on their types. The
# compiler must report the errors that FirstRequest.md quotes, in both language modes. Run it after `swift build`.
set -euo pipefail
cd "$(dirname "$0")/.."
article=Sources/Errand/Errand.docc/FirstRequest.md
build=$(swift build --show-bin-path)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Samples that are tests are skipped, because they need the macros of Swift Testing.
for sample in $(grep -L 'import Testing\|import GalleryCore' Examples/Recipes/*.swift); do
    sed -E 's/^nonisolated (struct|enum)/\1/' "$sample" >"$scratch/$(basename "$sample")"
done
flags=(-I "$build/Modules")
for map in "$build"/C*.build/module.modulemap; do
    [ ! -f "$map" ] || flags+=(-Xcc "-fmodule-map-file=$map")
done
for feature in MemberImportVisibility NonisolatedNonsendingByDefault InferIsolatedConformances; do
    flags+=(-enable-upcoming-feature "$feature")
done
# A model with property wrappers.
printf 'import Errand\nnonisolated struct Wrapped: Codable { @StringID var id: String }\n' >"$scratch/Wrapped.swift"

quoted=$(grep -E "^(main actor-isolated conformance|type 'WritableKeyPath)" "$article")
[ "$(wc -l <<<"$quoted")" -ge 4 ] || { echo "$article quotes too few errors"; exit 1; }
quoted+=$'\n'"'nonisolated' cannot be applied to mutable stored properties"
for mode in 5 6; do
    if swiftc -typecheck -wmo -parse-as-library -module-name App -swift-version "$mode" -default-isolation MainActor \
        "${flags[@]}" "$scratch"/*.swift >"$scratch/log" 2>&1; then
        echo "FAILED: in Swift $mode the samples compile without nonisolated"
        exit 1
    fi
    # Swift 5 does not check key paths, and reports the last error only as a warning.
    while IFS= read -r line; do
        grep -qF ": $line" "$scratch/log" || [[ $mode = 5 && $line = *KeyPath* ]] ||
            { echo "FAILED: expected this error in Swift $mode: $line"; exit 1; }
    done <<<"$quoted"
    echo "Swift $mode: $(grep -cE '^[^ |]*: error: ' "$scratch/log") errors, with those that the article quotes"
done
