#!/usr/bin/env python3
"""Compares the speed of uploads, multipart uploads and downloads with curl.

usage: Benchmarks/transfers.py ERRAND_BENCH [MEGABYTES [ROUNDS]]

ERRAND_BENCH is the release build of errand-bench. Both programs transfer the same file (default 256 MB) alternately, ROUNDS times
(default 5). A server in Python reads the uploads and discards them. nginx serves the downloads: one is written to a file, the
other is discarded. Prints the medians in MB/s and their ratio, and fails if errand-bench reaches less than 0.8 of curl (0.5 for
the discarded download) in three attempts.
"""
import os
import pathlib
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

FOLDER = pathlib.Path(__file__).resolve().parent
ATTEMPTS = 3
PORT = 18083


class Sink:
    """An HTTP server that reads each body and answers with its size."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}/film"
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            connection, _ = self.socket.accept()
            with connection:
                self.serve(connection)

    @staticmethod
    def serve(connection):
        head = b""
        while b"\r\n\r\n" not in head:
            part = connection.recv(65536)
            if not part:
                return
            head += part
        head, body = head.split(b"\r\n\r\n", 1)
        length = re.search(rb"(?im)^content-length: *(\d+)", head)
        if not length:
            raise SystemExit("expected a Content-Length header in the request")
        if re.search(rb"(?im)^expect: *100-continue", head):
            connection.sendall(b"HTTP/1.1 100 Continue\r\n\r\n")
        rest, buffer = int(length[1]) - len(body), bytearray(1 << 20)
        while rest > 0:
            count = connection.recv_into(buffer, min(len(buffer), rest))
            if not count:
                return
            rest -= count
        connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")


def seconds(command):
    start = time.monotonic()
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=600)
    if result.returncode != 0:
        raise SystemExit(f"{' '.join(map(str, command))} failed with status {result.returncode}: {result.stdout[-400:]}")
    return time.monotonic() - start


def compare(name, ours, curl, size, rounds, check=lambda: None, aim=0.8):
    """Whether errand-bench reaches the aim."""
    for _ in range(ATTEMPTS):
        times = {"curl": [], "errand": []}
        for index in range(rounds):
            pairs = [("curl", curl), ("errand", ours)]
            for label, command in pairs if index % 2 == 0 else reversed(pairs):
                times[label].append(seconds(command()))
                check()
        rates = {label: size / 1e6 / statistics.median(values) for label, values in times.items()}
        ratio = rates["errand"] / rates["curl"]
        print(f"{name:10} errand {rates['errand']:7.0f} MB/s, curl {rates['curl']:7.0f} MB/s, ratio {ratio:.2f}", flush=True)
        if ratio >= aim:
            return True
    return False


def main():
    bench = pathlib.Path(sys.argv[1]).resolve()
    megabytes = int(sys.argv[2]) if len(sys.argv) > 2 else 256
    rounds = int(sys.argv[3]) if len(sys.argv) > 3 else 5
    size = megabytes * 1_000_000
    folder = pathlib.Path(tempfile.mkdtemp())
    server = None
    try:
        (folder / "files").mkdir()
        (folder / "server.conf").write_text("")
        film = folder / "files/film.bin"
        with open(film, "wb") as file:
            for _ in range(megabytes):
                file.write(os.urandom(1_000_000))
        server = subprocess.Popen([FOLDER / "nginx.sh", str(PORT), folder], stdout=subprocess.DEVNULL)
        for _ in range(100):
            try:
                socket.create_connection(("127.0.0.1", PORT)).close()
                break
            except OSError:
                time.sleep(0.05)
        sink, source = Sink().url, f"http://127.0.0.1:{PORT}/film.bin"
        target = folder / "copy.bin"

        def fresh(command):
            target.unlink(missing_ok=True)
            return command

        def check():
            if target.stat().st_size != size:
                raise SystemExit(f"expected {size} bytes, found {target.stat().st_size}")

        reached = [
            compare("upload", lambda: [bench, "transfer", "upload", sink, film],
                    lambda: ["curl", "-sSf", "-o", "/dev/null", "-T", film, sink], size, rounds),
            compare("multipart", lambda: [bench, "transfer", "multipart", sink, film],
                    lambda: ["curl", "-sSf", "-o", "/dev/null", "-X", "PUT", "--form-string", "title=a film", "-F", f"film=@{film}",
                             sink], size, rounds),
            compare("download", lambda: fresh([bench, "transfer", "download", source, target]),
                    lambda: fresh(["curl", "-sSf", "-o", target, source]), size, rounds, check),
            compare("discard", lambda: [bench, "transfer", "discard", source, "/dev/null"],
                    lambda: ["curl", "-sSf", "-o", "/dev/null", source], size, rounds, aim=0.5),
        ]
        return 0 if all(reached) else 1
    finally:
        if server:
            server.send_signal(signal.SIGTERM)
            server.wait()
        shutil.rmtree(folder)


if __name__ == "__main__":
    sys.exit(main())
