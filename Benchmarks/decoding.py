#!/usr/bin/env python3
"""Prints the MB/s at which orjson decodes the texts that `errand-bench decoding --texts FOLDER` has written.

usage: decoding.py FOLDER, in a Python environment with the package orjson
"""

import pathlib
import statistics
import sys
import time

import orjson

for file in sorted(pathlib.Path(sys.argv[1]).glob("*.json")):
    text = file.read_bytes()
    rates = []
    for _ in range(9):
        start = time.process_time()
        orjson.loads(text)
        rates.append(len(text) / 1e6 / (time.process_time() - start))
    print(f"{file.stem:10} {statistics.median(rates):6.0f} MB/s")
