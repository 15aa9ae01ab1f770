# Functions for scripts that unpack packages of Debian. They source this file.

# private_apt [SUITE]: prepares the function `apt`, which keeps all its files in the current folder. SUITE is such as `trixie` or
# `sid`, by default the backports of the system.
private_apt() {
    local archive
    . /etc/os-release
    # The archive that the system itself uses.
    archive=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME)' | awk -v name="$VERSION_CODENAME" '$2 == name { print $1; exit }')
    [ -n "$archive" ] || { echo "expected an apt source for ${VERSION_CODENAME}, found none: add one and run apt-get update"; exit 1; }
    echo "deb $archive ${1:-$VERSION_CODENAME-backports} main" >sources.list
    mkdir -p lists/partial archives/partial
    options=(-qq -o "Dir::Etc::sourcelist=$PWD/sources.list" -o Dir::Etc::sourceparts=- -o "Dir::State::lists=$PWD/lists"
        -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o "Dir::Cache::archives=$PWD/archives" -o APT::Sandbox::User=root)
    apt update
}

apt() { apt-get "${options[@]}" "$@" >log 2>&1 || { tail -n 5 log; exit 1; }; }
