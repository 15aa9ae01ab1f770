#!/usr/bin/env bash
# Unpacks a libcurl of Debian into a folder, and prints the LIBCURL argument of with-libcurl.sh. Nothing is installed.
# usage: unpack-libcurl.sh FOLDER [SUITE]
#   SUITE: such as `trixie` or `sid`. FOLDER becomes a private root with the suite's libcurl and its dependencies, including libc.
#          By default only libcurl is unpacked, from the system's backports. It uses the system's libc and LD_LIBRARY_PATH.
set -euo pipefail
suite=${2:-}
mkdir -p "$1"
cd "$1"
. /etc/os-release
# The archive that the system itself uses.
archive=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' | awk -v name="$VERSION_CODENAME" '$2 == name { print $1; exit }')
[ -n "$archive" ] || { echo "expected an apt source for ${VERSION_CODENAME}, found none: add one and run apt-get update"; exit 1; }
echo "deb $archive ${suite:-$VERSION_CODENAME-backports} main" >sources.list
mkdir -p lists/partial archives/partial
options=(-qq -o "Dir::Etc::sourcelist=$PWD/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$PWD/lists"
    -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o "Dir::Cache::archives=$PWD/archives" -o APT::Sandbox::User=root)
apt() { apt-get "${options[@]}" "$@" >log 2>&1 || { tail -n 5 log; exit 1; }; }

apt update
if [ -z "$suite" ]; then
    apt download libcurl4
    dpkg -x libcurl4_*.deb .
    dirname "$(find "$PWD" -name libcurl.so.4)"
    exit
fi
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
