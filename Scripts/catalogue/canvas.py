"""Drawing on three byte planes with the standard library alone.

Whole runs of pixels go through slices, `bytes.translate` and column strides, because a pixel at a time is what makes
plain Python slow.
"""

import math
from itertools import accumulate
from random import Random


class Dice:
    """Repeatable randomness: `Random.random()` is the only method whose sequence Python promises to keep."""

    def __init__(self, seed):
        self._next = Random(seed).random

    def __call__(self, low=0.0, high=1.0):
        return low + (high - low) * self._next()

    def below(self, count):
        return int(self._next() * count)

    def pick(self, items):
        return items[int(self._next() * len(items))]

    def shuffled(self, items):
        items = list(items)
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]
        return items

    def bell(self, spread=1.0):
        return spread * (self() + self() + self() + self() - 2)


def rgb(text):
    return tuple(int(text[i : i + 2], 16) for i in (0, 2, 4))


def colours(text):
    return [rgb(word) for word in text.split()]


def mix(a, b, t):
    return tuple(round(p + (q - p) * t) for p, q in zip(a, b))


def ramp(stops, count=256):
    """A table of `count` colours through `stops`: colours, or (position, colour) pairs from 0 to 1."""
    if isinstance(stops, str):
        stops = colours(stops)
    if len(stops[0]) == 3:
        stops = [(i / (len(stops) - 1), colour) for i, colour in enumerate(stops)]
    table, at = [], 0
    for i in range(count):
        t = i / (count - 1)
        while at < len(stops) - 2 and t > stops[at + 1][0]:
            at += 1
        (t0, a), (t1, b) = stops[at], stops[at + 1]
        table.append(mix(a, b, min(1, max(0, (t - t0) / (t1 - t0)))))
    return table


def smooth(low, high, value):
    t = min(1, max(0, (value - low) / (high - low)))
    return t * t * (3 - 2 * t)


def wander(count, scale, octaves, dice, ridged=False):
    """A wandering line of `count` values, about -1 to 1, whose largest features are `scale` long."""
    line = [0.0] * count
    size, gain, total = float(scale), 1.0, 0.0
    for _ in range(octaves):
        knots = [dice(-1, 1) for _ in range(int(count / size) + 3)]
        offset = dice()
        for x in range(count):
            place = x / size + offset
            i = int(place)
            t = place - i
            t = t * t * (3 - 2 * t)
            value = knots[i] + (knots[i + 1] - knots[i]) * t
            line[x] += gain * (1 - 2 * abs(value) if ridged else value)
        total += gain
        size, gain = max(2.0, size / 2), gain / 2
    return [value / total for value in line]


def clouds(width, height, scale, octaves, dice, stretch=1.0):
    """Rows of smooth noise, stretched over exactly 0 to 1."""
    field = [[0.0] * width for _ in range(height)]
    size, gain = float(scale), 1.0
    for _ in range(octaves):
        across, down = int(width / (size * stretch)) + 3, int(height / size) + 3
        knots = [[dice() for _ in range(across)] for _ in range(down)]
        places = []
        for x in range(width):
            place = x / (size * stretch)
            t = place - int(place)
            places.append((int(place), t * t * (3 - 2 * t)))
        for y in range(height):
            place = y / size
            i = int(place)
            t = place - i
            t = t * t * (3 - 2 * t)
            line = [gain * (a + (b - a) * t) for a, b in zip(knots[i], knots[i + 1])]
            slopes = [b - a for a, b in zip(line, line[1:])]
            field[y] = [v + line[k] + slopes[k] * s for v, (k, s) in zip(field[y], places)]
        size, gain = max(2.0, size / 2), gain / 2
    low, high = min(map(min, field)), max(map(max, field))
    return [[(v - low) / (high - low) for v in row] for row in field]


_blends = {}


def _blend(value, alpha):
    table = _blends.get((value, alpha))
    if table is None:
        table = bytes((v * (256 - alpha) + value * alpha + 128) >> 8 for v in range(256))
        _blends[value, alpha] = table
    return table


class Canvas:
    def __init__(self, width, height, colour=(0, 0, 0)):
        self.width, self.height = width, height
        self.planes = [bytearray([value]) * (width * height) for value in colour]

    def at(self, x, y):
        i = y * self.width + x
        return tuple(plane[i] for plane in self.planes)

    def run(self, y, start, end, colour, alpha=256):
        """Fills pixels start..<end of row y; alpha is 0 to 256 so that a blend is a shift."""
        first, last = y * self.width + start, y * self.width + end
        for plane, value in zip(self.planes, colour):
            if alpha >= 256:
                plane[first:last] = bytes([value]) * (last - first)
            else:
                plane[first:last] = plane[first:last].translate(_blend(value, alpha))

    def dot(self, x, y, colour, alpha):
        if 0 <= x < self.width and 0 <= y < self.height:
            i = y * self.width + x
            for plane, value in zip(self.planes, colour):
                plane[i] = (plane[i] * (256 - alpha) + value * alpha + 128) >> 8

    def sky(self, table, top=0, bottom=None):
        bottom = self.height if bottom is None else bottom
        for y in range(max(0, top), min(self.height, bottom)):
            self.run(y, 0, self.width, table[int((y - top) * (len(table) - 1) / max(1, bottom - top - 1))])

    def tint(self, field, table):
        """Colours every pixel through `table` from rows of values 0 to 1."""
        last = len(table) - 1
        for y, row in enumerate(field):
            self.row(y, [table[min(last, max(0, int(v * last + 0.5)))] for v in row])

    def row(self, y, pixels):
        first = y * self.width
        for plane, values in zip(self.planes, zip(*pixels)):
            plane[first : first + self.width] = bytes(values)

    def shade(self, colour_at):
        for y in range(self.height):
            self.row(y, [colour_at(x, y) for x in range(self.width)])

    def glow(self, cx, cy, radius, colour, strength=1.0, power=2.0, squash=1.0, bottom=None):
        """A soft round light; `squash` below 1 flattens it."""
        w, tall = self.width, radius * squash
        floor = self.height if bottom is None else bottom
        left, right = max(0, int(cx - radius)), min(w, int(cx + radius) + 2)
        alphas = [int(256 * strength * (1 - math.sqrt(i / 512)) ** power + 0.5) for i in range(513)]
        for y in range(max(0, int(cy - tall)), min(floor, int(cy + tall) + 2)):
            dy = ((y - cy) / tall) ** 2
            if dy >= 1:
                continue
            near = [dy + ((x - cx) / radius) ** 2 for x in range(left, right)]
            row = [alphas[int(d * 512)] if d < 1 else 0 for d in near]
            first = y * w + left
            for plane, value in zip(self.planes, colour):
                old = plane[first : first + len(row)]
                plane[first : first + len(row)] = bytes(
                    [(v * (256 - a) + value * a + 128) >> 8 for v, a in zip(old, row)]
                )

    def ridge(self, heights, table, top=None, bottom=None):
        """Fills everything below a line of heights, one per column, with a vertical run of colours."""
        w, h = self.width, self.height
        top = min(heights) if top is None else top
        bottom = h if bottom is None else bottom
        last = len(table) - 1
        shades = [table[min(last, max(0, int((y - top) * last / max(1, bottom - top))))] for y in range(h)]
        for plane, column in zip(self.planes, zip(*shades)):
            column = bytes(column)
            for x, height in enumerate(heights):
                y = max(0, math.floor(height))
                if y >= h:
                    continue
                edge = int(256 * (1 - max(0.0, height - y)))
                i = y * w + x
                plane[i] = (plane[i] * (256 - edge) + column[y] * edge + 128) >> 8
                plane[i + w :: w] = column[y + 1 :]

    def polygon(self, points, paint, alpha=1.0):
        """Fills by non-zero winding, smooth edged; `paint` is a colour or a function of y giving one."""
        self.polygons([points], paint, alpha)

    def polygons(self, outlines, paint, alpha=1.0):
        fine, w = 4, self.width
        edges = []
        for points in outlines:
            for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1]):
                if y0 != y1:
                    edges.append(
                        (y0, y1, x0, (x1 - x0) / (y1 - y0), 1) if y0 < y1 else (y1, y0, x1, (x0 - x1) / (y0 - y1), -1)
                    )
        if not edges:
            return
        edges.sort()
        top = max(0, math.floor(edges[0][0]))
        bottom = min(self.height, math.ceil(max(edge[1] for edge in edges)))
        active, upcoming = [], 0
        for y in range(top, bottom):
            while upcoming < len(edges) and edges[upcoming][0] < y + 1:
                active.append(edges[upcoming])
                upcoming += 1
            active = [edge for edge in active if edge[1] > y]
            spans = []
            for k in range(fine):
                level = y + (k + 0.5) / fine
                crossings = sorted(
                    (x + slope * (level - y0), way) for y0, y1, x, slope, way in active if y0 <= level < y1
                )
                winding = 0
                for x, way in crossings:
                    if winding == 0:
                        start = x
                    winding += way
                    if winding == 0 and x > 0 and start < w:
                        spans.append((max(0.0, start), min(float(w), x)))
            if spans:
                self._cover(y, spans, paint(y) if callable(paint) else paint, alpha / fine * 256)

    def _cover(self, y, spans, colour, weight):
        left = int(min(span[0] for span in spans))
        right = min(self.width, int(max(span[1] for span in spans)) + 1)
        steps, edge = [0.0] * (right - left + 2), [0.0] * (right - left + 2)
        for start, end in spans:
            start, end = start - left, end - left
            first, last = int(start), int(end)
            if first == last:
                edge[first] += end - start
            else:
                edge[first] += 1 - (start - first)
                edge[last] += end - last
                steps[first + 1] += 1
                steps[last] -= 1
        x, count = 0, right - left
        cover = [int((a + b) * weight + 0.5) for a, b in zip(accumulate(steps), edge)]
        while x < count:
            value, start = cover[x], x
            x += 1
            while x < count and cover[x] == value:
                x += 1
            if value:
                self.run(y, left + start, left + x, colour, value)

    def disc(self, cx, cy, radius, paint, alpha=1.0, squash=1.0, turn=0.0):
        self.polygon(ring(cx, cy, radius, squash, turn), paint, alpha)

    def stroke(self, points, width, paint, alpha=1.0, closed=False):
        """A line with round joins and ends; `width` is a number or one per point."""
        widths = width if isinstance(width, list) else [width] * len(points)
        pairs = list(zip(zip(points, widths), zip(points[1:], widths[1:])))
        if closed:
            pairs.append(((points[-1], widths[-1]), (points[0], widths[0])))
        outlines = []
        for ((x0, y0), a), ((x1, y1), b) in pairs:
            length = math.hypot(x1 - x0, y1 - y0)
            if length == 0:
                continue
            nx, ny = (y1 - y0) / length / 2, (x0 - x1) / length / 2
            outlines.append(
                [
                    (x0 - nx * a, y0 - ny * a),
                    (x0 + nx * a, y0 + ny * a),
                    (x1 + nx * b, y1 + ny * b),
                    (x1 - nx * b, y1 - ny * b),
                ]
            )
        # Pieces must wind the same way, or a join would cancel out instead of adding up.
        outlines = [outline if _area(outline) > 0 else outline[::-1] for outline in outlines]
        for (x, y), a in zip(points, widths):
            if a > 1.2:
                outlines.append(ring(x, y, a / 2, sides=max(6, int(a * 1.2))))
        self.polygons(outlines, paint, alpha)

    def mirror(self, line, depth, sway, tone, amount):
        """Reflects what is above row `line` into the `depth` rows below it, row by row moved by `sway(row)`."""
        w = self.width
        for i in range(min(depth, self.height - line)):
            source, shift = max(0, line - 1 - i), int(sway(i))
            strength = int(256 * amount(i / depth))
            for plane, value in zip(self.planes, tone):
                row = plane[source * w : source * w + w]
                shift %= w
                row = row[shift:] + row[:shift]
                plane[(line + i) * w : (line + i + 1) * w] = row.translate(_blend(value, strength))


def _area(points):
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in zip(points, points[1:] + points[:1]))


def ring(cx, cy, radius, squash=1.0, turn=0.0, sides=None):
    sides = sides or max(8, min(120, int(radius * 1.6) + 8))
    ct, st = math.cos(turn), math.sin(turn)
    points = []
    for i in range(sides):
        a = 2 * math.pi * i / sides
        x, y = radius * math.cos(a), radius * squash * math.sin(a)
        points.append((cx + x * ct - y * st, cy + x * st + y * ct))
    return points


def box(x0, y0, x1, y1):
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def curve(points, steps=12, closed=False):
    """A smooth line through the points (Catmull-Rom)."""
    n = len(points)
    take = (lambda i: points[i % n]) if closed else (lambda i: points[min(n - 1, max(0, i))])
    line = []
    for i in range(n if closed else n - 1):
        p, q, r, s = take(i - 1), take(i), take(i + 1), take(i + 2)
        for k in range(steps):
            t = k / steps
            line.append(
                tuple(
                    0.5
                    * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t * t + (3 * b - a - 3 * c + d) * t * t * t)
                    for a, b, c, d in zip(p, q, r, s)
                )
            )
    if not closed:
        line.append(points[-1])
    return line
