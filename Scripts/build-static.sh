#!/usr/bin/env bash
# Builds .build/static/release/gallery, a release build with Swift's libraries and Foundation inside. Linux with glibc.
#
# Foundation's own networking is linked against libcurl by name. The name's file is in libcurl's development package, which
# Swift's containers have; elsewhere the library itself does.
set -euo pipefail
cd "$(dirname "$0")/.."

names=.build/static-names
mkdir -p "$names"
if [ "$(clang -print-file-name=libcurl.so)" = libcurl.so ]; then
    library=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p | sed -nE 's/.*libcurl\.so\.4 .*=> //p' | head -n 1)
    [ -n "$library" ] || { echo 'libcurl.so.4 is not installed'; exit 1; }
    ln -sf "$library" "$names/libcurl.so"
fi
swift build -c release --product gallery --static-swift-stdlib --scratch-path .build/static \
    -Xlinker -L -Xlinker "$PWD/$names" 2>&1
