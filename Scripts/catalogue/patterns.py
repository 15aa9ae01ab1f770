"""Pictures of nothing but shape and colour."""

import math

from .canvas import box, clouds, colours, curve, mix, ramp, rgb, smooth, wander
from .scenes import picture


@picture("truchet-arcs", 480, 480, 23_000, 24)
def _(c, w, h, dice):
    c.sky([rgb("16324f")])
    warm, cell = clouds(13, 13, 5, 2, dice), 40
    table = ramp("f7d488 f2a359 e2604a b8336a", 64)
    for row in range(12):
        for column in range(12):
            x, y = column * cell, row * cell
            tone = table[int(warm[row][column] * 63)]
            corners = ((0, 0), (1, 1)) if dice() < 0.5 else ((1, 0), (0, 1))
            c.polygon(box(x, y, x + cell, y + cell), mix(rgb("16324f"), rgb("1f4a6b"), (row + column) % 2))
            for cx, cy in corners:
                px, py = x + cx * cell, y + cy * cell
                start = math.atan2(y + cell / 2 - py, x + cell / 2 - px) - math.pi / 4
                for radius, wide, shade in ((20, 17, rgb("0d1f33")), (20, 12, tone), (20, 3.4, rgb("fdf3d7"))):
                    angles = [start + math.pi / 2 * k / 14 for k in range(15)]
                    inner = [
                        (px + (radius - wide / 2) * math.cos(a), py + (radius - wide / 2) * math.sin(a)) for a in angles
                    ]
                    outer = [
                        (px + (radius + wide / 2) * math.cos(a), py + (radius + wide / 2) * math.sin(a)) for a in angles
                    ]
                    c.polygon(outer + inner[::-1], shade)


@picture("stained-glass", 540, 400, 25_000, 32)
def _(c, w, h, dice):
    sites = []
    while len(sites) < 190:
        # The farthest of a few candidates: plain random points would leave slivers.
        options = [(dice(-10, w + 10), dice(-10, h + 10)) for _ in range(14)]
        sites.append(
            max(options, key=lambda p: min(((p[0] - q[0]) ** 2 + (p[1] - q[1]) ** 2 for q in sites), default=1))
        )
    cell, grid = 40, {}
    for site in sites:
        grid.setdefault((int(site[0] // cell), int(site[1] // cell)), []).append(site)
    near = {}
    for j in range(-1, h // cell + 2):
        for i in range(-1, w // cell + 2):
            near[i, j] = [
                s for dj in (-2, -1, 0, 1, 2) for di in (-2, -1, 0, 1, 2) for s in grid.get((i + di, j + dj), ())
            ]
    table = ramp("fff0a8 ffc94d f58a3c e0484b a92f6e 5b2f86 2b3f8f 1d6a8f", 64)
    tone = {
        s: mix(
            table[min(63, int(math.hypot(s[0] - 270, (s[1] - 250) * 1.25) / 5.4))],
            dice.pick(((255, 255, 255), (16, 10, 50))),
            dice(0, 0.24),
        )
        for s in sites
    }
    lead, shades = rgb("1a1420"), {s: [mix(tone[s], (20, 10, 40), k * 0.085) for k in range(4)] for s in sites}
    for y in range(h):
        row = []
        for x in range(w):
            first, second, best = 1e9, 1e9, None
            for s in near[x // cell, y // cell]:
                dx, dy = x - s[0], y - s[1]
                d = dx * dx + dy * dy
                if d < first:
                    first, second, best, other = d, first, s, best
                elif d < second:
                    second, other = d, s
            gap = (second - first) / (2 * math.hypot(best[0] - other[0], best[1] - other[1])) if other else 9
            if gap < 1.2:
                row.append(lead)
            elif gap < 2.2:
                row.append(mix(lead, shades[best][3], int((gap - 1.2) * 4) / 4))
            else:
                row.append(shades[best][3 if gap < 4 else 2 if gap < 6 else 1 if gap < 9 else 0])
        c.row(y, row)


@picture("penrose-rhombs", 480, 480, 24_000, 32)
def _(c, w, h, dice):
    golden = (1 + math.sqrt(5)) / 2
    pieces = []
    for i in range(10):
        a, b = (
            (520 * math.cos((2 * i + s) * math.pi / 10), 520 * math.sin((2 * i + s) * math.pi / 10)) for s in (-1, 1)
        )
        pieces.append((0, (0.0, 0.0), b, a) if i % 2 == 0 else (0, (0.0, 0.0), a, b))

    def part(p, q):
        return p[0] + (q[0] - p[0]) / golden, p[1] + (q[1] - p[1]) / golden

    for _ in range(5):
        after = []
        for kind, p, q, r in pieces:
            if kind == 0:
                s = part(p, q)
                after += [(0, r, s, q), (1, s, r, p)]
            else:
                s, t = part(q, p), part(q, r)
                after += [(1, t, r, p), (1, s, t, q), (0, t, s, p)]
        pieces = after
    table = (ramp("fbe3a4 f5b05c e5694a 9c2f5b", 64), ramp("2f8f8b 1f6f86 2a4a7d 2b2a5e", 64))
    lines = []
    for kind, p, q, r in pieces:
        points = [(240 + x, 240 + y) for x, y in (p, q, r)]
        cx, cy = (points[1][0] + points[2][0]) / 2, (points[1][1] + points[2][1]) / 2
        if not (-40 < cx < w + 40 and -40 < cy < h + 40):
            continue
        tone = table[kind][min(63, int(math.hypot(cx - 240, cy - 240) / 5.4))]
        ways = math.atan2(points[2][1] - points[1][1], points[2][0] - points[1][0])
        tone = mix(tone, (255, 255, 255), 0.09 * (1 + math.cos(2 * ways)))
        # The whole rhomb, though each of its halves comes by: two halves would show their seam.
        (px, py), q, r = points
        c.polygon([(px, py), q, (q[0] + r[0] - px, q[1] + r[1] - py), r], tone)
        lines += [(points[2], points[0]), (points[0], points[1])]
    for a, b in lines:
        c.stroke([a, b], 1.1, rgb("fdf6e3"))


def smooth_escape(n, d):
    return n + 1 - math.log(math.log(d) / 2 / math.log(2)) / math.log(2)


@picture("seahorse-valley", 540, 360, 28_000, 48)
def _(c, w, h, dice):
    table = ramp(
        [
            (0, rgb("0a1a3f")),
            (0.2, rgb("1f5f9c")),
            (0.42, rgb("bfe6ee")),
            (0.55, rgb("fdf2c4")),
            (0.72, rgb("f29a3c")),
            (0.88, rgb("8f2a3f")),
            (1, rgb("1a0a26")),
        ],
        64,
    )
    field = []
    for y in range(h):
        row, ci = [], 0.1127 + (y - h / 2) * 0.0000076
        for x in range(w):
            cr = -0.7453 + (x - w / 2) * 0.0000076
            a = b = a2 = b2 = 0.0
            n = 0
            while a2 + b2 < 256 and n < 260:
                b = 2 * a * b + ci
                a = a2 - b2 + cr
                a2, b2 = a * a, b * b
                n += 1
            row.append(1.0 if n == 260 else min(1.0, (math.log(max(1, smooth_escape(n, a2 + b2) - 22)) / 5.3) ** 1.1))
        field.append(row)
    c.tint(field, table)


@picture("julia-swirl", 440, 440, 28_000, 32)
def _(c, w, h, dice):
    table = ramp("04121f 0c3b4a 1c7a78 8fd0a4 fff2c0 f5b556 d85a34 6a1a3a 240a24", 72)
    rows = []
    for y in range(h // 2):
        row, b0 = [], (y + 0.5 - h / 2) * 0.0056
        for x in range(w):
            a, b = (x + 0.5 - w / 2) * 0.0056, b0
            a2, b2, n = a * a, b * b, 0
            while a2 + b2 < 256 and n < 160:
                b = 2 * a * b + 0.1558
                a = a2 - b2 - 0.7885
                a2, b2 = a * a, b * b
                n += 1
            row.append(1.0 if n == 160 else min(1.0, math.log(max(1, smooth_escape(n, a2 + b2) + 0.4)) / 4.75))
        rows.append(row)
    # z and -z share their fate, so one half is the other one turned around.
    c.tint(rows + [row[::-1] for row in rows[::-1]], table)


@picture("silk-flame", 400, 400, 27_000, 40)
def _(c, w, h, dice):
    maps = []
    for shade, (a, b, p, d, e, q, kind) in enumerate(
        (
            (0.55, -0.42, 0.42, 0.42, 0.55, 0.1, 0),
            (0.46, 0.3, -0.5, -0.38, 0.52, 0.32, 1),
            (-0.34, 0.5, 0.12, 0.5, 0.3, -0.48, 2),
        )
    ):
        maps.append((a, b, p, d, e, q, kind, (0.05, 0.5, 1.0)[shade]))
    size = w * h
    hits, tint = [0.0] * size, [0.0] * size
    turns = [(math.cos(k * 2 * math.pi / 3), math.sin(k * 2 * math.pi / 3)) for k in range(3)]
    x = y = 0.1
    t = 0.5
    for k in range(560000):
        a, b, p, d, e, q, kind, shade = maps[dice.below(3)]
        x, y = a * x + b * y + p, d * x + e * y + q
        r = x * x + y * y + 1e-9
        if kind == 1:
            s = math.sqrt(r)
            x, y = (x - y) * (x + y) / s, 2 * x * y / s
        elif kind == 2:
            x, y = x * 1.25 / (0.45 + r), y * 1.25 / (0.45 + r)
        t = (t + shade) / 2
        if k > 30:
            ct, st = turns[k % 3]
            px, py = int((x * ct - y * st) * 166 + 200), int((x * st + y * ct) * 166 + 200)
            if 0 <= px < w and 0 <= py < h:
                i = py * w + px
                hits[i] += 1
                tint[i] += t
    hits, tint = soften(soften(hits, w), w), soften(soften(tint, w), w)
    peak = math.log(1 + max(hits) * 0.35)
    table = ramp("2f6fe0 38c6d8 b5f0c0 ffd56a ff7a4a e0407a", 8)
    dark = rgb("080714")
    for row in range(h):
        line = []
        for i in range(row * w, row * w + w):
            if hits[i] < 0.3:
                line.append(dark)
            else:
                v = int(12 * min(1, (math.log(1 + hits[i]) / peak) ** 1.05)) / 12
                tone = table[int(tint[i] / hits[i] * 7.99)]
                line.append(mix(mix(dark, tone, min(1, v * 1.35)), (255, 255, 255), max(0, v - 0.6) * 1.2))
        c.row(row, line)


def soften(values, w):
    across = [(a + 2 * b + d) / 4 for a, b, d in zip([0] + values, values, values[1:] + [0])]
    pad = [0] * w
    return [(a + 2 * b + d) / 4 for a, b, d in zip(pad + across, across, across[w:] + pad)]


@picture("flow-lines", 560, 380, 26_000, 16)
def _(c, w, h, dice):
    c.sky([rgb("f6efe2")])
    field = clouds(w, h, 190, 2, dice)
    tones = colours("12355b 1f6f8b e07a3f c8443d f2b84b 6aa38c")
    taken = set()
    for _ in range(1500):
        x, y = dice(0, w), dice(0, h)
        path, cells, wide = [], set(), dice.pick((2.2, 3.2, 4.6))
        for _ in range(150):
            if not (0 <= x < w and 0 <= y < h):
                break
            spot = (int(x / 5), int(y / 5))
            if spot in taken:
                break
            cells.add(spot)
            path.append((x, y))
            a = field[int(y)][int(x)] * 2.6 * math.pi
            x, y = x + 4 * math.cos(a), y + 4 * math.sin(a)
        if len(path) > 9:
            taken |= (
                {(i + di, j + dj) for i, j in cells for di in (-1, 0, 1) for dj in (-1, 0, 1)} if wide > 3 else cells
            )
            n = len(path)
            tone = tones[int(min(0.999, max(0, field[int(path[0][1])][int(path[0][0])] + dice(-0.14, 0.14))) * 6)]
            c.stroke(path, [wide * min(1, 0.35 + 5 * min(i, n - 1 - i) / n) for i in range(n)], tone)


@picture("packed-circles", 380, 540, 26_000, 24)
def _(c, w, h, dice):
    c.sky([rgb("203040")])
    placed, tones = [], colours("f2e6cf e8b04a d9583b 8fb9a8 4a8a93 f0c9a0 b23a48")
    for turn in range(3600):
        x, y = dice(0, w), dice(0, h)
        room = min([x - 4, y - 4, w - 4 - x, h - 4 - y] + [math.hypot(x - px, y - py) - r - 2 for px, py, r in placed])
        if room > 3:
            placed.append((x, y, min(room, 62 if turn < 60 else 30)))
    for x, y, r in placed:
        tone, other = dice.pick(tones), dice.pick(tones)
        c.disc(x, y, r, tone)
        kind = dice.below(5) if r > 9 else 0
        if kind == 1:
            for k, t in enumerate((0.78, 0.56, 0.34)):
                c.disc(x, y, r * t, tone if k % 2 else other)
        elif kind == 2:
            a = dice(0, 6.3)
            c.polygon(
                [(x + r * math.cos(a + k * math.pi / 30), y + r * math.sin(a + k * math.pi / 30)) for k in range(31)],
                other,
            )
        elif kind == 3:
            for k in range(9):
                a = k * 2 * math.pi / 9
                c.disc(x + 0.66 * r * math.cos(a), y + 0.66 * r * math.sin(a), r * 0.13, other)
            c.disc(x, y, r * 0.3, other)
        elif kind == 4:
            for k in range(12):
                a = k * math.pi / 6
                c.stroke(
                    [
                        (x + r * 0.3 * math.cos(a), y + r * 0.3 * math.sin(a)),
                        (x + r * 0.84 * math.cos(a), y + r * 0.84 * math.sin(a)),
                    ],
                    max(1, r * 0.07),
                    other,
                )


@picture("moire-rings", 400, 400, 26_000, 12)
def _(c, w, h, dice):
    wave = [0.5 + 0.5 * math.cos(2 * math.pi * k / 256) for k in range(256)]
    dark, light = ramp("1a1446 6a2c8f e0567a", 6), ramp("f8c36a fdf0cf", 6)
    spots = ((138, 160), (262, 160), (200, 268))
    for y in range(h):
        row = []
        for x in range(w):
            total = 0.0
            for px, py in spots:
                total += wave[int(math.hypot(x - px, y - py) * 256 / 23) & 255]
            row.append(dark[int(total * 3.99)] if total < 1.5 else light[min(5, int((total - 1.5) * 4))])
        c.row(y, row)


@picture("rainbow-maze", 480, 480)
def _(c, w, h, dice):
    n, cell, edge = 30, 15, 15
    links, seen, trail = {}, {(15, 15)}, [(15, 15)]
    while trail:
        x, y = trail[-1]
        options = [
            (x + dx, y + dy)
            for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))
            if 0 <= x + dx < n and 0 <= y + dy < n and (x + dx, y + dy) not in seen
        ]
        if not options:
            trail.pop()
            continue
        after = dice.pick(options)
        seen.add(after)
        links.setdefault((x, y), []).append(after)
        links.setdefault(after, []).append((x, y))
        trail.append(after)
    far, queue = {(0, 0): 0}, [(0, 0)]
    for spot in queue:
        for after in links[spot]:
            if after not in far:
                far[after] = far[spot] + 1
                queue.append(after)
    table = ramp("fff1a8 f9b44b ee6c4d c2406f 6d3b8c 33539e 2a9d9a a8dba8", max(far.values()) + 1)
    c.sky([rgb("14152b")])
    for (x, y), steps in far.items():
        x0, y0 = edge + x * cell + 2, edge + y * cell + 2
        for dx, dy in [(0, 0)] + [(a - x, b - y) for a, b in links[x, y] if a >= x and b >= y]:
            for row in range(y0, y0 + 11 + dy * 6):
                c.run(row, x0, x0 + 11 + dx * 6, table[steps])


@picture("woven-ribbons", 520, 390)
def _(c, w, h, dice):
    across, down = colours("e8d3a8 c9573d f0e3c4 2f6f73"), colours("274060 e0a23f 33507a f4ead0")
    size, gap = 26, 2

    def strip(x, y, tone, upright, end):
        for k in range(size - gap):
            bulge = math.sin(math.pi * (k + 1) / (size - gap + 1))
            for part in range(7):
                t = part / 7
                shade = mix(tone, (24, 14, 20), 0.42 * (1 - bulge) ** 1.5 + 0.3 * abs(2 * t + 1 / 7 - 1) ** 3)
                for i in range(round(t * end), round((part + 1) / 7 * end)):
                    px, py = (x + k + 1, y + i) if upright else (x + i, y + k + 1)
                    if px < w and py < h:
                        c.run(py, px, px + 1, shade)

    c.sky([rgb("1c1420")])
    for j in range(h // size + 1):
        for i in range(w // size + 1):
            over = (i + j) // 2 % 2 == 0
            if over:
                strip(i * size, j * size, across[j // 2 % 4], False, size)
            else:
                strip(i * size, j * size, down[i // 2 % 4], True, size)


@picture("sunflower-spiral", 480, 480, 25_000, 32)
def _(c, w, h, dice):
    c.sky(ramp("fdf3d8 f9dfae"))
    for layer, (count, far, tone) in enumerate(((34, 232, "d98a1f"), (34, 216, "f0ad2c"), (34, 198, "fbcf4e"))):
        for k in range(count):
            a = (k + layer * 0.34) * 2 * math.pi / count + dice(-0.03, 0.03)
            dx, dy, d = math.cos(a), math.sin(a), far * dice(0.95, 1.03)
            c.polygon(
                curve(
                    [
                        (240 + dx * 110, 240 + dy * 110),
                        (240 + dx * d * 0.8 - dy * 19, 240 + dy * d * 0.8 + dx * 19),
                        (240 + dx * d, 240 + dy * d),
                        (240 + dx * d * 0.8 + dy * 19, 240 + dy * d * 0.8 - dx * 19),
                    ],
                    7,
                    True,
                ),
                mix(rgb(tone), rgb("b5651d"), 0.16 * (k % 2)),
            )
    c.disc(240, 240, 140, rgb("4a2a18"))
    table = ramp("b8c46a d9b24a a8672c 6a3a1e 8f5226 e0a04a", 64)
    for k in range(520, 0, -1):
        a, r = k * 2.399963229728653, 6.0 * math.sqrt(k)
        t = k / 520
        x, y, size = 240 + r * math.cos(a), 240 + r * math.sin(a), 2.6 + 2.3 * t
        c.disc(x, y, size, table[int(t * 63)])
        c.disc(x - size * 0.25, y - size * 0.3, size * 0.45, mix(table[int(t * 63)], (255, 245, 200), 0.42))


@picture("contour-map", 600, 400, 30_000, 24)
def _(c, w, h, dice):
    field = clouds(w, h, 150, 3, dice)
    table = colours("2a6f8f 4b93a8 82b9bd d9d9a4 b9c98a 95b57c 7a9e6c a8a06a c49a63 b07a52 94603f e8e0d4")
    ink, levels = rgb("4a3a30"), 24
    for y in range(h):
        row = []
        line, after = field[y], field[min(h - 1, y + 1)]
        for x in range(w):
            v = line[x] * levels
            slope = max(0.02, abs(line[min(w - 1, x + 1)] * levels - v) + abs(after[x] * levels - v))
            near = abs(v - round(v)) / slope
            tone = table[min(11, int(v / 2))]
            bold = round(v) % 4 == 0
            row.append(mix(ink, tone, 0.2 if bold else 0.55) if near < (0.85 if bold else 0.5) else tone)
        c.row(y, row)


@picture("bauhaus-study", 400, 560, 16_000)
def _(c, w, h, dice):
    c.sky([rgb("f1e7d3")])
    red, blue, gold, ink = colours("d23b2f 22548c f0b43c 20202a")
    c.disc(150, 190, 118, red)
    c.polygon(
        [(150, 190)]
        + [(150 + 118 * math.cos(a), 190 + 118 * math.sin(a)) for a in [k * math.pi / 60 for k in range(-30, 31)]],
        ink,
    )
    c.disc(150, 190, 58, rgb("f1e7d3"))
    c.polygon(
        [(150, 190)]
        + [(150 + 58 * math.cos(a), 190 + 58 * math.sin(a)) for a in [k * math.pi / 60 for k in range(30, 91)]],
        gold,
    )
    c.polygon(box(214, 250, 372, 408), blue)
    for k in range(4):
        c.polygon(
            [
                (293 + (79 - 18 * k) * math.cos(a), 408 - (79 - 18 * k) * math.sin(a))
                for a in [math.pi * i / 40 for i in range(41)]
            ],
            (gold, blue, rgb("f1e7d3"), red)[k],
        )
    c.polygon([(40, 520), (40, 352), (208, 520)], gold)
    c.polygon([(40, 520), (40, 436), (124, 520)], ink)
    for k in range(9):
        c.stroke([(226 + k * 18, 440), (226 + k * 18, 520)], 9 if k % 2 else 3, ink if k % 3 else red)
    for k in range(5):
        c.disc(300 + (k % 3) * 34, 62 + (k // 3) * 34, 11, (ink, red, blue, gold, ink)[k])
    c.stroke([(30, 40), (372, 232)], 3, ink)
    c.stroke([(24, 545), (376, 545)], 6, ink)
    c.disc(330, 176, 30, gold)
    c.disc(330, 176, 15, blue)


@picture("agate-slice", 480, 480, 30_000, 48)
def _(c, w, h, dice):
    warp, fine = clouds(w, h, 170, 3, dice), clouds(w, h, 46, 3, dice)
    bands = ramp("0e2a47 1d5f7f 7fc0c4 f4efe2 c98b6a 8a3f4f 3a1f4f e8b98f f7efe0 3f8f98 103450", 128)
    order = [bands[(k * 29 + (k // 7) * 11) % 128] if k % 3 else bands[int(k / 90 * 127) % 128] for k in range(90)]
    rind, paper = rgb("3b2a26"), rgb("f3eee4")
    for y in range(h):
        row = []
        for x in range(w):
            dx, dy = (x - 246) / 184, (y - 240) / 182
            d = math.sqrt(dx * dx + dy * dy) + 0.42 * (warp[y][x] - 0.5) + 0.05 * (fine[y][x] - 0.5)
            if d > 1.04:
                row.append(paper)
            elif d > 0.985:
                row.append(rind)
            elif d < 0.2:
                v = fine[y][x] * 6 % 1
                row.append(rgb("e9f3f4") if v < 0.3 else rgb("b5d3dc") if v < 0.65 else rgb("d3e6ea"))
            else:
                k = d * 34
                row.append(mix(order[int(k)], order[int(k) + 1], int(smooth(0.55, 1, k % 1) * 4) / 4))
        c.row(y, row)


@picture("dragon-curve", 520, 400, 24_000, 88)
def _(c, w, h, dice):
    c.sky([rgb("101426")])
    turns = []
    for _ in range(12):
        turns = turns + [1] + [-t for t in turns[::-1]]
    x = y = 0
    dx, dy, points = 1, 0, [(0, 0)]
    for turn in turns + [0]:
        x, y = x + dx, y + dy
        points.append((x, y))
        dx, dy = (-dy * turn, dx * turn) if turn else (dx, dy)
    xs, ys = [p[0] for p in points], [p[1] for p in points]
    if max(ys) - min(ys) > max(xs) - min(xs):
        points = [(y, x) for x, y in points]
        xs, ys = ys, xs
    scale = min((w - 40) / (max(xs) - min(xs)), (h - 40) / (max(ys) - min(ys)))
    ox, oy = w / 2 - (max(xs) + min(xs)) / 2 * scale, h / 2 - (max(ys) + min(ys)) / 2 * scale
    table = ramp("ffe08a ff9a5a f0507a a04fd0 4a7fe8 4fd6d0 c8f2a0", 64)
    place = [(ox + px * scale, oy + py * scale) for px, py in points]
    # Corners are cut so that the curve, which meets itself at corners, never crosses itself.
    for k in range(1, len(place) - 1):
        (ax, ay), (bx, by), (ex, ey) = place[k - 1 : k + 2]
        c.stroke(
            [
                ((ax + bx) / 2, (ay + by) / 2),
                (bx + (ax - bx) * 0.25, by + (ay - by) * 0.25),
                (bx + (ex - bx) * 0.25, by + (ey - by) * 0.25),
                ((bx + ex) / 2, (by + ey) / 2),
            ],
            scale * 0.42,
            table[k * 64 // len(place)],
        )


@picture("pressed-fern", 400, 600, 33_000, 16)
def _(c, w, h, dice):
    c.sky([rgb("f4eddb")])
    c.stroke(box(18, 18, w - 18, h - 18), 1.4, rgb("b9a884"), closed=True)

    def frond(x, y, length, turn, bend, tone):
        count, line = 22, [(x, y)]
        for k in range(count):
            t = k / count
            a = turn + bend * t * t
            x, y = x + math.cos(a) * length / count, y + math.sin(a) * length / count
            line.append((x, y))
            span = length * 0.4 * math.sin(math.pi * min(1, 0.2 + 0.8 * t)) ** 1.15
            for s in (-1, 1) if k > 3 else ():
                pinna(
                    x,
                    y,
                    span,
                    a + s * (1.25 - 0.4 * t),
                    -s * 0.45,
                    length * 0.02,
                    mix(tone, rgb("9aa84a"), 0.12 * dice.below(4)),
                )
        c.stroke(line, [3.4 * (1 - 0.8 * k / count) for k in range(count + 1)], mix(tone, rgb("3a2a14"), 0.4))

    def pinna(x, y, span, turn, bend, wide, tone):
        count = max(4, int(span / 9))
        left, right = [], []
        for k in range(count + 1):
            t = k / count
            a = turn + bend * t
            nx, ny = -math.sin(a), math.cos(a)
            tooth = wide * (1 - t) ** 0.7
            for far, near in ((0.0, 0.35), (0.45, 1.0), (0.8, 0.9)):
                px, py = x + math.cos(a) * span / count * far, y + math.sin(a) * span / count * far
                left.append((px + nx * tooth * near, py + ny * tooth * near))
                right.append((px - nx * tooth * near, py - ny * tooth * near))
            x, y = x + math.cos(a) * span / count, y + math.sin(a) * span / count
        c.polygon(left + [(x, y)] + right[::-1], tone)

    frond(196, 570, 500, -math.pi / 2 - 0.16, 0.42, rgb("2f5a32"))
    frond(206, 566, 240, -math.pi / 2 + 0.75, 0.5, rgb("4f7038"))
    frond(190, 566, 210, -math.pi / 2 - 0.9, -0.5, rgb("3f6a40"))


@picture("paper-cavern", 480, 480, 26_000)
def _(c, w, h, dice):
    c.sky(ramp("fff3cf ffd98f"))
    c.disc(270, 212, 46, rgb("fffbea"))
    for k in range(7):
        t = k / 6
        tone = mix(rgb("f5a46b"), rgb("5a2a6e"), t) if k < 4 else mix(rgb("a34a70"), rgb("1d1a48"), (k - 3) / 3)
        waves = wander(360, 60, 3, dice)
        base = 78 + k * 29

        def edge(offset, shift):
            points = []
            for step in range(90):
                a = step * 2 * math.pi / 90
                blend = smooth(300, 359, step * 4)
                wave = waves[step * 4] * (1 - blend) + waves[0] * blend
                r = base * (1 + 0.2 * wave) + 14 * math.sin(3 * a + k) + offset
                points.append((252 + 1.06 * r * math.cos(a) + shift, 226 + r * math.sin(a) + shift * 1.3))
            return points

        frame = [(-60, -60), (-60, h + 60), (w + 60, h + 60), (w + 60, -60)]
        for shift, alpha in ((9, 0.10), (6, 0.12), (3, 0.14)):
            c.polygons([frame, edge(0, shift)], rgb("2a0f2e"), alpha)
        c.polygons([frame, edge(0, 0)], lambda y: mix(tone, (255, 240, 220), 0.14 * (1 - y / h)))


@picture("patchwork", 560, 420, 20_000, 32)
def _(c, w, h, dice):
    tones = colours("d9573f f0a64a f4d9a0 7fa58a 2f6f7f 2a3a5e c98a9c f7efe2")
    size = 70
    for j in range(6):
        for i in range(8):
            x, y = i * size, j * size
            a, b, d = dice.shuffled(tones)[:3]
            c.polygon(box(x, y, x + size, y + size), a)
            kind, m = dice.below(6), size / 2
            if kind == 0:
                for k in range(4):
                    px, py = x + (k % 2) * m, y + k // 2 * m
                    c.polygon(
                        (
                            [(px, py), (px + m, py), (px, py + m)]
                            if k in (0, 3)
                            else [(px + m, py), (px + m, py + m), (px, py)]
                        ),
                        b if k % 2 else d,
                    )
            elif kind == 1:
                for k, tone in enumerate((b, d, a, b)):
                    inset = 4 + k * 8
                    c.polygon(
                        [(x + m, y + inset), (x + size - inset, y + m), (x + m, y + size - inset), (x + inset, y + m)],
                        tone,
                    )
            elif kind == 2:
                for k in range(4):
                    r = size - 12 - k * 15
                    if r > 0:
                        c.polygon(
                            [(x, y)]
                            + [
                                (x + r * math.cos(t), y + r * math.sin(t))
                                for t in [math.pi / 40 * n for n in range(21)]
                            ],
                            (b, d)[k % 2],
                        )
            elif kind == 3:
                for k in range(8):
                    t = k * math.pi / 4
                    px, py = x + m + 19 * math.cos(t), y + m + 19 * math.sin(t)
                    c.disc(px, py, 13, b, 1, 0.5, t)
                c.disc(x + m, y + m, 9, d)
            elif kind == 4:
                for k in range(0, 7, 2):
                    c.polygon(box(x + k * 10, y, x + k * 10 + 10, y + size), b)
                c.disc(x + m, y + m, 20, d)
            else:
                for k in range(8):
                    t = k * math.pi / 4
                    c.polygon(
                        [
                            (x + m, y + m),
                            (x + m + 32 * math.cos(t), y + m + 32 * math.sin(t)),
                            (x + m + 20 * math.cos(t + 0.4), y + m + 20 * math.sin(t + 0.4)),
                        ],
                        (b, d)[k % 2],
                    )
    stitch = rgb("fff8ea")
    for j in range(1, 6):
        for x in range(4, w, 12):
            c.stroke([(x, j * size), (x + 6, j * size)], 1.3, stitch, 0.8)
    for i in range(1, 8):
        for y in range(4, h, 12):
            c.stroke([(i * size, y), (i * size, y + 6)], 1.3, stitch, 0.8)
