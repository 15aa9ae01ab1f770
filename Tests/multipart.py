"""Checks that two decoders of other projects read the multipart bodies of this library (RFC 7578).

The conformance driver encodes generated forms, in both modes. python-multipart and werkzeug decode them. The names, file
names, content types and values must be equal. Both decoders keep %0D and %0A in names, so names are compared in this form.
python-multipart also keeps %22. werkzeug decodes it, including a %22 that the caller passed.

    VENV/bin/python Tests/multipart.py DRIVER [COUNT]

DRIVER is the program conformance-driver. COUNT is the number of forms (default: 400). Requires the packages python-multipart
and werkzeug. Prints the number of forms and parts, and exits with status 1 if there is a difference.
"""

import base64
import io
import json
import random
import re
import subprocess
import sys

from python_multipart.multipart import MultipartParser, parse_options_header
from werkzeug.sansio.multipart import Data, Epilogue, Field, File, MultipartDecoder, NeedData

PIECES = [
    "a", "title", "user[name]", "files[]", '"', "\n", "\r", "\r\n", "\n\r", " ", ";", "=", "'", "%22", "%0D", "%", "&", "+",
    "é", "ü字", "👩‍👩‍👧", "e\u0301", "\u202e", "name=", "filename=", "--", "--B", "boundary", ",", ":", "/", "?", "#",
]
TYPES = [None, "text/plain", "text/plain; charset=utf-8", "image/png", "application/json", "application/octet-stream"]


def text(source, pieces):
    return "".join(source.choice(PIECES) for _ in range(source.randint(0, pieces)))


def value(source, is_file):
    """A text, or bytes of a file with line breaks and delimiters of other boundaries."""
    kind = source.randrange(4)
    if kind == 0 and is_file:
        return source.randbytes(source.choice([0, 1, 2, 300, 70_000]))
    if kind == 1 and is_file:
        return b"".join(source.choice([b"\r", b"\n", b"\r\n", b"--", b"\0", b"\xff", b"\r\n--errand-"]) for _ in range(40))
    return text(source, 12).encode()


def form(source):
    """The parts of one form. A file always has a name of at least one character, because decoders ignore others."""
    parts = []
    for _ in range(source.randint(1, 6)):
        filename = source.choice([None, "f" + text(source, 5)])
        content = value(source, filename is not None)
        kind = source.choice(TYPES) if filename is not None else source.choice([None, None, "text/plain"])
        parts.append({
            "name": "n" + text(source, 5), "filename": filename, "contentType": kind,
            "valueBase64": base64.b64encode(content).decode(),
        })
    return parts


def escaped(name):
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def expected(parts, mode):
    """The decoded parts: name, file name, content type and bytes."""
    result = []
    for part in parts:
        name, filename, content = part["name"], part["filename"], base64.b64decode(part["valueBase64"])
        if mode == "form":
            name = re.sub("\r\n|\r|\n", "\r\n", name)
            if filename is None:
                content = re.sub(b"\r\n|\r|\n", b"\r\n", content)
        kind = part["contentType"] or (None if filename is None else "application/octet-stream")
        result.append((escaped(name), None if filename is None else escaped(filename), kind, content))
    return result


def with_quotes(parts):
    """The parts with names as werkzeug decodes them."""
    return [(name.replace("%22", '"'), filename and filename.replace("%22", '"'), *rest) for name, filename, *rest in parts]


def by_werkzeug(boundary, body):
    decoder = MultipartDecoder(boundary)
    decoder.receive_data(body)
    decoder.receive_data(None)
    result = []
    while not isinstance(event := decoder.next_event(), (Epilogue, NeedData)):
        if isinstance(event, (Field, File)):
            filename = event.filename if isinstance(event, File) else None
            result.append([event.name, filename, event.headers.get("content-type"), b""])
        elif isinstance(event, Data):
            result[-1][3] += event.data
    assert isinstance(event, Epilogue), "werkzeug: expected the end of the body"
    return [tuple(each) for each in result]


def by_python_multipart(boundary, body):
    """Decodes with the callbacks of the parser, because its own objects do not keep the order or the content types."""
    result, name, header = [], bytearray(), bytearray()

    def end_header():
        if bytes(name).lower() == b"content-disposition":
            _, options = parse_options_header(bytes(header))
            result[-1][0] = options[b"name"].decode()
            result[-1][1] = options[b"filename"].decode() if b"filename" in options else None
        elif bytes(name).lower() == b"content-type":
            result[-1][2] = header.decode()
        name.clear()
        header.clear()

    ended = []
    parser = MultipartParser(boundary, {
        "on_part_begin": lambda: result.append([None, None, None, b""]),
        "on_part_data": lambda data, start, end: result[-1].__setitem__(3, result[-1][3] + data[start:end]),
        "on_header_field": lambda data, start, end: name.extend(data[start:end]),
        "on_header_value": lambda data, start, end: header.extend(data[start:end]),
        "on_header_end": end_header,
        "on_end": lambda: ended.append(True),
    })
    # Uneven chunks, as from a connection.
    for start in range(0, len(body), 1_021):
        parser.write(body[start:start + 1_021])
    parser.finalize()
    assert ended, "python-multipart: expected the end of the body"
    return [tuple(each) for each in result]


def encode(driver, forms):
    """The content type and the body of each form, by the driver."""
    lines = [
        json.dumps({"id": number, "op": "multipart", "mode": mode, "parts": parts})
        for number, (mode, parts) in enumerate(forms)]
    run = subprocess.run([driver], input="\n".join(lines) + "\n", capture_output=True, text=True, check=True)
    answers = {answer["id"]: answer for answer in map(json.loads, run.stdout.splitlines())}
    return [answers[number] for number in range(len(forms))]


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    source = random.Random(7)
    count = int(sys.argv[2]) if len(sys.argv) == 3 else 400
    forms = [(source.choice(["data", "form"]), form(source)) for _ in range(count)]
    parts = differences = 0
    for (mode, given), answer in zip(forms, encode(sys.argv[1], forms)):
        if "error" in answer or "unsupported" in answer:
            print(f"expected a body, found {answer}: {given}")
            differences += 1
            continue
        kind, options = parse_options_header(answer["contentType"].encode())
        body, boundary = base64.b64decode(answer["bodyBase64"]), options[b"boundary"]
        assert kind == b"multipart/form-data"
        parts += len(given)
        wanted = expected(given, mode)
        for name, decode, wanted in [
                ("werkzeug", by_werkzeug, with_quotes(wanted)), ("python-multipart", by_python_multipart, wanted)]:
            found = decode(boundary, body)
            if found != wanted:
                print(f"{name}, mode {mode}:\n  expected {wanted!r:.1000}\n  found    {found!r:.1000}")
                differences += 1
    print(f"{len(forms)} forms with {parts} parts, decoded by werkzeug and python-multipart: {differences} differences")
    sys.exit(1 if differences or not parts else 0)


main()
