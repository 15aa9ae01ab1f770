#!/usr/bin/env bash
# Unpacks the libcurl of Debian's backports into a folder, and prints the subfolder for LD_LIBRARY_PATH.
# Nothing is installed. usage: unpack-libcurl.sh FOLDER
set -euo pipefail
mkdir -p "$1"
cd "$1"
. /etc/os-release
# The archive that the system itself uses.
archive=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' | awk -v name="$VERSION_CODENAME" '$2 == name { print $1; exit }')
[ -n "$archive" ] || { echo "expected an apt source for ${VERSION_CODENAME}, found none: add one and run apt-get update"; exit 1; }
echo "deb $archive $VERSION_CODENAME-backports main" >sources.list
mkdir -p lists/partial
options=(-qq -o "Dir::Etc::sourcelist=$PWD/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$PWD/lists"
    -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root)
apt-get "${options[@]}" update >log 2>&1 || { tail -n 5 log; exit 1; }
apt-get "${options[@]}" download libcurl4 >log 2>&1 || { tail -n 5 log; exit 1; }
dpkg -x libcurl4_*.deb .
dirname "$(find "$PWD" -name libcurl.so.4)"
