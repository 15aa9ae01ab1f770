#!/usr/bin/env bash
# Unpacks packages of the system's backports into a folder, without their dependencies. Nothing is installed.
# usage: unpack-backports.sh FOLDER PACKAGE...
set -euo pipefail
. "$(dirname "$0")/private-apt.sh"
mkdir -p "$1"
cd "$1"
shift
private_apt
apt download "$@"
for package in *.deb; do dpkg -x "$package" .; done
rm -rf lists archives
