#!/usr/bin/env bash
# Builds libcurl from curl's sources with Debian's options, and prints the folder for LD_LIBRARY_PATH. Nothing is installed.
# usage: build-libcurl.sh SOURCES VERSION FOLDER
#   SOURCES: a clone of https://github.com/curl/curl with its tags, or the unpacked sources of the version
#   VERSION: such as 8.5.0
#   FOLDER: the build folder. The library is in FOLDER/lib
# Needs autoconf, automake, libtool, make, a C compiler, perl, pkg-config, and the headers of OpenSSL, nghttp2, zlib, brotli,
# zstd, libidn2 and libpsl.
set -euo pipefail
[ $# -eq 3 ] || { sed -n '2,8s/^# //p' "$0"; exit 64; }
sources=$1 version=$2
mkdir -p "$3/source"
folder=$(cd "$3" && pwd)

if [ -e "$sources/configure.ac" ]; then
    cp -r "$sources/." "$folder/source"
else
    git -C "$sources" archive "curl-${version//./_}" | tar x -C "$folder/source"
fi
cd "$folder/source"
# A build that is not a release reports a version with a suffix.
sed -i "s/-DEV//" include/curl/curlver.h
# Foundation requires versioned symbols (CURL_OPENSSL_4).
options=(--prefix="$folder" --with-openssl --with-nghttp2 --with-zlib --with-brotli --with-zstd --with-libidn2
    --enable-versioned-symbols --enable-threaded-resolver --disable-static --disable-ldap --disable-manual
    --without-libssh2 --without-librtmp --with-ca-path=/etc/ssl/certs --with-ca-bundle=/etc/ssl/certs/ca-certificates.crt)
{
    autoreconf -fi
    ./configure "${options[@]}"
    make -C lib -j "${JOBS:-$(nproc)}"
    make -C lib install
} >"$folder/log" 2>&1 || { tail -n 20 "$folder/log"; exit 1; }
echo "$folder/lib"
