#!/usr/bin/env bash
# Resumable uploads to two servers that are not part of this project: tuspyserver from PyPI, and Tests/upload-server.py for the
# Internet-Draft. Runs the suites that ERRAND_TUS and ERRAND_UPLOADS enable, then uploads files with a client that is killed at
# random times. Fails unless all stored files have the bytes of the originals.
# usage: uploads.sh VENV WIRE-FUZZ [FILES [COMMAND…]]
#   VENV: a folder for a Python environment. tuspyserver and uvicorn are installed there if they are missing
#   WIRE-FUZZ: the built program
#   FILES: the number of files for each server (default: 20)
#   COMMAND: runs the suites (default: swift test --skip-build --filter ResumableUploadServerTests)
set -euo pipefail
fuzz=$(realpath "$2") files=${3:-20}
mkdir -p "$1"
venv=$(realpath "$1")
shift $(($# < 3 ? $# : 3))
[ $# -gt 0 ] || set -- swift test --skip-build --filter ResumableUploadServerTests
cd "$(dirname "$0")/.."

[ -x "$venv/bin/pip" ] || python3 -m venv "$venv"
[ -x "$venv/bin/uvicorn" ] || "$venv/bin/pip" install --quiet uvicorn
"$venv/bin/python" -c 'import tuspyserver' 2>/dev/null || "$venv/bin/pip" install --quiet tuspyserver

scratch=$(mktemp -d)
started=
finish() {
    for server in $started; do kill "$server" 2>/dev/null || true; done
    wait 2>/dev/null || true
    rm -rf "$scratch"
}
trap finish EXIT
mkdir "$scratch/tus" "$scratch/draft" "$scratch/parts" "$scratch/films"

cat >"$scratch/tus_app.py" <<'PYTHON'
import os
import shutil

from fastapi import FastAPI
from tuspyserver import create_tus_router

app = FastAPI()


def keep(path, metadata):
    shutil.copyfile(path, os.path.join(os.environ["FILMS"], os.path.basename(metadata["filename"])))


app.include_router(create_tus_router(
    prefix="files", files_dir=os.environ["PARTS"], on_upload_complete=keep, strict_offset_validation=True))
PYTHON

FILMS=$scratch/tus PARTS=$scratch/parts PYTHONPATH=$scratch "$venv/bin/uvicorn" --log-level warning --port 18095 tus_app:app \
    >"$scratch/tus.log" 2>&1 &
started=$!
"$venv/bin/python" Tests/upload-server.py 18094 "$scratch/draft" 7 >"$scratch/draft.log" 2>&1 &
started="$started $!"
tus=http://127.0.0.1:18095/files/ draft=http://127.0.0.1:18094/films
for url in "$tus" "$draft"; do
    for _ in $(seq 100); do
        "$venv/bin/python" -c 'import sys, urllib.request as u
try: u.urlopen(sys.argv[1], timeout=2)
except u.HTTPError: pass' "$url" 2>/dev/null && break
        sleep 0.1
    done
done

ERRAND_TUS=$tus ERRAND_UPLOADS=$draft "$@"

# Uploads one file. The client is killed 30 to 230 ms after its start, until it ends by itself or was killed six times.
upload() { # upload PROTOCOL URL FILE [CHUNK]: prints the number of kills
    local kills=0 client killer
    while true; do
        "$fuzz" --upload "$1" "$2" "$3" "$3.upload" ${4:+"$4"} >"$scratch/client.log" 2>&1 &
        client=$!
        if [ "$kills" -lt 6 ]; then
            (sleep "0.$(printf %03d $((30 + RANDOM % 200)))" && kill -9 "$client" 2>/dev/null) &
            killer=$!
            if wait "$client" 2>/dev/null; then kill "$killer" 2>/dev/null || true; break; fi
            wait "$killer" 2>/dev/null || { cat "$scratch/client.log" >&2; return 1; }
            kills=$((kills + 1))
        else
            wait "$client" || { cat "$scratch/client.log" >&2; return 1; }
            break
        fi
    done
    echo "$kills"
}

RANDOM=7
failed=0
for kind in tus http-draft; do
    if [ "$kind" = tus ]; then url=$tus stored=$scratch/tus; else url=$draft stored=$scratch/draft; fi
    total=0
    for number in $(seq "$files"); do
        film=$scratch/films/$kind-$number.mp4
        # Small files in many chunks, and large files in one request, which the server of the draft does not accept.
        size=$((RANDOM * 100 + RANDOM)) chunk=65536
        if [ "$kind" = tus ] && [ $((number % 2)) = 0 ]; then size=$((size * 20)) chunk=; fi
        head -c "$size" /dev/urandom >"$film"
        count=$(upload "$kind" "$url" "$film" "$chunk") || { echo "$kind, file $number: the upload failed"; failed=1; continue; }
        total=$((total + count))
        cmp -s "$film" "$stored/$kind-$number.mp4" || { echo "$kind, file $number: other bytes"; failed=1; }
        [ ! -e "$film.upload" ] || { echo "$kind, file $number: the state file remains"; failed=1; }
    done
    echo "$kind: $files files, the client was killed $total times"
done
exit "$failed"
