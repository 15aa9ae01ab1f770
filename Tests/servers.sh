# The functions of the scripts that start a Valkey or Redis server and processes. A script sources this file with `valkey` set to
# the program of the server. All processes in `children` are killed at the end.

scratch=$(mktemp -d)
children=()
finish() {
    for process in "${children[@]}"; do kill -9 "$process" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$scratch"
}
trap finish EXIT
failed() { cat "$scratch"/*.log; echo "FAILED: $1"; exit 1; }
await() { for _ in $(seq 200); do ! "$@" >"$scratch/found" 2>&1 || return 0; sleep 0.1; done; failed "$*"; }
accepts() { (exec 3<>"/dev/tcp/127.0.0.1/$1"); }

# Starts a server without persistence, and sets `port`.
start_valkey() {
    port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    "$valkey" --bind 127.0.0.1 --port "$port" --save '' --dir "$scratch" >"$scratch/storage.log" &
    children+=($!)
    await accepts "$port"
}
