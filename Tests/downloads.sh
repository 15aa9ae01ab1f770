#!/usr/bin/env bash
# Interrupts downloads from nginx at random moments, and compares each complete file with the server's.
# The client is killed, the server is killed and started again, or the file is replaced on the server. Each file must be identical
# to a version that the server had during the last run of the client. Prints counts. Fails if a file is wrong, if a run fails
# without an error, or if a file is left over.
# usage: downloads.sh DRIVER NGINX [MEGABYTES [INTERRUPTIONS [SEED]]]
#   DRIVER: the built conformance-driver
#   NGINX: the server program
#   MEGABYTES: the size of the file (default: 64)
#   INTERRUPTIONS: the number of interruptions (default: 50)
set -euo pipefail
driver=$(realpath "$1") nginx=$2 megabytes=${3:-64} interruptions=${4:-50} seed=${5:-$$}
RANDOM=$seed

scratch=$(mktemp -d)
server='' client=''
finish() {
    for process in $server $client; do
        kill -9 "$process" 2>/dev/null || true
        wait "$process" 2>/dev/null || true
    done
    rm -rf "$scratch"
}
trap finish EXIT
mkdir "$scratch/www" "$scratch/files"

start() {
    "$nginx" -p "$scratch" -c nginx.conf -e nginx.log 2>/dev/null &
    server=$!
    for _ in $(seq 100); do
        (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null && return 0
        kill -0 "$server" 2>/dev/null || break
        sleep 0.05
    done
    return 1
}

# A complete transfer takes about two seconds.
configure() {
    port=$((20000 + RANDOM % 20000))
    cat >"$scratch/nginx.conf" <<END
daemon off; master_process off; pid nginx.pid;
events { }
http {
    access_log off; default_type application/octet-stream;
    client_body_temp_path b; proxy_temp_path p; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
    server { listen 127.0.0.1:$port; root "$scratch/www"; limit_rate $(((megabytes + 1) / 2))m; }
}
END
}
for _ in 1 2 3 4; do configure && start && break; done
kill -0 "$server" || { cat "$scratch/nginx.log"; echo 'nginx did not start'; exit 1; }

versions=0 current=''
# The sizes differ by a few bytes. The date is part of nginx's entity tag, so each version has another one.
replace() {
    versions=$((versions + 1))
    head -c $(((megabytes << 20) + RANDOM % 100)) /dev/urandom >"$scratch/new"
    touch -d "2020-01-01 00:00:00 UTC + $versions minutes" "$scratch/new"
    current=$(sha256sum <"$scratch/new")
    mv "$scratch/new" "$scratch/www/film"
}
replace

killed=0 restarted=0 replaced=0 complete=0 resumed=0 failed=0 wrong=0
report() { echo "$1"; wrong=$((wrong + 1)); }

# Waits for a moment between 0.05 and 2 seconds.
moment() { sleep "$(printf '%d.%03d' $((RANDOM % 2)) $((50 + RANDOM % 950)))"; }

# Checks the files after a run of the client.
check() { # check ENDED: whether the client was not killed
    local answer left
    answer=$(cat "$scratch/answer")
    if [ -e "$scratch/files/film" ]; then
        [[ $accepted == *"$(sha256sum <"$scratch/files/film")"* ]] || report "wrong content (seed $seed): $answer"
        complete=$((complete + 1))
        [[ $answer != *'"resumedFrom":'[1-9]* ]] || resumed=$((resumed + 1))
        # A killed client may leave the record after the file got its name.
        left=$(find "$scratch/files" -name '.errand-*' | wc -l)
        [ "$left" -eq 0 ] || [ "$1" = no ] || report "$left files are left over: $answer"
        rm -rf "$scratch/files"
        mkdir "$scratch/files"
    elif [ "$1" = yes ]; then
        failed=$((failed + 1))
        [[ $answer == *'"error":'* ]] || report "no file and no error: $answer"
        echo "failed: $answer"
    fi
}

for _ in $(seq "$interruptions"); do
    accepted=$current
    ranges=$((RANDOM % 2 * 3 + 1))
    echo "{\"id\":1,\"op\":\"download\",\"url\":\"http://127.0.0.1:$port/film\",\"path\":\"$scratch/files/film\",\"ranges\":$ranges}" |
        "$driver" >"$scratch/answer" 2>/dev/null &
    client=$!
    moment
    case $((RANDOM % 3)) in
    0)
        killed=$((killed + 1))
        kill -9 "$client" 2>/dev/null || true
        wait "$client" 2>/dev/null || true
        check no
        continue
        ;;
    1)
        restarted=$((restarted + 1))
        kill -9 "$server"
        wait "$server" 2>/dev/null || true
        moment
        start || { echo 'nginx did not start again'; exit 1; }
        ;;
    2)
        replaced=$((replaced + 1))
        replace
        accepted="$accepted $current"
        # nginx continues to send the old file, so the connection is lost, too.
        kill -9 "$server"
        wait "$server" 2>/dev/null || true
        start || { echo 'nginx did not start again'; exit 1; }
        ;;
    esac
    wait "$client" || report "the client ended with status $?"
    check yes
done
client=''
echo "$interruptions interruptions of $megabytes MB: $killed clients killed, $restarted servers restarted, $replaced files replaced"
echo "$complete files complete, $resumed of them resumed from an earlier run, $failed runs with an error, $wrong wrong (seed $seed)"
[ "$wrong" -eq 0 ]
