#!/usr/bin/env python3
"""Measures the time from the start of a program with one request until the server receives the request.

usage: Benchmarks/start.py FOLDER [RUNS]

FOLDER contains the release builds of one-request and hello-foundation (swift build -c release --package-path Benchmarks). They run
alternately with curl, RUNS times each (default 40). hello-foundation sends no request: its time is that until it ends. Fails if the
median of one-request is more than 1.3 times that of hello-foundation in three attempts.
"""
import os
import pathlib
import socket
import statistics
import subprocess
import sys
import threading
import time

LIMIT, ATTEMPTS = 1.3, 3
RESPONSE = b"HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: close\r\n\r\nx"


class Server:
    """An HTTP server that notes the time of the first bytes of each request."""

    def __init__(self):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.socket.getsockname()[1]}/"
        self.moment = None
        threading.Thread(target=self.run, daemon=True).start()

    def run(self):
        while True:
            connection, _ = self.socket.accept()
            with connection:
                connection.recv(65536)
                self.moment = time.monotonic()
                connection.sendall(RESPONSE)


def run(command, server):
    """Returns the milliseconds until the request, or until the end, and those of CPU time."""
    server.moment = None
    start = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    end = time.monotonic()
    if process.returncode != 0:
        raise SystemExit(f"{command[0]} failed with status {process.returncode}")
    return (server.moment or end) - start, usage.ru_utime + usage.ru_stime


def measure(folder, runs):
    server = Server()
    programs = {
        "hello-foundation": [folder / "hello-foundation"],
        "one-request": [folder / "one-request", server.url],
        "curl": ["curl", "--silent", "--noproxy", "*", server.url],
    }
    times = {name: [] for name in programs}
    for _ in range(runs):
        for name, command in programs.items():
            times[name].append(run(command, server))
    hello = statistics.median(wall for wall, _ in times["hello-foundation"])
    ratios = {}
    for name, rows in times.items():
        wall, cpu = (statistics.median(column) for column in zip(*rows))
        ratios[name] = wall / hello
        print(f"  {name:18}{wall * 1000:7.1f} ms{cpu * 1000:7.1f} ms CPU{ratios[name]:7.2f} x hello-foundation")
    return ratios["one-request"]


def main():
    if len(sys.argv) < 2:
        raise SystemExit(__doc__)
    folder, runs = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]) if len(sys.argv) > 2 else 40
    if not any(measure(folder, runs) <= LIMIT for _ in range(ATTEMPTS)):
        raise SystemExit(f"the start takes more than {LIMIT} times that of hello-foundation")


main()
