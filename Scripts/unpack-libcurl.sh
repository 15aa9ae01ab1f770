#!/usr/bin/env bash
# Unpacks a libcurl of Debian into a folder, and prints the LIBCURL argument of with-libcurl.sh. Nothing is installed.
# usage: unpack-libcurl.sh FOLDER [SUITE]
#   SUITE: such as `trixie` or `sid`. FOLDER becomes a private root with the suite's libcurl and its dependencies, including libc.
#          By default only libcurl is unpacked, from the system's backports. It uses the system's libc and LD_LIBRARY_PATH.
set -euo pipefail
suite=${2:-}
if [ -z "$suite" ]; then
    "$(dirname "$0")/unpack-backports.sh" "$1" libcurl4
    dirname "$(find "$(realpath "$1")" -name libcurl.so.4)"
    exit
fi
. "$(dirname "$0")/private-apt.sh"
mkdir -p "$1"
cd "$1"
private_apt "$suite"
# With an empty package status, apt lists every required library. The Swift libraries also require libstdc++.
: >status
options+=(-o "Dir::State::status=$PWD/status" -o Dpkg::Use-Pty=0)
libcurl=$(apt-cache "${options[@]}" --names-only search '^libcurl4(t64)?$' | awk '{ print $1 }' | sort | tail -n 1)
[ -n "$libcurl" ] || { echo "expected a package libcurl4 in $suite, found none"; exit 1; }
apt install --yes --no-install-recommends --download-only "$libcurl" libstdc++6
# Packages since trixie install to /usr only. Older ones still install to /lib.
mkdir -p usr/lib usr/lib64
ln -sfn usr/lib lib
ln -sfn usr/lib64 lib64
for package in archives/*.deb; do dpkg --fsys-tarfile "$package" | tar x --keep-directory-symlink; done
rm -rf lists archives
echo "$PWD"
