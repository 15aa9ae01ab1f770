#!/usr/bin/env bash
# Starts a server with a hard limit and processes that share it. One process is killed in the middle. Fails if the server
# refuses a request, if a call of the store fails, if the state of the limit is lost, or if less than 95 % of the limit is used.
# With SERVER, repeats this at half the rate while the clock of one process is an hour ahead. That server is then killed and
# restarted while the processes send, once for each failure mode.
# usage: limits.sh WIRE-FUZZ [PROCESSES [REQUESTS [RATE [SERVER]]]]
#   WIRE-FUZZ: the built program
#   PROCESSES: the number of processes besides the killed one (default: 8)
#   REQUESTS: the number of requests of each process (default: 10000)
#   RATE: the limit in requests per second (default: 4000)
#   SERVER: the program redis-server or valkey-server, which stores the limit. By default, a folder stores it
set -euo pipefail
fuzz=$(realpath "$1") processes=${2:-8} requests=${3:-10000} rate=${4:-4000} valkey=${5:-}

scratch=$(mktemp -d)
limiter= storage= killed= clients=
# The command that changes the clock of the next process.
clock=()
finish() {
    # SIGTERM reaches the child of `timeout`, too.
    for process in $limiter $storage $killed $clients; do kill "$process" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$scratch"
}
trap finish EXIT
failed() { cat "$scratch"/*.log; echo "FAILED: $1"; exit 1; }
await() { for _ in $(seq 200); do ! "$@" >"$scratch/found" 2>&1 || return 0; sleep 0.1; done; failed "$*"; }

report() { curl -sS --max-time 10 "$url/report"; }
has_requests() { [ "$(report | cut -d ' ' -f 1)" -gt 0 ]; }
start_limiter() {
    # The requests come with a burst of 1. The delays of a busy machine make some of them meet at the server, so it allows those
    # of a quarter of a second, and at least those that the 16 tasks of each process can send at the same time.
    local together=$((16 * (processes + 1) + 1))
    burst=$((rate / 4 > together ? rate / 4 : together))
    : >"$scratch/url"
    "$fuzz" --limit-server "$rate" "$burst" >"$scratch/url" 2>"$scratch/server.log" &
    limiter=$!
    await test -s "$scratch/url"
    url=$(cat "$scratch/url")
}
stop_limiter() {
    read -r count refusals largest used <<<"$(report)"
    { kill -9 "$limiter" && wait "$limiter"; } 2>/dev/null || true
    limiter=
}

accepts() { (exec 3<>"/dev/tcp/127.0.0.1/$1"); }
start_storage() {
    "$valkey" --bind 127.0.0.1 --port "$port" --save '' --dir "$scratch" >"$scratch/storage.log" &
    storage=$!
    await accepts "$port"
}
stop_storage() {
    { kill -9 "$storage" && wait "$storage"; } 2>/dev/null || true
    storage=
}

# Starts the processes with a number of requests and, for a trial with failures, the mode and the number of workers.
start_clients() {
    local number count=$1
    shift
    for number in $(seq "$processes"); do
        timeout -k 5 600 "${clock[@]}" "$fuzz" --limit-client "$url" "$store" "$count" "$rate" "$@" \
            >"$scratch/$number.out" 2>"$scratch/$number.log" &
        clients+=" $!"
        clock=()
    done
}
await_clients() {
    local client status=0
    for client in $clients; do wait "$client" || status=1; done
    clients=
    [ "$status" -eq 0 ] || { cat "$scratch"/*.out; failed 'a process failed'; }
    read -r sent refused held <<<"$(cat "$scratch"/[0-9]*.out | awk '{ a += $1; b += $2; c += $3 } END { print a, b, c }')"
}

if [ -n "$valkey" ]; then
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    store=redis://127.0.0.1:$port
    start_storage
    ask() { exec 3<>"/dev/tcp/127.0.0.1/$port"; printf '%s\r\nQUIT\r\n' "$1" >&3; timeout 5 cat <&3 || true; exec 3>&-; }
    keys() { ask 'KEYS errand:limit:*' | grep '^errand' | tr -d '\r'; }
    has_limit() { [ -n "$(keys)" ]; }
    state() { ask "GET $(keys)" | sed -n 's/^limit1 \([0-9]*\) .*/\1/p'; }
else
    store=$scratch/limits
    has_limit() { compgen -G "$store/*.limit"; }
    state() { cut -d ' ' -f 2 "$store"/*.limit; } # the time at which the state of the limit was created
fi

# Runs the processes, with a number of requests each, and kills another one.
share() {
    local before after client
    start_limiter
    "$fuzz" --limit-client "$url" "$store" 1000000 "$rate" >"$scratch/killed.log" 2>&1 &
    killed=$!
    start_clients "$1"
    # On a busy machine, the processes need some time to start.
    await has_limit
    sleep 1
    kill -0 "$killed" 2>/dev/null || failed 'the process to be killed has ended'
    before=$(state)
    for client in $clients; do
        kill -0 "$client" 2>/dev/null || failed 'a process has ended before the other one was killed'
    done
    { kill -9 "$killed" && wait "$killed"; } 2>/dev/null || true
    killed=
    await_clients
    after=$(state)
    stop_limiter
    echo "$processes processes and a killed one$2: $count requests, $refusals refused, $used % of $rate/s," \
        "largest burst $largest of $burst"
    [ -n "$before" ] && [ "$after" = "$before" ] || failed 'the state of the limit was lost'
    [ "$refusals" -eq 0 ] || failed 'the limit was exceeded'
    [ "$used" -ge 95 ] && [ "$used" -le 105 ] || failed 'the limit was not used, or exceeded'
}

share "$requests" ''
# A folder uses the clocks of the processes, so they must agree.
[ -n "$valkey" ] || exit 0
# faketime makes each reading of a clock slow, so the whole rate would measure the processor.
ask FLUSHALL >"$scratch/found"
clock=(faketime --exclude-monotonic -f +1h) rate=$((rate / 2))
share "$((requests / 2))" ', one with a wrong clock'
rate=$((rate * 2))

# Enough for an outage and for the time after it.
requests=$((requests * processes > rate * 10 ? requests : rate * 10 / processes))
for mode in local open closed; do
    start_limiter
    start_clients "$requests" "$mode" "$processes"
    await has_requests
    sleep 2
    stop_storage
    sleep 2
    start_storage
    await_clients
    stop_limiter
    total=$((sent + refused + held))
    echo "mode $mode: $sent sent, $refused refused, $held not sent, $used % of $rate/s, largest burst $largest of $burst"
    [ "$total" -eq $((processes * requests)) ] || failed 'a request is missing'
    [ "$refusals" -eq "$refused" ] || failed 'the processes and the server counted different numbers'
    # The new server was empty. Without a limit, the requests may be over before it starts.
    [ "$mode" = open ] || has_limit || failed 'no process uses the new server'
    case $mode in
    # While some processes use the store and others their share, they can exceed the rate. This takes up to two seconds.
    local)
        [ "$refused" -le $((rate * 2)) ] && [ "$held" -eq 0 ] || failed 'the share was exceeded, or requests were not sent'
        [ "$used" -ge 80 ] || failed 'the share was not used'
        ;;
    open) [ "$refused" -gt 0 ] && [ "$held" -eq 0 ] || failed 'the limit was still applied, or requests were not sent' ;;
    closed) [ "$refused" -eq 0 ] && [ "$held" -gt 0 ] || failed 'the limit was exceeded, or all requests were sent' ;;
    esac
done
