#!/usr/bin/env bash
# Builds .build/static/release/gallery, a release build that contains the Swift libraries and Foundation. Requires Linux with
# glibc.
#
# The networking part of Foundation is linked with libcurl.so. This file is in the development package of libcurl, which the
# Swift containers contain. On other systems, a link to the installed library replaces it.
set -euo pipefail
cd "$(dirname "$0")/.."

names=.build/static-names
mkdir -p "$names"
if [ "$(clang -print-file-name=libcurl.so)" = libcurl.so ]; then
    library=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p | sed -nE 's/.*libcurl\.so\.4 .*=> //p' | head -n 1)
    [ -n "$library" ] || { echo 'libcurl.so.4 is not installed: install libcurl'; exit 1; }
    ln -sf "$library" "$names/libcurl.so"
fi
# A script that stops this one stops the build, too.
exec swift build -c release --product gallery --static-swift-stdlib --scratch-path .build/static \
    -Xlinker -L -Xlinker "$PWD/$names" 2>&1
