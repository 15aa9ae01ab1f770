#!/usr/bin/env bash
# Serves the files for `errand-bench sessions --url http://127.0.0.1:18080/` with nginx, until it is interrupted, on all addresses of
# the machine. With openssl, the next port serves them over TLS as localhost. It does not require root. nginx writes to a temporary
# folder. usage: nginx.sh [PORT [FOLDER]]
# FOLDER contains other files in `files`, and their configuration in `server.conf`.
set -euo pipefail
port=${1:-18080}
own=${2:+$(cd "$2" && pwd)}
program=$(PATH=$PATH:/usr/sbin command -v nginx) || { echo 'nginx is not installed (package nginx-light)'; exit 1; }
folder=$(mktemp -d)
server=
finish() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    wait
    rm -rf "$folder"
}
trap finish EXIT
trap exit INT TERM

mkdir "$folder/files" "$folder/scratch"
: >"$folder/server.conf"
{
    printf '['
    for index in 0 1 2 3 4 5 6 7 8 9; do
        [ "$index" = 0 ] || printf ','
        printf '{"id":"p100%d","title":"Morning over the lake, no. %d","width":4032,"height":3024,' "$index" "$index"
        printf '"likes":%d,"user_name":"nobody_%d"}' $((index * 17)) "$index"
    done
    printf ']'
} >"$folder/files/1k.json"
head -c 100000 /dev/zero >"$folder/files/100k.bin"
head -c 10000000 /dev/zero >"$folder/files/10m.bin"

secure=
if command -v openssl >/dev/null; then
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout "$folder/key" -out "$folder/pem" -days 2 \
        -subj /CN=localhost -addext subjectAltName=DNS:localhost 2>/dev/null
    secure="listen $((port + 1)) ssl backlog=4096; ssl_certificate $folder/pem; ssl_certificate_key $folder/key;"
    secure+=' ssl_session_cache shared:sessions:1m;'
fi
cat >"$folder/nginx.conf" <<CONFIGURATION
daemon off;
worker_processes 1;
pid $folder/nginx.pid;
error_log stderr warn;
events { worker_connections 8192; }
http {
    access_log off;
    sendfile on;
    tcp_nopush on;
    keepalive_timeout 600s;
    keepalive_requests 1000000;
    types { application/json json; image/png png; application/octet-stream bin; }
    client_body_temp_path $folder/scratch/body;
    proxy_temp_path $folder/scratch/proxy;
    fastcgi_temp_path $folder/scratch/fastcgi;
    uwsgi_temp_path $folder/scratch/uwsgi;
    scgi_temp_path $folder/scratch/scgi;
    server {
        listen $port backlog=4096;
        $secure
        root ${own:-$folder}/files;
        include ${own:-$folder}/server.conf;
        # Not cacheable, so that a session with a cache sends each request.
        add_header Cache-Control no-store;
    }
}
CONFIGURATION

# If started as root, nginx would run its worker as another user, which cannot read the folder.
[ "$(id -u)" != 0 ] || sed -i '1i user root;' "$folder/nginx.conf"
echo "nginx serves http://127.0.0.1:$port/"
[ -z "$secure" ] || echo "and https://localhost:$((port + 1))/, with the authorities $folder/pem"
"$program" -p "$folder" -c "$folder/nginx.conf" -e stderr &
server=$!
wait "$server"
