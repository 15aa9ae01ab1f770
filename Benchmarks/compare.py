#!/usr/bin/env python3
"""Compares the figures of errand-bench at two commits.

usage: Benchmarks/compare.py BEFORE AFTER [ROUNDS] [-- COMMAND [ARGUMENT...] [-- COMMAND...]...]

Builds errand-bench of both commits in the folder COMPARE_FOLDER (default .build/compare). Runs each command of both commits
alternately for ROUNDS rounds (default 5). Prints the medians of each number, first that of BEFORE, and their ratio. The default
commands are layers, decoding, sessions and memory. Lines that only one commit prints are omitted, and their number is printed
at the end. Run it on an idle machine.
"""
import os
import pathlib
import re
import statistics
import subprocess
import sys

NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.\d+)?")
DEFAULT = [["layers"], ["decoding"], ["sessions"], ["memory"]]


def build(commit, folder):
    """Builds errand-bench of a commit. Returns its path."""
    sources = folder / commit
    if not sources.exists():
        sources.mkdir(parents=True)
        archive = subprocess.run(["git", "archive", commit], stdout=subprocess.PIPE, check=True)
        subprocess.run(["tar", "x", "-C", sources], input=archive.stdout, check=True)
    subprocess.run(
        ["swift", "build", "-c", "release", "--product", "errand-bench", "--package-path", sources / "Benchmarks"],
        check=True, stdout=subprocess.DEVNULL)
    return sources / "Benchmarks/.build/release/errand-bench"


def figures(text):
    """The numbers of each line. The key is the line without its numbers, and the number of its occurrence."""
    found, seen = {}, {}
    for line in text.splitlines():
        label = " ".join(NUMBER.sub("#", line).split())
        if "#" not in label:
            continue
        occurrence = seen[label] = seen.get(label, 0) + 1
        found[label, occurrence] = [float(number) for number in NUMBER.findall(line)]
    return found


def medians(runs):
    """The median of each number that all runs contain."""
    parsed = [figures(run) for run in runs]
    keys = [key for key in parsed[0] if all(key in other for other in parsed)]
    return {key: [statistics.median(values) for values in zip(*(run[key] for run in parsed))] for key in keys}


def run(program, command):
    result = subprocess.run([program, *command], capture_output=True, text=True, timeout=1800)
    if result.returncode != 0:
        print(f"{program} {' '.join(command)} failed with status {result.returncode}: {result.stdout[-300:]}", file=sys.stderr)
    return result.stdout


def compare(command, programs, rounds):
    runs = [[], []]
    for number in range(rounds):
        # The order alternates, so that no commit always runs first.
        for index in (0, 1) if number % 2 == 0 else (1, 0):
            runs[index].append(run(programs[index], command))
    before, after = map(medians, runs)
    print(f"\n## {' '.join(command)}, medians of {rounds} runs")
    for key, values in after.items():
        for old, new in zip(before.get(key, []), values):
            ratio = f"{new / old:.3f}" if old else "-"
            print(f"{key[0][:100]:100} {old:12.2f} {new:12.2f} {ratio:>8}")
    print(f"not compared: {len(after.keys() ^ before.keys())} lines")


def main(arguments):
    head, *commands = " ".join(f"'{a}'" if " " in a else a for a in arguments).split(" -- ")
    names = head.split()
    if len(names) not in (2, 3):
        print(__doc__)
        return 64
    folder = pathlib.Path(os.environ.get("COMPARE_FOLDER", ".build/compare")).absolute()
    programs = [build(name, folder) for name in names[:2]]
    for command in [text.split() for text in commands] or DEFAULT:
        compare(command, programs, int(names[2]) if len(names) == 3 else 5)
    return 0


sys.exit(main(sys.argv[1:]))
