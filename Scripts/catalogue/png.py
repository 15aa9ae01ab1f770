"""The smallest PNG that keeps a picture within its budget, and the few numbers the catalogue says about a picture."""

import math
import struct
import zlib

SIGNATURE = b"\x89PNG\r\n\x1a\n"
_MAGNITUDE = bytes(min(v, 256 - v) for v in range(256))


def _chunk(kind, body):
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _filters(row, above, step):
    left = bytes(step) + row
    corner = bytes(step) + above
    yield bytes([1]) + bytes([(v - a) & 255 for v, a in zip(row, left)])
    yield bytes([2]) + bytes([(v - b) & 255 for v, b in zip(row, above)])
    paeth = bytearray([4])
    for v, a, b, c in zip(row, left, above, corner):
        p, q = b - c, a - c
        r = abs(p + q)
        p, q = abs(p), abs(q)
        paeth.append((v - (a if p <= q and p <= r else b if q <= r else c)) & 255)
    yield bytes(paeth)


def _pack(rows, step, adaptive):
    plain = b"".join(b"\0" + row for row in rows)
    bodies = [zlib.compress(plain, 9)]
    if adaptive:
        above, chosen, upward = bytes(len(rows[0])), [], []
        for row in rows:
            options = list(_filters(row, above, step))
            upward.append(options[1])
            chosen.append(min(options, key=lambda line: sum(line[1:].translate(_MAGNITUDE))))
            above = row
        bodies += [zlib.compress(b"".join(lines), 9) for lines in (chosen, upward)]
    return min(bodies, key=len)


def _file(width, height, depth, kind, extra, body):
    header = _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, kind, 0, 0, 0))
    return SIGNATURE + header + extra + _chunk(b"IDAT", body) + _chunk(b"IEND", b"")


def _as_rgb(canvas):
    w, size = canvas.width, canvas.width * canvas.height
    flat = bytearray(3 * size)
    for i, plane in enumerate(canvas.planes):
        flat[i::3] = plane
    rows = [bytes(flat[i : i + 3 * w]) for i in range(0, 3 * size, 3 * w)]
    return _file(w, canvas.height, 8, 2, b"", _pack(rows, 3, True))


def _as_palette(canvas, indices, palette):
    w, h = canvas.width, canvas.height
    # Neighbouring shades get neighbouring numbers, which is what makes runs of indices compress.
    order = sorted(range(len(palette)), key=lambda i: (2 * palette[i][0] + 4 * palette[i][1] + palette[i][2], i))
    rank = bytearray(256)
    for new, old in enumerate(order):
        rank[old] = new
    indices = indices.translate(rank)
    rows = [indices[i : i + w] for i in range(0, w * h, w)]
    depth = 8
    if len(palette) <= 16:
        depth = 4
        rows = [
            bytes([a << 4 | b for a, b in zip(row[::2], row[1::2] + (b"" if w % 2 == 0 else b"\0"))]) for row in rows
        ]
    colours = _chunk(b"PLTE", bytes(value for i in order for value in palette[i]))
    return _file(w, h, depth, 3, colours, _pack(rows, 1, False))


def _boxes(counts, limit):
    """Splits the colours, weighted by how often they occur, into at most `limit` groups: median cut by variance."""

    def measure(members):
        total = sum(n for _, n in members)
        spread = []
        for channel in range(3):
            mean = sum(c[channel] * n for c, n in members) / total
            spread.append((sum((c[channel] - mean) ** 2 * n for c, n in members), channel, mean))
        worst, channel, mean = max(spread)
        # Small bright details (a window, a star) would vanish if only the number of pixels decided.
        return worst / total**0.35, channel, mean, members

    boxes = [measure(list(counts.items()))]
    while len(boxes) < limit:
        i = max(range(len(boxes)), key=lambda k: boxes[k][0])
        score, channel, mean, members = boxes[i]
        if score <= 0:
            break
        low = [m for m in members if m[0][channel] <= mean]
        high = [m for m in members if m[0][channel] > mean]
        if not low or not high:
            boxes[i] = (0, channel, mean, members)
            continue
        boxes[i] = measure(low)
        boxes.append(measure(high))
    return [members for _, _, _, members in boxes]


def _reduced(pixels, counts, limit):
    shift = 0 if len(counts) <= 20000 else 2
    coarse = {}
    for (r, g, b), n in counts.items():
        key = (r >> shift, g >> shift, b >> shift)
        coarse[key] = coarse.get(key, 0) + n
    palette, number = [], {}
    for index, members in enumerate(_boxes(coarse, limit)):
        total = sum(n for _, n in members)
        half = (1 << shift) / 2 - 0.5
        palette.append(
            tuple(
                min(255, int(sum(c[i] * n for c, n in members) / total * (1 << shift) + half + 0.5)) for i in range(3)
            )
        )
        for colour, _ in members:
            number[colour] = index
    exact = {(r, g, b): number[r >> shift, g >> shift, b >> shift] for r, g, b in counts}
    return bytes(map(exact.__getitem__, pixels)), palette


def encode(canvas, budget, most=256):
    """The PNG of a canvas: without loss when that fits in `budget` bytes, else with as many colours as do fit.

    `most` is where to start, for pictures known to need few colours, so that no time goes into hopeless tries.
    """
    pixels = list(zip(*canvas.planes))
    counts = {}
    for pixel in pixels:
        counts[pixel] = counts.get(pixel, 0) + 1
    if len(counts) <= most:
        palette = sorted(counts)
        number = {colour: i for i, colour in enumerate(palette)}
        data = _as_palette(canvas, bytes(map(number.__getitem__, pixels)), palette)
        if len(data) <= budget:
            return data
    elif most >= 256:
        data = _as_rgb(canvas)
        if len(data) <= budget:
            return data
    for limit in (256, 192, 144, 112, 88, 72, 60, 48, 40, 32, 24, 16):
        if limit <= most:
            data = _as_palette(canvas, *_reduced(pixels, counts, limit))
            if len(data) <= budget:
                return data
    return data


def decode(data):
    """(width, height, flat RGB bytes) of a PNG as `encode` writes them, so that a check sees what a viewer sees."""
    at, idat, palette = len(SIGNATURE), b"", None
    if data[:at] != SIGNATURE:
        raise ValueError("not a PNG")
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + size]
        if struct.unpack_from(">I", data, at + 8 + size)[0] != zlib.crc32(kind + body):
            raise ValueError("damaged PNG chunk")
        if kind == b"IHDR":
            width, height, depth, form = struct.unpack_from(">IIBB", body)
        elif kind == b"PLTE":
            palette = [body[i : i + 3] for i in range(0, size, 3)]
        elif kind == b"IDAT":
            idat += body
        at += 12 + size
    step = 3 if form == 2 else 1
    length = (width * depth * step + 7) // 8
    flat, above, raw = bytearray(), bytearray(length), zlib.decompress(idat)
    for y in range(height):
        method, line = raw[y * (length + 1)], bytearray(raw[y * (length + 1) + 1 : (y + 1) * (length + 1)])
        for i in range(length) if method else ():
            a, c = (line[i - step], above[i - step]) if i >= step else (0, 0)
            b = above[i]
            if method == 4:
                p, q, r = abs(b - c), abs(a - c), abs(a + b - 2 * c)
                a = a if p <= q and p <= r else b if q <= r else c
            line[i] = (line[i] + (b if method == 2 else a)) & 255
        above = line
        if palette:
            if depth == 4:
                line = bytes(v for byte in line for v in (byte >> 4, byte & 15))[:width]
            line = b"".join(map(palette.__getitem__, line))
        flat += line
    return width, height, bytes(flat)


def _linear_cells(width, height, flat, across, down):
    curve = [v / 255 / 12.92 if v / 255 <= 0.04045 else ((v / 255 + 0.055) / 1.055) ** 2.4 for v in range(256)]
    cells = []
    for j in range(down):
        line = []
        y0, y1 = j * height // down, (j + 1) * height // down
        for i in range(across):
            x0, x1 = i * width // across, (i + 1) * width // across
            sums = [0.0, 0.0, 0.0]
            for y in range(y0, y1, 2):
                part = flat[3 * (y * width + x0) : 3 * (y * width + x1)]
                for channel in range(3):
                    sums[channel] += sum(map(curve.__getitem__, part[channel::3]))
            number = len(range(y0, y1, 2)) * (x1 - x0)
            line.append([s / number for s in sums])
        cells.append(line)
    return cells


_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz#$%*+,-.:;=?@[]^_{|}~"


def _digits(value, length):
    return "".join(_DIGITS[value // 83**i % 83] for i in range(length - 1, -1, -1))


def blur_hash(width, height, flat):
    nx, ny = (4, 3) if width > height else (3, 4) if height > width else (4, 4)
    # The hash keeps a few low waves only, so averages over a coarse grid lose nothing that it could show.
    cells = _linear_cells(width, height, flat, 24, 24)
    waves = []
    for j in range(ny):
        for i in range(nx):
            total = [0.0, 0.0, 0.0]
            for y, line in enumerate(cells):
                for x, cell in enumerate(line):
                    basis = math.cos(math.pi * i * (x + 0.5) / 24) * math.cos(math.pi * j * (y + 0.5) / 24)
                    for channel in range(3):
                        total[channel] += basis * cell[channel]
            scale = (1 if i == j == 0 else 2) / (24 * 24)
            waves.append([t * scale for t in total])

    def srgb(v):
        v = min(1, max(0, v))
        return int((v * 12.92 if v <= 0.0031308 else 1.055 * v ** (1 / 2.4) - 0.055) * 255 + 0.5)

    r, g, b = map(srgb, waves[0])
    peak = max(abs(v) for wave in waves[1:] for v in wave)
    step = int(max(0, min(82, math.floor(peak * 166 - 0.5))))
    top = (step + 1) / 166
    text = _digits(nx - 1 + (ny - 1) * 9, 1) + _digits(step, 1) + _digits(r << 16 | g << 8 | b, 4)
    for wave in waves[1:]:
        levels = [int(max(0, min(18, math.floor(math.copysign(math.sqrt(abs(v / top)), v) * 9 + 9.5)))) for v in wave]
        text += _digits(levels[0] * 361 + levels[1] * 19 + levels[2], 2)
    return text


def main_colour(flat):
    """The mean of the most frequent kind of colour, as #rrggbb."""
    bins = {}
    for pixel in zip(flat[0::9], flat[1::9], flat[2::9]):
        key = (pixel[0] >> 6, pixel[1] >> 6, pixel[2] >> 6)
        bins.setdefault(key, []).append(pixel)
    best = max(sorted(bins), key=lambda key: len(bins[key]))
    return "#" + "".join(f"{int(sum(v) / len(v) + 0.5):02x}" for v in zip(*bins[best]))
