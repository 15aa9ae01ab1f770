#!/usr/bin/env python3
"""Writes Sources/CGalleryCore/catalogue.c, which embeds catalogue.json and the pictures that it lists.

    python3 Scripts/make-catalogue.py           writes the file
    python3 Scripts/make-catalogue.py --check   exits 1 if the file, the list and the pictures do not match

catalogue.json is edited by hand.
"""

import json
import struct
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "Sources" / "CGalleryCore"

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


def size(picture):
    """The width and the height in the first chunk of a PNG."""
    return struct.unpack(">II", picture.read_bytes()[16:24])


def problems(photos):
    files = [photo["file"] for photo in photos]
    pictures = {picture.name: picture for picture in (FOLDER / "pictures").iterdir()}
    for name in sorted(pictures.keys() ^ set(files)):
        yield f"{name}: expected an object in catalogue.json and a file in pictures, found one of them"
    for key in ("file", "id"):
        if len({photo[key] for photo in photos}) < len(photos):
            yield f"catalogue.json: expected a unique {key} in each object"
    for photo in photos:
        stated = photo["width"], photo["height"]
        if photo["file"] in pictures and size(pictures[photo["file"]]) != stated:
            yield f"{photo['file']}: expected the size in catalogue.json, {stated}, found {size(pictures[photo['file']])}"


def c_file(photos):
    names = ["catalogue.json"] + [photo["file"] for photo in photos]
    paths = ["catalogue.json"] + [f"pictures/{name}" for name in names[1:]]
    arrays = "".join(
        f'static const unsigned char entry_{i}[] = {{\n#embed "{path}"\n}};\n' for i, path in enumerate(paths)
    )
    rows = "\n".join(f'    {{"{name}", entry_{i}, sizeof(entry_{i})}},' for i, name in enumerate(names))
    return C_FILE.format(arrays=arrays, rows=rows)


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    photos = json.loads((FOLDER / "catalogue.json").read_text(encoding="utf-8"))
    found, made, target = list(problems(photos)), c_file(photos), FOLDER / "catalogue.c"
    if sys.argv[1:] and target.read_text() != made:
        found.append("catalogue.c: run Scripts/make-catalogue.py")
    if found:
        sys.exit("\n".join(found))
    if not sys.argv[1:]:
        target.write_text(made)


if __name__ == "__main__":
    main()
