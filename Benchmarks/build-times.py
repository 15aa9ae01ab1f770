#!/usr/bin/env python3
"""Compares clean builds of two commits.

usage: Benchmarks/build-times.py BEFORE AFTER [ROUNDS]

Builds the Errand target and the program core-only of Tests/LinkageTest, an app with one handler, from nothing. The builds of
the two commits alternate for ROUNDS rounds (default 3). Prints the median time of each build and the size of the app. The
sources are copied to the folder COMPARE_FOLDER (default .build/compare). Run it on an idle machine.
"""
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import time

BUILDS = [
    ("Errand, release", ".", ["-c", "release", "--target", "Errand"]),
    ("Errand, debug", ".", ["-c", "debug", "--target", "Errand"]),
    ("app with one handler, release", "Tests/LinkageTest", ["-c", "release", "--product", "core-only"]),
    ("app with one handler, debug", "Tests/LinkageTest", ["-c", "debug", "--product", "core-only"]),
]


def unpack(commit, folder):
    """Copies a commit to a folder with the name `errand`, which other packages use to refer to it."""
    sources = folder / f"build-{commit}" / "errand"
    if not sources.exists():
        sources.mkdir(parents=True)
        archive = subprocess.run(["git", "archive", commit], stdout=subprocess.PIPE, check=True)
        subprocess.run(["tar", "x", "-C", sources], input=archive.stdout, check=True)
    return sources


def build(sources, package, arguments):
    """Builds from nothing. Returns the time in seconds."""
    folder = sources / package
    shutil.rmtree(folder / ".build", ignore_errors=True)
    start = time.monotonic()
    subprocess.run(
        ["swift", "build", "--package-path", folder, *arguments], check=True, stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL)
    return time.monotonic() - start


def app_size(sources):
    """The size of the release build of the app in bytes, with and without symbols."""
    folder = sources / "Tests/LinkageTest"
    build(sources, "Tests/LinkageTest", ["-c", "release", "--product", "core-only"])
    program, stripped = folder / ".build/release/core-only", folder / ".build/stripped"
    subprocess.run(["strip", "-o", stripped, program], check=True)
    return program.stat().st_size, stripped.stat().st_size


def main(arguments):
    if len(arguments) not in (2, 3):
        print(__doc__)
        return 64
    rounds = int(arguments[2]) if len(arguments) == 3 else 3
    folder = pathlib.Path(os.environ.get("COMPARE_FOLDER", ".build/compare")).absolute()
    both = [unpack(commit, folder) for commit in arguments[:2]]
    print(f"| | {arguments[0]} | {arguments[1]} | ratio |\n|---|---|---|---|")
    for label, package, options in BUILDS:
        times = [[], []]
        for number in range(rounds):
            # The order alternates, so that no commit always runs first.
            for index in (0, 1) if number % 2 == 0 else (1, 0):
                times[index].append(build(both[index], package, options))
        before, after = map(statistics.median, times)
        print(f"| {label} | {before:.1f} s | {after:.1f} s | {after / before:.2f} |", flush=True)
    for label, before, after in zip(("size of the app", "the same, stripped"), *map(app_size, both)):
        print(f"| {label} | {before / 1e6:.2f} MB | {after / 1e6:.2f} MB | {after / before:.2f} |")
    return 0


sys.exit(main(sys.argv[1:]))
