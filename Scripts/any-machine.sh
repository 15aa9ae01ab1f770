#!/usr/bin/env bash
# Runs the tests and the README's first program in environments other than the developer's, on a tree that is already built
# (`swift build --build-tests`). Prints the command and its last line for each environment.
#
# usage: any-machine.sh [--log LOG] [NAME...] [-- OPTION...]
#   NAME: an environment. NAME+NAME combines two of them (default: each environment separately)
#   --log: keeps the output of the last tests in the file LOG
#   OPTION: options of `swift test` that select tests (default: almost all tests, those of linear time separately)
#
#   proxy           http_proxy, HTTPS_PROXY and the like name a proxy that refuses connections
#   descriptors     at most 256 open files
#   turkish         the locale tr_TR.UTF-8
#   no-home         HOME is not set
#   unwritable-home HOME is a folder that cannot be written
#   user            an unprivileged user with a copy of the checkout
#   no-ipv6         a network with 127.0.0.1 only
#   one-core        one processor core
#
# user and no-ipv6 need root. turkish needs the sources of the locales (Debian's package "locales").
set -uo pipefail

log= names=() options=()
while [ $# -gt 0 ]; do
    case $1 in
        --log) log=$(realpath -m "${2:-}") || exit 64; shift ;;
        --) options=("${@:2}"); break ;;
        *) names+=("$1") ;;
    esac
    shift
done
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
log=${log:-$scratch/log}
user=errand-any-machine
finish() {
    ! id "$user" >/dev/null 2>&1 || userdel "$user"
    rm -rf "$scratch"
}
trap finish EXIT
failed=0

# run NAME COMMAND...: runs the tests and `gallery fetch`, each as the arguments of COMMAND.
run() {
    local name=$1 began=$SECONDS test=("${@:2}" swift test --skip-build)
    shift
    printf '== %s: %s\n' "$name" "${test[*]} ${options[*]}"
    if [ ${#options[@]} -gt 0 ]; then
        Scripts/run-tests.sh "$log" "${test[@]}" "${options[@]}" || failed=1
    else
        # The session-contract sample has the time limits that users see, which a busy machine exceeds. Tests of linear time only
        # calculate, and would delay all others, so they run separately.
        Scripts/run-tests.sh "$log" "${test[@]}" --skip "a custom session passes the contract" --skip linear || failed=1
        Scripts/run-tests.sh "$log" "${test[@]}" --filter linear || failed=1
    fi
    local pictures=$scratch/pictures-$name
    mkdir -m 777 "$pictures"
    if ! "$@" timeout 60 .build/debug/gallery fetch --output "$pictures/gallery" >"$scratch/gallery" 2>&1; then
        printf 'FAILED: %s: gallery fetch\n' "$name"
        failed=1
    fi
    tail -n 1 "$scratch/gallery"
    printf '%d s\n\n' $((SECONDS - began))
}

# Each of these sets the array `prefix`: the command that runs its arguments in the environment.
proxy() {
    local dead=http://127.0.0.1:1
    prefix=(env -u no_proxy -u NO_PROXY http_proxy=$dead HTTP_PROXY=$dead https_proxy=$dead HTTPS_PROXY=$dead
        all_proxy=$dead ALL_PROXY=$dead)
}

descriptors() { prefix=(bash -c 'ulimit -n 256 && exec "$@"' bash); }

turkish() {
    # The locale is compiled into the scratch folder, so that the machine does not change.
    localedef -i tr_TR -f UTF-8 "$scratch/tr_TR.UTF-8" 2>/dev/null || true
    [ -d "$scratch/tr_TR.UTF-8" ] || { echo 'FAILED: turkish: install the package "locales"'; exit 1; }
    prefix=(env LOCPATH="$scratch" LANG=tr_TR.UTF-8 LC_ALL=tr_TR.UTF-8)
}

no_home() { prefix=(env -u HOME); }

# Not even root can write to /proc/self. The compiler needs a writable cache.
unwritable_home() { prefix=(env HOME=/proc/self XDG_CACHE_HOME="$scratch/cache"); }

user() {
    useradd --no-create-home --home-dir "$scratch/home" "$user" || exit 1
    chmod 755 "$scratch"
    mkdir "$scratch/home" "$scratch/checkout"
    git ls-files -z --cached --others --exclude-standard | tar --null -T - -c | tar -x -C "$scratch/checkout"
    cp -a .build "$scratch/checkout/"
    chown -R "$user:" "$scratch/home" "$scratch/checkout"
    folder=$scratch/checkout
    prefix=(setpriv --reuid "$user" --regid "$user" --clear-groups env HOME="$scratch/home")
}

no_ipv6() {
    prefix=(unshare --net bash -c 'ip link set lo up && ip -6 address flush dev lo && exec "$@"' bash)
}

one_core() { prefix=(taskset -c 0); }

[ -e .build/debug/gallery ] || { echo 'run `swift build --build-tests` first'; exit 1; }
[ ${#names[@]} -gt 0 ] || names=(proxy descriptors turkish no-home unwritable-home user no-ipv6 one-core)
for combined in "${names[@]}"; do
    command=() folder=.
    for name in ${combined//+/ }; do
        case $name in
        proxy | descriptors | turkish | no-home | unwritable-home | user | no-ipv6 | one-core) "${name//-/_}" ;;
        *) echo "unknown environment: $name"; exit 64 ;;
        esac
        command+=("${prefix[@]}")
    done
    (cd "$folder" && run "$combined" "${command[@]}"; exit $failed) || failed=1
done
exit $failed
