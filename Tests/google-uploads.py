#!/usr/bin/env python3
"""Uploads to the testbench of Google Cloud Storage, which interrupts each upload in a different way.

usage: google-uploads.py TESTBENCH WIRE-FUZZ RETRY-TESTS
  TESTBENCH: the URL of a running testbench (https://github.com/googleapis/storage-testbench)
  WIRE-FUZZ: the built program
  RETRY-TESTS: storage/v1/retry_tests.json (https://github.com/googleapis/conformance-tests)

Runs all cases for resumable uploads, with all bytes in one request and in chunks, and fails unless each stored object has the
bytes of the file and the testbench has seen all requested interruptions.
"""
import json
import os
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request

server, program, cases = sys.argv[1].rstrip("/"), sys.argv[2], sys.argv[3]
size = 9 << 20


def call(method, path, body=None):
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(
        server + path, data=data, method=method, headers={"Content-Type": "application/json"})
    with urllib.request.urlopen(request, timeout=20) as response:
        return response.read()


def upload(instructions, chunk, folder, number):
    test = json.loads(call("POST", "/retry_test", {
        "instructions": {"storage.objects.insert": instructions}, "transport": "HTTP"}))["id"]
    film = os.path.join(folder, f"film-{number}")
    with open(film, "wb") as file:
        file.write(os.urandom(size))
    url = f"{server}/upload/storage/v1/b/films/o?uploadType=resumable&name=film-{number}&ifGenerationMatch=0"
    result = subprocess.run(
        [program, "--upload", "google-session", url, film, film + ".upload", str(chunk), f"x-retry-test-id={test}"],
        capture_output=True, text=True, timeout=120)
    if result.returncode != 0:
        return f"the upload failed: {result.stdout.strip()} {result.stderr.strip()}"
    if not json.loads(call("GET", f"/retry_test/{test}"))["completed"]:
        return "the testbench did not interrupt the upload as requested"
    with open(film, "rb") as file:
        if call("GET", f"/download/storage/v1/b/films/o/film-{number}?alt=media") != file.read():
            return "the stored object has other bytes"
    return "the state file remains" if os.path.exists(film + ".upload") else None


def main():
    try:
        call("POST", "/storage/v1/b?project=test", {"name": "films"})
    except urllib.error.HTTPError as error:
        if error.code != 409:
            raise
    with open(cases) as file:
        tests = json.load(file)["retryTests"]
    rows = [case["instructions"] for test in tests
            if any(method.get("group") == "storage.resumable.upload" for method in test["methods"])
            for case in test["cases"]]
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, (instructions, chunk) in enumerate((row, chunk) for row in rows for chunk in (1 << 30, 2 << 20)):
            failure = upload(instructions, chunk, folder, f"{os.getpid()}-{number}")
            failed += failure is not None
            print(f"{', '.join(instructions)}, chunks of {chunk >> 20} MB: {failure or 'complete'}", flush=True)
    print(f"{2 * len(rows) - failed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
