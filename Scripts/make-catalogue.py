#!/usr/bin/env python3
"""Makes the bundled picture catalogue: the pictures, catalogue.json and the C file that embeds them.

    python3 Scripts/make-catalogue.py           writes Sources/CGalleryCore
    python3 Scripts/make-catalogue.py --check   exits 1 if the files there are not what this script makes

The pictures are drawn here and nowhere else, so nobody's licence applies to them. It needs Python 3.9 or later and
nothing besides its standard library.
"""

import argparse
import json
import sys
from multiprocessing import Pool
from pathlib import Path

# A check must leave the work tree as it found it.
sys.dont_write_bytecode = True

from catalogue import metadata, png, patterns, scenes  # noqa: E402,F401  (patterns registers its pictures)

TARGET = Path(__file__).resolve().parent.parent / "Sources" / "CGalleryCore"
ONE_LIMIT, ALL_LIMIT = 40_000, 900_000

C_FILE = """\
// Made by Scripts/make-catalogue.py; change that instead.

#include "CGalleryCore.h"

// #embed is part of C23. Compilers that have it accept it in older standards too; clang then warns.
#if !defined(__has_embed)
#error "expected a compiler with #embed: use clang 19 or later, or gcc 15 or later"
#else

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wc23-extensions"
#endif

{arrays}
static const gallery_catalogue_entry entries[] = {{
{rows}
}};

size_t gallery_catalogue_count(void) {{
    return sizeof(entries) / sizeof(entries[0]);
}}

gallery_catalogue_entry gallery_catalogue_entry_at(size_t index) {{
    if (index >= gallery_catalogue_count()) {{
        return (gallery_catalogue_entry){{0}};
    }}
    return entries[index];
}}

#endif
"""


def render(stem):
    draw, budget, most = scenes.PICTURES[stem]
    data = png.encode(draw(), budget, most)
    return stem, data, flaw(data)


def flaw(data):
    """Why a picture is not worth showing, or None: a mistake in a drawing tends to give a blank or nearly blank one."""
    width, height, flat = png.decode(data)
    pixels = list(zip(flat[0::3], flat[1::3], flat[2::3]))
    counts = {}
    for pixel in pixels:
        counts[pixel] = counts.get(pixel, 0) + 1
    if len(counts) < 8:
        return f"only {len(counts)} colours"
    if max(counts.values()) > 0.85 * len(pixels):
        return "mostly one colour"
    light = [2 * r + 5 * g + b for r, g, b in pixels]
    mean = sum(light) / len(light)
    if sum((v - mean) ** 2 for v in light) / len(light) < (8 * 12) ** 2:
        return "hardly any contrast"
    turns = sum(a != b for a, b in zip(pixels, pixels[1:])) / len(pixels)
    if not 0.004 < turns < 0.75:
        return f"{turns:.0%} of neighbours differ"
    quarters = [
        {p for y in range(top, top + height // 2, 5) for p in pixels[y * width + left :][: width // 2 : 5]}
        for top in (0, height // 2)
        for left in (0, width // 2)
    ]
    if min(map(len, quarters)) < 2:
        return "an empty quarter"
    return None


def c_file(names):
    arrays = "".join(
        f'static const unsigned char entry_{i}[] = {{\n#embed "{path}"\n}};\n' for i, (_, path) in enumerate(names)
    )
    rows = "\n".join(f'    {{"{name}", entry_{i}, sizeof(entry_{i})}},' for i, (name, _) in enumerate(names))
    return C_FILE.format(arrays=arrays, rows=rows)


def generate():
    """{path under the target: bytes} of everything this script makes."""
    with Pool() as pool:
        rendered = pool.map(render, scenes.PICTURES, chunksize=1)
    pictures = {stem: data for stem, data, _ in rendered}
    problems = [f"{stem}: {reason}" for stem, _, reason in rendered if reason]
    for stem, data in pictures.items():
        if len(data) > ONE_LIMIT:
            problems.append(f"{stem}: {len(data)} bytes, more than {ONE_LIMIT}")
    total = sum(map(len, pictures.values()))
    if total > ALL_LIMIT:
        problems.append(f"all pictures together: {total} bytes, more than {ALL_LIMIT}")
    records = metadata.entries(pictures)
    if len({record["id"] for record in records}) != len(records):
        problems.append("two pictures have the same id")
    if problems:
        sys.exit("\n".join(problems))
    files = {f"pictures/{stem}.png": data for stem, data in pictures.items()}
    files["catalogue.json"] = (json.dumps(records, ensure_ascii=False, indent=1) + "\n").encode()
    names = [("catalogue.json", "catalogue.json")] + [(f"{stem}.png", f"pictures/{stem}.png") for stem in pictures]
    files["catalogue.c"] = c_file(names).encode()
    return files


def same(path, made, found):
    if made == found:
        return True
    # zlib builds differ in how they pack, which changes bytes of a PNG but not the picture it holds.
    if not path.endswith(".png"):
        return False
    try:
        return png.decode(made) == png.decode(found)
    except Exception:
        return False


def check(files):
    differences = []
    for path, made in files.items():
        place = TARGET / path
        if not place.is_file():
            differences.append(f"missing: {path}")
        elif not same(path, made, place.read_bytes()):
            differences.append(f"different: {path}")
    for place in sorted((TARGET / "pictures").glob("*")):
        if f"pictures/{place.name}" not in files:
            differences.append(f"not made by this script: pictures/{place.name}")
    return differences


def write(files):
    (TARGET / "pictures").mkdir(parents=True, exist_ok=True)
    for place in (TARGET / "pictures").glob("*.png"):
        if f"pictures/{place.name}" not in files:
            place.unlink()
    for path, data in files.items():
        place = TARGET / path
        # An untouched file keeps its date, so a build after a run that changed nothing has nothing to do.
        if not place.is_file() or place.read_bytes() != data:
            place.write_bytes(data)


def main():
    parser = argparse.ArgumentParser(description="Makes the bundled picture catalogue.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 if the committed files differ")
    parser.add_argument("--list", action="store_true", help="also list every picture with its size")
    options = parser.parse_args()
    files = generate()
    pictures = {path: data for path, data in files.items() if path.endswith(".png")}
    if options.list:
        for path, data in pictures.items():
            width, height, _ = png.decode(data)
            print(f"{Path(path).name:24} {width} x {height}  {len(data):6} bytes")
    print(f"{len(pictures)} pictures, {sum(map(len, pictures.values()))} bytes")
    if options.check:
        differences = check(files)
        if differences:
            sys.exit("\n".join(differences))
        print("the committed catalogue is what this script makes")
    else:
        write(files)


if __name__ == "__main__":
    main()
