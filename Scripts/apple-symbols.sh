#!/usr/bin/env bash
# Checks on Linux, with the stubs of Tests/AppleStubs, that no library target uses an Apple symbol that is newer than the
# package's minimum versions outside of `@available`, and that the version of each symbol is known.
# usage: apple-symbols.sh [--list]
#   --list: prints each symbol with the version that introduced it and its documentation page
set -euo pipefail
cd "$(dirname "$0")/.."
case ${1:-} in
    '' | --list) ;;
    *) echo 'usage: Scripts/apple-symbols.sh [--list]' >&2; exit 64 ;;
esac
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
python3 Scripts/apple-symbols.py "$scratch" Scripts/apple-symbols.txt "$@"
