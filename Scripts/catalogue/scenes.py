"""Pictures of places and things."""

import math
import zlib

from .canvas import Canvas, Dice, box, clouds, colours, curve, mix, ramp, rgb, ring, smooth, wander

PICTURES = {}


def picture(name, width, height, budget=24_000, most=256):
    """Registers a picture; the seed comes from the name so that pictures can be reordered without changing."""

    def register(draw):
        def render():
            canvas = Canvas(width, height)
            draw(canvas, width, height, Dice(zlib.crc32(name.encode())))
            return canvas

        PICTURES[name] = (render, budget, most)
        return draw

    return register


def conifer(c, x, base, tall, paint, dice, tiers=7, spread=0.23):
    left, right = [], []
    for i in range(tiers):
        t = i / tiers
        wide = tall * spread * (0.12 + t) * dice(0.85, 1.15)
        y = base - tall * (1 - t) + tall / tiers
        left += [(x - wide, y + tall * 0.02), (x - wide * 0.45, y - tall * 0.012)]
        right += [(x + wide, y + tall * 0.02), (x + wide * 0.45, y - tall * 0.012)]
    c.polygon(
        [(x, base - tall)] + right[:-1] + [(x + tall * 0.02, base), (x - tall * 0.02, base)] + left[:-1][::-1], paint
    )


def bird(c, x, y, size, paint):
    wing = curve(
        [
            (x - size, y - size * 0.15),
            (x - size * 0.45, y - size * 0.42),
            (x, y),
            (x + size * 0.45, y - size * 0.42),
            (x + size, y - size * 0.15),
        ],
        6,
    )
    middle = len(wing) // 2
    c.stroke(wing, [0.5 + size * 0.16 * (1 - abs(i - middle) / middle) for i in range(len(wing))], paint)


def stars(c, dice, count, low, high, tint=(255, 250, 235)):
    for _ in range(count):
        x, y, size = dice(0, c.width), dice(low, high), dice()
        if size < 0.82:
            c.dot(int(x), int(y), tint, int(60 + 170 * dice()))
        else:
            c.disc(x, y, 0.6 + 0.9 * dice(), tint, 0.95)
            if size > 0.965:
                c.glow(x, y, 7, tint, 0.5)


@picture("dusk-hills", 640, 400)
def _(c, w, h, dice):
    c.sky(ramp("241a4a 5a2f6b b04f6d ee8460 ffc47c ffe0a0"), 0, 270)
    c.glow(430, 218, 250, rgb("ffd890"), 0.8, 1.6)
    c.disc(430, 218, 36, rgb("fff3cc"))
    shades = colours("d97970 b35870 84426c 572f5d 352048 1a122f")
    for i, shade in enumerate(shades):
        base, swing = 232 + i * 29 + i * i * 1.2, 16 + i * 6
        line = [base + v * swing for v in wander(w, 230 - i * 12, 3, dice)]
        c.ridge(line, ramp([shade, mix(shade, rgb("f2a07c"), 0.36 - i * 0.05)]), min(line), max(line) + 50)
        if i >= 3:
            for _ in range(16 + 5 * i):
                x = dice(0, w - 1)
                conifer(c, x, line[int(x)] + 3, dice(9, 14) * (i - 1.4), shade, dice, 5)
    for x, y, size in ((180, 110, 9), (205, 122, 7), (231, 104, 8), (262, 126, 6), (156, 130, 6)):
        bird(c, x, y, size, rgb("2a1a40"))


@picture("misty-mountains", 400, 600, 23_000, 256)
def _(c, w, h, dice):
    c.sky(ramp("c3d7e3 e2e6e6 f9ead9 fbe3cf"), 0, 360)
    c.glow(268, 150, 150, rgb("fff8e8"), 0.9, 1.5)
    c.disc(268, 150, 30, rgb("fffdf4"))
    near, far, mist = rgb("12303b"), rgb("b4c8d2"), rgb("eae6df")
    for i in range(8):
        t = i / 7
        line = [205 + i * 47 - v * (44 + 13 * i) for v in wander(w, 190 - 8 * i, 6, dice, ridged=True)]
        shade = mix(far, near, t**1.15)
        c.ridge(line, ramp([shade, mix(shade, mist, 0.62 * (1 - t * 0.75))]), min(line), min(line) + 150 + i * 10)
    for _ in range(60):
        x = dice(0, w - 1)
        conifer(c, x, dice(585, 625), dice(42, 88), mix(near, rgb("061a20"), dice()), dice, 8)


@picture("milky-way", 600, 400, 27_000, 112)
def _(c, w, h, dice):
    dust, fine = clouds(w, h, 130, 5, dice, 1.4), clouds(w, h, 40, 4, dice)
    table = ramp("060920 0c1436 1a2350 35366f 6a4f8c b0799c f0b9a6 fff0dc", 40)
    field = []
    for y in range(h):
        row = []
        for x in range(w):
            across = (y - (h * 0.98 - x * 0.68)) / 150
            band = math.exp(-across * across)
            lane = 0.5 * math.exp(-(((across + 0.1) * 3.2) ** 2)) * smooth(0.3, 0.7, fine[y][x])
            row.append(0.26 * y / h + 0.04 + band * (0.16 + 0.66 * dust[y][x] - lane) * 0.85)
        field.append(row)
    c.tint(field, table)
    stars(c, dice, 420, 0, 360)
    c.glow(330, 420, 330, rgb("f2a15e"), 0.4, 1.7, 0.5)
    line = [346 + 14 * v for v in wander(w, 220, 4, dice)]
    for _ in range(85):
        x = dice(0, w - 1)
        if abs(x - 296) > 60:
            conifer(c, x, line[int(x)] + 6, dice(24, 84) * (0.45 + abs(x - 300) / 320), rgb("050714"), dice)
    c.ridge(line, [rgb("050714")])
    y = line[296] + 5
    c.glow(296, y - 8, 62, rgb("ffb257"), 0.75, 1.5)
    c.polygon([(270, y), (296, y - 30), (322, y)], lambda v: mix(rgb("ffe19a"), rgb("e8752e"), (y - v) / 30))
    c.polygon([(291, y), (296, y - 16), (301, y)], rgb("7a2d12"))


@picture("great-waves", 640, 420, 26_000, 40)
def _(c, w, h, dice):
    c.sky(ramp("f6e7c8 f8dcb4 f3c39a"), 0, 230)
    c.disc(190, 128, 62, rgb("d9472f"))
    for k in range(3):
        y = 74 + k * 40
        c.stroke([(70 + k * 60, y), (300 - k * 30, y)], 7, rgb("f7e3c0"))
    for x, y, size in ((430, 84, 10), (458, 98, 8), (486, 78, 7)):
        bird(c, x, y, size, rgb("4a3b3a"))
    tones = colours("8fc0bd 5ea6ad 35889c 1f6b88 164f72 103a5b 0a2744")
    for i, tone in enumerate(tones):
        length, tall, base = 92 + i * 23, 11 + i * 4.6, 192 + i * 31 + i * i * 0.7
        phase = dice(0, 7)
        path = []
        for k in range(-20, int(w / length * 24) + 60):
            a = k / 24 * 2 * math.pi
            grow = 1 + 0.28 * math.sin(a * 0.37 + phase)
            path.append(
                (k / 24 * length + phase * 12 - 90 - tall * 0.85 * math.sin(a), base - tall * grow * math.cos(a))
            )
        c.polygon(
            path + [(w + 200, h + 5), (-200, h + 5)],
            lambda y: mix(mix(tone, rgb("dff3ea"), 0.25), tone, smooth(base - tall, base + 40, y)),
        )
        for drop, wide, strength in ((0, 3.4 + i * 0.35, 0.95), (8 + i, 1.6, 0.5), (16 + 2 * i, 1.3, 0.3)):
            c.stroke([(x, y + drop) for x, y in path], wide, rgb("fbf6e6"), strength)
        for _ in range(26):
            x, y = dice.pick(path)
            if y < base - tall * 0.5:
                c.disc(x + dice(-9, 9), y - dice(3, 7 + i), dice(0.7, 2.2), rgb("fbf6e6"))


@picture("desert-dunes", 600, 400)
def _(c, w, h, dice):
    c.sky(ramp("6fa3b8 b9c7b4 f4d9a4 f7c07c"), 0, 250)
    c.glow(128, 112, 150, rgb("fff3cf"), 0.75, 1.7)
    c.disc(128, 112, 27, rgb("fffbe8"))
    c.ridge([206 - 10 * v for v in wander(w, 160, 4, dice)], [rgb("d7a878")])
    scenes = (
        ([(-20, 246), (110, 226), (230, 190), (330, 228), (460, 240), (620, 222)], 2, "eeb676 e09a5b", "b5713f"),
        ([(-20, 268), (120, 292), (270, 262), (420, 214), (520, 262), (620, 280)], 3, "f3b96b d98b49", "98552f"),
        ([(-20, 262), (90, 250), (180, 308), (330, 346), (480, 336), (620, 318)], 1, "f0aa5a c97339", "83452a"),
        ([(-20, 380), (140, 372), (300, 338), (430, 352), (520, 384), (620, 396)], 2, "dd9349 a85a2c", "663322"),
    )
    for points, peak, light, dark in scenes:
        crest = curve(points, 24)
        a, b = colours(light)
        top = min(y for _, y in crest)
        c.polygon(crest + [(w + 30, h + 5), (-30, h + 5)], lambda y: mix(a, b, smooth(top, top + 150, y)))
        px, py = points[peak]
        # The lee side falls away from the crest along one winding edge: that edge is what makes a dune.
        lee = curve([(px, py), (px + 22, py + 34), (px - 14, py + 78), (px + 46, py + 130), (px + 10, h + 60)], 12)
        right = [p for p in crest if p[0] >= px]
        shadow = rgb(dark)
        c.polygon(right + [(w + 30, h + 60)] + lee[::-1], lambda y: mix(shadow, b, 0.75 * smooth(py, py + 210, y)))
        for k in range(9):
            drop = 20 + k * 13
            c.stroke(
                [(x - k * 4, y + drop + 2.2 * math.sin(x / 17 + k)) for x, y in crest if x < px - 20 - k * 5],
                1.1,
                shadow,
                0.13,
            )
    for k in range(5):
        camel(c, 318 + k * 19, 243 - k * 6.2, 0.8, rgb("5b2f22"))


def camel(c, x, y, size, paint):
    def place(points):
        return [(x + px * size, y + py * size) for px, py in points]

    c.polygon(
        curve(
            place(
                [
                    (-9, -10),
                    (-6, -15),
                    (-2, -20),
                    (2, -15),
                    (7, -14),
                    (9, -19),
                    (12, -21),
                    (15, -19),
                    (11, -16),
                    (9, -9),
                    (0, -8),
                ]
            ),
            4,
            True,
        ),
        paint,
    )
    for leg in (-8, -5, 5, 8):
        c.stroke(place([(leg, -10), (leg * 1.08, 0)]), 1.5 * size, paint)


@picture("pine-forest", 400, 560, 24_500, 24)
def _(c, w, h, dice):
    c.sky(ramp("f6efd2 e7ecd0 c8ddcb a9ccbf"))
    c.disc(292, 138, 40, rgb("fffdf0"))
    far, near = rgb("a3c4b6"), rgb("0a2420")
    for i in range(7):
        t = i / 6
        shade, base = mix(far, near, t**0.9), 250 + i * 62
        line = [base + 16 * v for v in wander(w, 140, 3, dice)]
        for _ in range(34 - 3 * i):
            x = dice(-10, w + 10)
            conifer(
                c,
                x,
                line[min(w - 1, max(0, int(x)))] + 12,
                (46 + 27 * i) * dice(0.65, 1.25),
                mix(shade, far, 0.07 * dice.below(3)),
                dice,
                8 + i // 2,
                0.2,
            )
        c.ridge(line, ramp([shade, mix(shade, rgb("dbe9d6"), 0.6 - 0.45 * t)]), min(line), max(line) + 60)


@picture("city-dusk", 640, 400)
def _(c, w, h, dice):
    c.sky(ramp("1b1f4b 43306f 8c4179 dd6a6a f9a868 ffd391"), 0, 290)
    c.glow(250, 285, 300, rgb("ffdc94"), 0.6, 1.5, 0.6)
    stars(c, dice, 60, 0, 110)
    for layer, (shade, low, high) in enumerate((("a3547a", 50, 130), ("5f3768", 60, 175), ("211a42", 35, 130))):
        shade, x = rgb(shade), -12
        while x < w:
            wide, tall = int(dice(20, 46)), int(dice(low, high))
            if layer == 1 and abs(x - 410) < 24:
                tall, wide = 215, 34
            top = 290 - tall
            c.polygon(
                box(x, top, x + wide, 292), lambda y: mix(shade, rgb("d0687a"), 0.3 * (y - 60) / 230 * (2 - layer))
            )
            kind = dice.below(5)
            if kind == 0:
                c.polygon([(x, top), (x + wide / 2, top - 16), (x + wide, top)], shade)
            elif kind == 1:
                c.polygon(box(x + wide * 0.25, top - 9, x + wide * 0.75, top + 1), shade)
            if tall > 120 or kind == 2:
                c.stroke([(x + wide / 2, top + 2), (x + wide / 2, top - tall * 0.22)], 1.6, shade)
            if layer:
                lit = 0.38 if layer == 2 else 0.22
                for wy in range(top + 6, 284, 8):
                    for wx in range(x + 4, x + wide - 5, 7):
                        if dice() < lit:
                            glass = dice.pick(colours("ffd479 ffe9ae ffb35c f7c9a0"))
                            for row in range(4):
                                if 0 <= wx and wx + 3 <= w:
                                    c.run(wy + row, wx, wx + 3, glass, 256 if layer == 2 else 190)
            x += wide + int(dice(-3, 5))
    c.mirror(
        291,
        109,
        lambda i: 2.4 * math.sin(i * 0.9) * (1 + i / 40) + 2 * math.sin(i * 0.37),
        rgb("1c1740"),
        lambda t: 0.28 + 0.5 * t,
    )
    for _ in range(70):
        x, y = dice(0, w), dice(295, h)
        c.stroke([(x, y), (x + dice(10, 36), y)], 1, rgb("ffc58a"), 0.16)


@picture("aurora", 600, 420, 27_000, 72)
def _(c, w, h, dice):
    c.sky(ramp("050a1e 08152d 0d2740 14384c"))
    stars(c, dice, 260, 0, 280)
    light = [[0.0] * w for _ in range(h)]
    warm = [[0.0] * w for _ in range(h)]
    for base, tall, strength in ((168, 150, 0.55), (232, 185, 0.95), (270, 120, 0.5)):
        path, ray, body = wander(w, 260, 3, dice), wander(w, 34, 4, dice), wander(w, 190, 2, dice)
        for x in range(w):
            foot = base + 66 * path[x]
            power = strength * (0.72 + 0.75 * ray[x]) * smooth(-0.75, 0.35, body[x])
            reach = tall * (0.72 + 0.5 * ray[x])
            for y in range(max(0, int(foot - reach * 1.5)), min(h, int(foot + 16))):
                up = (foot - y) / reach
                glow = power * (math.exp(-up * 2.6) if up > 0 else max(0, 1 + up * reach / 15) ** 2)
                light[y][x] += glow
                warm[y][x] += glow * smooth(0.2, 0.95, up)
    for y in range(h):
        pixels = []
        for x in range(w):
            r, g, b = c.at(x, y)
            v, m = min(1.25, light[y][x]), min(1, 2.6 * warm[y][x])
            pixels.append(
                (
                    min(255, int(r + v * (40 + 130 * m) + 70 * m * 0.5)),
                    min(255, int(g + v * (225 - 120 * m))),
                    min(255, int(b + v * (120 + 70 * m) + 45 * m * 0.5)),
                )
            )
        c.row(y, pixels)
    for i, shade in enumerate(colours("2b5666 8fb9c0 d5e9e6")):
        line = [318 + i * 26 - (34 - 12 * i) * v for v in wander(w, 200 - 20 * i, 5 - i, dice, ridged=i == 0)]
        c.ridge(line, ramp([shade, mix(shade, rgb("17405a"), 0.7)]), min(line), min(line) + 120)
        if i == 1:
            for _ in range(46):
                x = dice(0, w - 1)
                conifer(c, x, line[int(x)] + 5, dice(14, 40), rgb("0d2433"), dice)
    c.polygon([(408, 372), (408, 350), (428, 334), (448, 350), (448, 372)], rgb("1d2a33"))
    c.polygon([(403, 353), (428, 331), (453, 353), (450, 344), (428, 324), (406, 344)], rgb("eef7f5"))
    c.glow(428, 362, 40, rgb("ffc56a"), 0.5)
    c.polygon(box(421, 354, 435, 366), rgb("ffd98a"))


@picture("lighthouse", 400, 600)
def _(c, w, h, dice):
    c.sky(ramp("16224f 34407a 7a5c8f d27f82 f7b07c fcd6a0"), 0, 420)
    stars(c, dice, 70, 0, 170)
    for spread, strength in ((1.0, 0.16), (0.62, 0.16), (0.3, 0.2)):
        c.polygon([(262, 186), (-10, 118 - 62 * spread), (-10, 118 + 62 * spread)], rgb("fff2b8"), strength)
        c.polygon([(262, 186), (410, 204 - 26 * spread), (410, 204 + 26 * spread)], rgb("fff2b8"), strength * 0.7)
    for i in range(6):
        y, x = 330 + i * 13, dice(-40, 240)
        c.stroke(curve([(x, y), (x + 50, y - 5), (x + 120, y - 2), (x + 200, y)], 8), dice(4, 10), rgb("ffe3bd"), 0.3)
    sea = ramp("e89a86 8d6c91 40477f 1c2857")
    for y in range(420, h):
        c.run(y, 0, w, sea[int((y - 420) / (h - 420) * 255)])
    for _ in range(190):
        y = dice(423, h)
        x, wide = dice(-20, w), dice(8, 18) * (y - 380) / 70
        c.stroke([(x, y), (x + wide, y)], dice(1, 2.2), dice.pick(colours("ffc9a0 fbd9b4 2b3a73 5a5a94")), 0.4)
    rock = rgb("1d1c38")
    c.polygon(
        [
            (120, h),
            (132, 560),
            (150, 520),
            (172, 500),
            (190, 470),
            (214, 452),
            (238, 446),
            (300, 444),
            (322, 458),
            (345, 470),
            (362, 500),
            (400, 516),
            (410, h),
        ],
        rock,
    )
    c.polygon(
        [(238, 446), (300, 444), (322, 458), (345, 470), (318, 476), (286, 468), (262, 492), (248, 468)], rgb("3f355c")
    )
    c.polygon([(172, 500), (190, 470), (214, 452), (220, 480), (200, 505), (196, 540)], rgb("332c52"))

    def side(y):
        return 17 + (y - 206) * 0.058

    stripes = 7
    for k in range(stripes):
        y0, y1 = 208 + k * 238 / stripes, 208 + (k + 1) * 238 / stripes
        paint = rgb("f5e9da") if k % 2 else rgb("c63d3a")
        for part in range(8):
            t0, t1 = -1 + part / 4, -1 + (part + 1) / 4
            shade = mix(paint, rgb("2a2350"), 0.05 + 0.6 * smooth(-0.3, 1.1, t0 + 0.12))
            c.polygon(
                [
                    (262 + side(y0) * t0, y0),
                    (262 + side(y0) * t1 + 0.3, y0),
                    (262 + side(y1) * t1 + 0.3, y1),
                    (262 + side(y1) * t0, y1),
                ],
                shade,
            )
    for y in (268, 336, 400):
        c.polygon(box(257, y, 265, y + 14), rgb("ffd98a"))
    c.polygon(box(237, 200, 287, 209), rgb("26203f"))
    for x in range(238, 288, 6):
        c.stroke([(x, 201), (x, 190)], 1.2, rgb("26203f"))
    c.stroke([(237, 190), (287, 190)], 1.6, rgb("26203f"))
    c.polygon(box(249, 170, 275, 201), rgb("ffe9a3"))
    for x in (249, 257.5, 266.5, 275):
        c.stroke([(x, 170), (x, 200)], 1.6, rgb("26203f"))
    c.polygon([(243, 171), (262, 148), (281, 171)], rgb("8d2a35"))
    c.stroke([(262, 150), (262, 138)], 2, rgb("26203f"))
    c.glow(262, 186, 90, rgb("fff4c0"), 0.85, 1.8)
    for x, y, size in ((92, 262, 10), (118, 250, 8), (70, 246, 7), (330, 120, 7)):
        bird(c, x, y, size, rgb("2a2450"))


@picture("snow-peaks", 640, 420, 24_000, 112)
def _(c, w, h, dice):
    c.sky(ramp("4f8fc4 86b6da c4dcea f3ece2"), 0, 260)
    for x, y, size in ((110, 70, 26), (520, 54, 30), (560, 96, 18)):
        for k in range(7):
            c.disc(
                x + (k - 3) * size * 0.62, y + dice(-4, 4), size * (0.75 - abs(k - 3) * 0.15), rgb("ffffff"), 0.5, 0.5
            )
    c.ridge([232 - 26 * v for v in wander(w, 120, 5, dice, True)], [rgb("a9c5d8")])
    for x, y, wide in ((70, 118, 190), (560, 104, 200), (205, 92, 190), (430, 126, 170), (318, 48, 230)):
        base = 262
        left, right, spine = [(x - wide, base)], [(x + wide, base)], [(x, y)]
        steps = 9
        for k in range(1, steps):
            t = 1 - k / steps
            left.append((x - wide * t + dice(-8, 8), y + (base - y) * t**0.85 + dice(-7, 7)))
            right.append((x + wide * t + dice(-8, 8), y + (base - y) * t**0.85 + dice(-7, 7)))
            spine.append((x + dice(-14, 14) + 20 * k / steps, y + (base - y) * k / steps))
        c.polygon(left + [(x, y)] + right[::-1], lambda v: mix(rgb("f7fafc"), rgb("bcd2e2"), smooth(y, base, v)))
        c.polygon(
            [(x, y)] + right[::-1] + [(x + 20, base)] + spine[::-1],
            lambda v: mix(rgb("8fb0cf"), rgb("6d8fb3"), smooth(y, base, v)),
        )
        for _ in range(16):
            t = dice(0.2, 0.92)
            rx, ry = x + wide * t * dice(-0.8, 0.85), y + (base - y) * t
            size = dice(6, 18) * (0.4 + t)
            if abs(rx - x) < wide * t * 0.72:
                lit = rx < x
                c.polygon(
                    [
                        (rx, ry),
                        (rx + size * (-0.7 if lit else 0.7), ry + size * 1.3),
                        (rx - size * 0.08, ry + size),
                        (rx + size * (0.1 if lit else -0.1), ry + size * 0.5),
                    ],
                    rgb("5d7796" if lit else "3f5a80"),
                )
    line = [252 - 9 * v for v in wander(w, 90, 4, dice)]
    for _ in range(210):
        x = dice(0, w - 1)
        conifer(c, x, line[int(x)] + 14, dice(12, 30), mix(rgb("1f4a4a"), rgb("12303a"), dice()), dice, 5)
    c.ridge(line, [rgb("16383f")], bottom=270)
    c.mirror(270, 150, lambda i: 1.6 * math.sin(i * 0.8) * (0.5 + i / 60), rgb("2f6f94"), lambda t: 0.2 + 0.42 * t)
    for _ in range(60):
        x, y = dice(0, w), dice(272, h)
        c.stroke([(x, y), (x + dice(20, 80), y)], 1, rgb("e4f1f6"), 0.22)


def leaf(c, x, y, size, turn, kind, paint, vein):
    ct, st = math.cos(turn), math.sin(turn)

    def place(points):
        return [(x + (px * ct - py * st) * size, y + (px * st + py * ct) * size) for px, py in points]

    if kind == 0:  # maple
        half = [
            (0, -1),
            (0.12, -0.72),
            (0.3, -0.78),
            (0.26, -0.52),
            (0.42, -0.38),
            (0.8, -0.56),
            (0.76, -0.36),
            (0.98, -0.24),
            (0.66, -0.02),
            (0.7, 0.12),
            (0.4, 0.16),
            (0.44, 0.42),
            (0.2, 0.34),
            (0, 0.4),
        ]
        outline = half + [(-px, py) for px, py in half[::-1][1:-1]]
        veins = [
            [(0, 0.4), (0, -0.85)],
            [(0, 0.3), (0.72, -0.38)],
            [(0, 0.3), (-0.72, -0.38)],
            [(0, 0.34), (0.5, 0.1)],
            [(0, 0.34), (-0.5, 0.1)],
        ]
    elif kind == 1:  # beech
        half = [(0, -1), (0.26, -0.66), (0.44, -0.2), (0.38, 0.2), (0.16, 0.52), (0, 0.6)]
        outline = curve(half + [(-px, py) for px, py in half[::-1][1:-1]], 6, True)
        veins = [[(0, 0.6), (0, -0.9)]] + [
            [(0, v), (s * (0.34 - abs(v + 0.15) * 0.18), v - 0.24)] for v in (0.36, 0.12, -0.12, -0.36) for s in (-1, 1)
        ]
    else:  # ginkgo
        outline = [(0, 0.5)] + curve(
            [(-0.86, -0.28), (-0.62, -0.62), (-0.24, -0.8), (-0.02, -0.52), (0.24, -0.82), (0.64, -0.6), (0.86, -0.28)],
            6,
        )
        veins = [[(0, 0.5), (s, -0.66 + abs(s) * 0.35)] for s in (-0.66, -0.42, -0.2, 0.2, 0.42, 0.66)]
    c.polygon(place([(px + 0.07, py + 0.09) for px, py in outline]), rgb("2a140c"), 0.3)
    c.stroke(place([(0, 0.35), (0.05, 0.7), (0.16, 0.95)]), size * 0.05, vein)
    c.polygon(place(outline), paint)
    for line in veins:
        c.stroke(place(line), max(0.9, size * 0.028), vein, 0.75)


@picture("autumn-leaves", 380, 480, 32_000, 16)
def _(c, w, h, dice):
    c.sky([rgb("36251d")])
    # Few tones and two kinds of veins: more would not survive the palette, and neighbours would melt together.
    tones = colours("c8391f e0662a f4c14e a8551f 9c2b1e 8f8c38")
    placed = []
    for layer, (count, low, high) in enumerate(((110, 34, 46), (80, 42, 60))):
        for _ in range(count):
            x, y = dice(-10, w + 10), dice(-10, h + 10)
            if any((x - px) ** 2 + (y - py) ** 2 < (30 + 14 * layer) ** 2 for k, px, py in placed if k == layer):
                continue
            placed.append((layer, x, y))
            tone = mix(dice.pick(tones), rgb("2d1f1a"), 0.42 - 0.42 * layer)
            leaf(
                c,
                x,
                y,
                dice(low, high),
                dice(0, 2 * math.pi),
                dice.below(3),
                tone,
                rgb("e9c58a" if sum(tone) < 420 else "8a4a20"),
            )


@picture("ringed-planet", 600, 400, 22_000, 192)
def _(c, w, h, dice):
    c.sky(ramp("0b0a20 17103a 2a1749 1a1038"))
    c.glow(470, 330, 330, rgb("6a2f7a"), 0.5, 1.6)
    c.glow(90, 60, 240, rgb("1f4d84"), 0.45, 1.6)
    stars(c, dice, 330, 0, h)
    cx, cy, size, tilt = 300, 205, 104, -0.33
    ct, st = math.cos(tilt), math.sin(tilt)

    def arc(radius, start, end):
        line = []
        for k in range(61):
            a = start + (end - start) * k / 60
            x, y = radius * math.cos(a), radius * 0.27 * math.sin(a)
            line.append((cx + x * ct - y * st, cy + x * st + y * ct))
        return line

    bands = [
        (1.28, 1.36, "7d6a86"),
        (1.37, 1.52, "c9a98f"),
        (1.53, 1.72, "ecd3a8"),
        (1.73, 1.79, "9c8085"),
        (1.84, 2.02, "d8b795"),
        (2.03, 2.09, "8b7590"),
    ]

    def rings(start, end, dim):
        for inner, outer, tone in bands:
            c.polygon(
                arc(size * outer, start, end) + arc(size * inner, start, end)[::-1],
                mix(rgb(tone), rgb("150f30"), dim),
                0.94,
            )

    rings(math.pi, 2 * math.pi, 0.3)
    table = ramp("b5653f e59a5c f3c98b d9824f f6dcae e0a468 b96a48 f0bd82 cf7a4c", 256)
    swirl = wander(400, 60, 3, dice)
    for y in range(cy - size - 1, cy + size + 2):
        for x in range(cx - size - 1, cx + size + 2):
            dx, dy = (x - cx) / size, (y - cy) / size
            d = dx * dx + dy * dy
            edge = (1 - math.sqrt(d)) * size + 0.5
            if edge <= 0:
                continue
            along, lat = dx * ct + dy * st, -dx * st + dy * ct
            lat = lat - 0.16 * math.sqrt(max(0, 1 - d)) + 0.02 * swirl[int(along * 120 + 200)]
            shade = table[min(255, max(0, int((lat + 1.15) * 112)))]
            lit = max(0.0, -0.52 * dx - 0.45 * dy + 0.76 * math.sqrt(max(0, 1 - d)))
            lit = int(16 * min(1, 0.16 + 1.0 * lit) + 0.5) / 16
            c.dot(x, y, mix(rgb("1a0f2e"), shade, lit), int(256 * min(1, edge)))
    rings(0, math.pi, 0.0)
    for x, y, r, tone in ((96, 300, 22, "a7b8c9"), (520, 84, 13, "d9a58c")):
        c.disc(x, y, r, rgb(tone))
        for k in range(6):
            a = dice(0, 7)
            c.disc(x + r * 0.55 * math.cos(a), y + r * 0.55 * math.sin(a), r * dice(0.08, 0.2), rgb("5d5f7c"), 0.5)
        night = [(x + r * math.cos(a), y + r * math.sin(a)) for a in [-0.9 + k * 0.105 for k in range(31)]]
        day = [(x + r * 0.35 * math.cos(a), y + r * math.sin(a)) for a in [2.24 - k * 0.105 for k in range(31)]]
        c.polygon(night + day, rgb("120c28"), 0.72)


@picture("balloons", 400, 600)
def _(c, w, h, dice):
    c.sky(ramp("3f86c6 7db7de bfdcea fbe8cf fbcfa4"), 0, 480)
    for _ in range(7):
        x, y, size = dice(0, w), dice(60, 400), dice(16, 34)
        for k in range(8):
            c.disc(
                x + (k - 3.5) * size * 0.7,
                y + dice(-3, 3),
                size * (0.8 - abs(k - 3.5) * 0.15),
                rgb("ffffff"),
                0.35,
                0.42,
            )
    for i, shade in enumerate(colours("9db89a 6f9a78 4a7d5f 2d5c48")):
        line = [462 + i * 34 - 18 * v for v in wander(w, 170, 3, dice)]
        c.ridge(line, ramp([shade, mix(shade, rgb("f3dca8"), 0.25)]), min(line), max(line) + 40)
    sets = ("d8402f f6c64b", "2c6fa6 f3ead8", "e8783a fbe6b0", "6b3f8c f29ab0", "2f9a86 fdf1cf", "c22f5a f7a64a")
    spots = ((128, 190, 84), (292, 118, 52), (310, 318, 64), (70, 382, 36), (196, 420, 28), (352, 452, 20))
    for (x, y, size), pair in sorted(zip(spots, sets), key=lambda item: item[0][2]):
        a, b = colours(pair)

        def wide(t):
            return size * (
                math.sqrt(max(0, 1 - t * t)) if t < 0 else (1 - t * 0.58 / 1.28) * math.sqrt(max(0, 1 - (t / 1.9) ** 2))
            )

        levels = [-1 + k * 2.28 / 30 for k in range(31)]
        gores = 12
        for g in range(gores):
            a0, a1 = -math.pi / 2 + math.pi * g / gores, -math.pi / 2 + math.pi * (g + 1) / gores
            tone = mix(a if g % 2 else b, rgb("1d1f4a"), 0.42 * smooth(-0.1, 1.5, a0) + 0.06)
            side = [(x + wide(t) * math.sin(a0) - 0.2, y + size * t) for t in levels]
            other = [(x + wide(t) * math.sin(a1) + 0.2, y + size * t) for t in levels]
            c.polygon(side + other[::-1], tone)
        low = y + size * 1.28
        for s in (-1, -0.4, 0.4, 1):
            c.stroke([(x + s * wide(1.28), low), (x + s * size * 0.14, low + size * 0.32)], 0.9, rgb("4a3426"))
        c.polygon(
            [
                (x - size * 0.16, low + size * 0.3),
                (x + size * 0.16, low + size * 0.3),
                (x + size * 0.13, low + size * 0.52),
                (x - size * 0.13, low + size * 0.52),
            ],
            rgb("7a5232"),
        )
        c.polygon(box(x - size * 0.17, low + size * 0.29, x + size * 0.17, low + size * 0.34), rgb("4a3426"))


@picture("bamboo-grove", 360, 600, 25_500, 48)
def _(c, w, h, dice):
    c.sky(ramp("f3f3c8 dcecb0 b4d792 8dbd79"))
    c.glow(200, 210, 270, rgb("fffee0"), 0.9, 1.2)
    for layer in range(4):
        t = layer / 3
        tone = mix(rgb("a8cf8c"), rgb("1f5a34"), t)
        for k in range(9 - 2 * layer + (layer == 3)):
            x = (k + dice(0.1, 0.9)) * w / (9 - 2 * layer + (layer == 3))
            if layer == 3 and 110 < x < 250:
                x += -110 if x < 180 else 110
            size, lean = (5 + 6.5 * layer) * dice(0.85, 1.15), dice(-14, 14)
            y, joint = h + dice(0, 60), 46 + 26 * layer
            while y > -60:
                tall = joint * dice(0.9, 1.1)
                x0, x1 = x + lean * y / h, x + lean * (y - tall) / h
                for part in range(6):
                    p0, p1 = -0.5 + part / 6, -0.5 + (part + 1) / 6
                    shade = mix(
                        mix(tone, rgb("eef7b8"), 0.42 * (1 - t * 0.3)),
                        mix(tone, rgb("0c2a1c"), 0.4 * t),
                        smooth(-0.45, 0.5, p0 + 0.08),
                    )
                    c.polygon(
                        [
                            (x0 + size * p0, y - 1.5),
                            (x0 + size * p1 + 0.3, y - 1.5),
                            (x1 + size * p1 + 0.3, y - tall + 1),
                            (x1 + size * p0, y - tall + 1),
                        ],
                        shade,
                    )
                c.stroke(
                    [(x1 - size * 0.55, y - tall), (x1 + size * 0.55, y - tall)],
                    1.2 + layer * 0.5,
                    mix(tone, rgb("f4f8cc"), 0.5),
                )
                if dice() < 0.4:
                    twig = dice.pick((-1, 1))
                    for _ in range(3 + layer):
                        a, far = dice(-0.3, 1.0), dice(16, 30) * (0.7 + 0.5 * layer)
                        bx, by = x1 + twig * dice(2, 20 + 8 * layer), y - tall + dice(-10, 6)
                        ex, ey = bx + twig * far * math.cos(a), by + far * math.sin(a)
                        nx, ny = -(ey - by) * 0.12, (ex - bx) * 0.12
                        mx, my = bx + (ex - bx) * 0.35, by + (ey - by) * 0.35
                        c.polygon(
                            curve([(bx, by), (mx + nx, my + ny), (ex, ey), (mx - nx, my - ny)], 4, True),
                            mix(tone, rgb("6fae4a"), dice(0, 0.6)),
                        )
                y -= tall


@picture("canyon", 640, 360)
def _(c, w, h, dice):
    c.sky(ramp("2e7fb3 6fb0cf b9d8dc f5e3c4"), 0, 220)
    for x, y, size in ((90, 52, 24), (420, 40, 30), (560, 78, 20)):
        for k in range(7):
            c.disc(
                x + (k - 3) * size * 0.7, y + dice(-3, 3), size * (0.8 - abs(k - 3) * 0.17), rgb("fffaf0"), 0.5, 0.45
            )
    strata = ramp("f0b27a c9653f e08c55 a8452f d9764a f2c08a b5523a 8c3a2c d08050 e9a468 99412f", 44)
    for layer, (spots, low, haze) in enumerate(
        (
            (((40, 120, 110), (250, 90, 132), (400, 70, 120), (560, 120, 106)), 214, 0.55),
            (((130, 74, 118), (470, 86, 92), (618, 60, 150)), 250, 0.28),
            (((-10, 130, 60), (300, 40, 150)), 292, 0.0),
        )
    ):
        wobble = wander(400, 60, 2, dice)
        for x, wide, top in spots:
            jag = [dice(-0.05, 0.05) for _ in range(60)]

            def half(y):
                t = (y - top) / (low - top)
                steps = 0.72 + 0.06 * int(t * 3) if t < 0.55 else 0.86 + (t - 0.55) * 1.5
                return wide * (steps + jag[int(t * 24) % 60] * 0.5)

            left, right = [], []
            y = top
            while y <= low:
                left.append((x - half(y), y))
                right.append((x + half(y + 1.5), y))
                y += 3
            c.polygon(
                left + right[::-1],
                lambda v: mix(
                    strata[int((v * (1.0 + 0.12 * layer) + 3 * wobble[int(v) % 400])) // 3 % 44], rgb("c9c3cf"), haze
                ),
            )
            shadow = [(x + half(p[1]) * (0.28 + 0.1 * math.sin(p[1] / 7)), p[1]) for p in right]
            c.polygon(shadow + right[::-1], rgb("4a1f33"), 0.34 * (1 - haze * 0.6))
            c.stroke([left[0], right[0]], 2, mix(rgb("f7cf98"), rgb("d6d0d6"), haze))
        line = [low - 3 + 4 * v for v in wander(w, 120, 3, dice)]
        shade = mix(rgb("c4713f"), rgb("d6b9ac"), haze)
        c.ridge(line, ramp([mix(shade, rgb("f0bd84"), 0.4), shade]), low - 6, low + 50)
    for _ in range(120):
        y = dice(300, h + 6)
        x, size = dice(0, w), (y - 280) / 14 * dice(0.7, 1.2)
        c.disc(x + size * 0.4, y + size * 0.2, size * 1.1, rgb("7d3a2a"), 0.5, 0.4)
        c.disc(x, y, size, dice.pick(colours("6f7d4a 586b42 8a8a52 9c9660")), 1, 0.62)


@picture("jellyfish", 400, 600, 26_000, 88)
def _(c, w, h, dice):
    c.sky(ramp("1480a0 0c5684 0a3265 081a44 060f2c"))
    c.glow(200, -40, 420, rgb("5fd0d8"), 0.55, 1.4)
    for _ in range(90):
        c.disc(dice(0, w), dice(0, h), dice(0.6, 2.2), rgb("9fe6ee"), dice(0.12, 0.5))
    for x, y, size, tone in (
        (96, 420, 30, "f2b36b"),
        (330, 132, 34, "8fd6f0"),
        (318, 420, 46, "c08cf0"),
        (170, 200, 88, "ff8fb0"),
    ):
        tone = rgb(tone)
        c.glow(x, y, size * 2, tone, 0.42, 1.6)
        for k in range(11):
            u = -1 + k / 5
            sway, reach = dice(-0.5, 0.5), size * dice(2.1, 3.3)
            line = [
                (
                    x
                    + u * size * 0.82 * (1 - 0.25 * t / 20)
                    + size * 0.16 * math.sin(t * 0.55 + k + sway * 5) * t / 14,
                    y + size * 0.2 + reach * t / 20,
                )
                for t in range(21)
            ]
            c.stroke(
                line, [max(0.6, size * 0.035 * (1.3 - t / 20)) for t in range(21)], mix(tone, rgb("ffffff"), 0.25), 0.55
            )
        for k in range(4):
            u, sway = -0.36 + 0.24 * k, dice(0, 6)
            line = [
                (
                    x + u * size + size * 0.17 * math.sin(t * 0.7 + sway) * (0.4 + t / 20),
                    y + size * 0.1 + size * 1.75 * t / 20,
                )
                for t in range(21)
            ]
            c.stroke(
                line,
                [size * (0.2 - 0.008 * t) * (1 + 0.3 * math.sin(t * 2.1)) for t in range(21)],
                mix(tone, rgb("fff4ee"), 0.45),
                0.4,
            )
        rim = [(x + size * (1 - k / 12), y + size * (0.26 + 0.09 * (k % 2))) for k in range(25)]
        dome = [
            (x + size * 1.02 * math.cos(a), y + size * 0.24 - size * 0.98 * math.sin(a))
            for a in [math.pi - math.pi * k / 40 for k in range(41)]
        ]
        c.polygon(
            dome + rim,
            lambda v: mix(mix(tone, rgb("ffffff"), 0.55), tone, smooth(y - size * 0.7, y + size * 0.3, v)),
            0.68,
        )
        for scale, strength in ((0.78, 0.25), (0.5, 0.3)):
            c.polygon(
                [(x + (px - x) * scale, y + (py - y) * scale + size * 0.03) for px, py in dome], rgb("fff2f4"), strength
            )
        for k in range(9):
            u = (-1 + k / 4) * 0.86
            c.stroke(
                curve(
                    [
                        (x + u * size * 0.25, y - size * 0.6),
                        (x + u * size * 0.8, y - size * 0.25),
                        (x + u * size, y + size * 0.22),
                    ],
                    6,
                ),
                max(0.8, size * 0.022),
                rgb("ffffff"),
                0.4,
            )


@picture("sailing-boats", 560, 400)
def _(c, w, h, dice):
    c.sky(ramp("5aa9d6 9ccde3 d9ecea fdf3dc"), 0, 190)
    for _ in range(6):
        x, y, size = dice(0, w), dice(26, 120), dice(14, 28)
        for k in range(8):
            c.disc(
                x + (k - 3.5) * size * 0.7,
                y + dice(-4, 4),
                size * (0.85 - abs(k - 3.5) * 0.17),
                rgb("ffffff"),
                0.55,
                0.5,
            )
    c.ridge([178 - 12 * v for v in wander(w, 150, 3, dice)], [rgb("8fb2b8")], bottom=192)
    sea = ramp("7cc4c6 3f9fb4 1f7a9c 125a80")
    for y in range(190, h):
        c.run(y, 0, w, sea[int((y - 190) / (h - 190) * 255)])
    boats = [
        (90, 214, 44, "f5efe0 e8573f"),
        (462, 226, 60, "fff7e6 2c5f8c"),
        (236, 252, 92, "fdf4e0 d9432f"),
        (392, 318, 128, "f7e2b8 f0a030"),
    ]
    spray = sorted((dice(196, h), dice(-30, w)) for _ in range(420))
    at = 0
    for x, y, size, pair in boats + [(0, h + 1, 0, "000000 000000")]:
        while at < len(spray) and spray[at][0] < y:
            sy, sx = spray[at]
            wide = 5 + (sy - 185) / 7
            c.stroke(
                [(sx, sy), (sx + wide * 0.5, sy - wide * 0.06), (sx + wide, sy)],
                0.8 + (sy - 190) / 120,
                dice.pick(colours("d9f3ee a4dcd9 0f5378 2f8ca8")),
                0.55,
            )
            at += 1
        if size:
            a, b = colours(pair)
            for k in range(7):
                u, d = dice(-0.2, 0.2), size * 0.07 * k
                c.stroke(
                    [(x + u * size - size * 0.2, y + 3 + d), (x + u * size + size * 0.24, y + 3 + d)],
                    size * 0.03,
                    a,
                    0.5 - 0.06 * k,
                )
            mast = (x, y - size)
            c.polygon(
                curve([(x + 2, y - size * 0.12), (x + size * 0.1, y - size * 0.6), mast], 8)[::-1]
                + curve(
                    [(x + 2, y - size * 0.12), (x + size * 0.3, y - size * 0.14), (x + size * 0.5, y - size * 0.13)], 6
                )
                + curve([(x + size * 0.5, y - size * 0.13), (x + size * 0.34, y - size * 0.5), (x + 1, y - size)], 8),
                a,
            )
            c.polygon(
                [(x - 2, y - size * 0.9)]
                + curve(
                    [(x - 2, y - size * 0.9), (x - size * 0.2, y - size * 0.45), (x - size * 0.36, y - size * 0.14)], 8
                )
                + [(x - 2, y - size * 0.14)],
                b,
            )
            c.stroke([(x, y - size * 0.05), mast], size * 0.022, rgb("6a4530"))
            c.polygon(
                [
                    (x - size * 0.42, y - size * 0.1),
                    (x + size * 0.48, y - size * 0.1),
                    (x + size * 0.34, y + size * 0.05),
                    (x - size * 0.3, y + size * 0.05),
                ],
                rgb("7a3b2a"),
            )
            c.stroke([(x - size * 0.42, y - size * 0.1), (x + size * 0.48, y - size * 0.1)], size * 0.03, rgb("f6e6c6"))


@picture("tulip-fields", 640, 420, 24_000, 88)
def _(c, w, h, dice):
    c.sky(ramp("6db3e0 a9d4ea e6f1ec"), 0, 176)
    for _ in range(7):
        x, y, size = dice(0, w), dice(20, 120), dice(16, 32)
        for k in range(8):
            c.disc(
                x + (k - 3.5) * size * 0.7,
                y + dice(-4, 4),
                size * (0.85 - abs(k - 3.5) * 0.17),
                rgb("ffffff"),
                0.6,
                0.5,
            )
    line = [170 - 6 * v for v in wander(w, 40, 3, dice)]
    c.ridge(line, [rgb("5f8f6a")])
    tones = colours("e23b4e f7b52c f06a9b 8c3fa8 f4f0e4 e8572a")
    vx, vy, rows = 250, 168, 34
    for k in range(rows):
        x0, x1 = (k - rows / 2) * 92 + 250, (k - rows / 2 + 1) * 92 + 250
        tone = tones[(k // 2) % 6]
        if k % 2:
            c.polygon(
                [(vx, vy), (x0, h + 2), (x1, h + 2)], lambda y: mix(rgb("6d9c54"), rgb("2f6a34"), smooth(176, h, y))
            )
        else:
            c.polygon(
                [(vx, vy), (x0, h + 2), (x1, h + 2)],
                lambda y: mix(mix(tone, rgb("e9d9c8"), 0.4), tone, smooth(172, 250, y)),
            )
    y = 186.0
    while y < h + 10:
        t = (y - vy) / (h - vy)
        for k in range(0, rows, 2):
            tone = tones[(k // 2) % 6]
            x0 = vx + ((k - rows / 2) * 92) * t
            number = 3
            for s in range(number):
                x = x0 + (s + 0.5 + dice(-0.22, 0.22)) * 92 * t / number
                size = 10.5 * t
                if -12 < x < w + 12 and size > 1.1:
                    flower = mix(tone, dice.pick(((255, 255, 255), (60, 10, 40))), dice(0.0, 0.22))
                    if size > 4:
                        c.polygon(
                            [
                                (x - size * 0.75, y - size),
                                (x - size * 0.35, y - size * 0.35),
                                (x, y - size * 1.15),
                                (x + size * 0.35, y - size * 0.35),
                                (x + size * 0.75, y - size),
                                (x + size * 0.6, y + size * 0.3),
                                (x, y + size * 0.75),
                                (x - size * 0.6, y + size * 0.3),
                            ],
                            flower,
                        )
                    else:
                        c.disc(x, y, size * 0.7, flower)
        y += 4 + 20 * t
    x, y = 470, 172
    c.polygon([(x - 22, y + 8), (x - 13, y - 62), (x + 13, y - 62), (x + 22, y + 8)], rgb("7a4a35"))
    c.polygon([(x + 2, y + 8), (x + 2, y - 62), (x + 13, y - 62), (x + 22, y + 8)], rgb("5d3628"))
    c.polygon([(x - 16, y - 60), (x - 9, y - 80), (x + 9, y - 80), (x + 16, y - 60)], rgb("3d2a2c"))
    c.stroke([(x - 22, y - 26), (x + 22, y - 26)], 4, rgb("f1e6d4"))
    for k in range(4):
        a = 0.5 + k * math.pi / 2
        dx, dy = math.cos(a), math.sin(a)
        c.stroke([(x, y - 68), (x + dx * 66, y - 68 + dy * 66)], 1.8, rgb("3d2a2c"))
        c.polygon(
            [
                (x + dx * 14 - dy * 1, y - 68 + dy * 14 + dx * 1),
                (x + dx * 65 - dy * 1, y - 68 + dy * 65 + dx * 1),
                (x + dx * 65 - dy * 13, y - 68 + dy * 65 + dx * 13),
                (x + dx * 14 - dy * 13, y - 68 + dy * 14 + dx * 13),
            ],
            rgb("fbf5e6"),
            0.92,
        )
    c.disc(x, y - 68, 4, rgb("3d2a2c"))


@picture("bridge-at-dawn", 640, 360)
def _(c, w, h, dice):
    c.sky(ramp("5b6fa8 9c8fc0 e3a9b6 fbcfa8 fdebc4"), 0, 250)
    c.glow(430, 232, 250, rgb("fff6d6"), 0.85, 1.5)
    c.disc(430, 226, 24, rgb("fffcea"))
    for i, shade in enumerate(colours("b9a3c6 8f82b0")):
        c.ridge([236 + i * 8 - (26 - i * 4) * v for v in wander(w, 170, 4, dice)], [shade], bottom=252)
    sea = ramp("f6d3b0 d0a6b4 8482b0 4d5a94")
    for y in range(250, h):
        c.run(y, 0, w, sea[int((y - 250) / (h - 250) * 255)])
    for _ in range(230):
        y = dice(253, h)
        x, wide = (430 + dice.bell(40 + (y - 250)), dice(4, 22)) if dice() < 0.5 else (dice(0, w), dice(10, 50))
        c.stroke([(x - wide, y), (x + wide, y)], 1 + (y - 250) / 80, dice.pick(colours("fff2cf fbdcb8 6f74a8")), 0.34)
    steel = rgb("a8352f")

    def deck(x):
        return 214 + (x - 320) ** 2 / 21000

    towers = (150, 500)
    for x in towers:
        c.polygon(box(x - 15, 246, x + 15, 276), rgb("4a3350"))
        for s in (-9, 9):
            c.polygon([(x + s - 3.4, 64), (x + s + 3.4, 64), (x + s + 4.4, 250), (x + s - 4.4, 250)], steel)
        for y in (66, 104, 146, 190, 232):
            c.polygon(box(x - 11, y, x + 11, y + 8), mix(steel, rgb("3a1a30"), 0.25))
    for back in (0, 1):
        shade = mix(steel, rgb("e0a0a0"), 0.0 if back else 0.35)
        for a, b in ((-170, 150), (150, 500), (500, 820)):
            cable = []
            for k in range(51):
                t = k / 50
                cable.append((a + (b - a) * t, 66 + 4 * back + 128 * (1 - (2 * t - 1) ** 2)))
            if not back:
                for x, y in cable[1::1]:
                    if 0 < x < w:
                        c.stroke([(x, y), (x, deck(x))], 0.9, shade, 0.8)
            c.stroke(cable, 2.6, steel)
    road = [(x, deck(x)) for x in range(-10, w + 20, 10)]
    c.polygon(road + [(x, y + 9) for x, y in road[::-1]], rgb("7a2632"))
    c.stroke(road, 2, rgb("e2786a"))
    for x in range(0, w, 12):
        c.stroke([(x, deck(x) + 9), (x + 6, deck(x) + 17), (x + 12, deck(x) + 9)], 1.3, rgb("7a2632"))
    c.stroke([(x, y + 17) for x, y in road], 1.6, rgb("7a2632"))
    for x, y, size in ((300, 92, 8), (322, 104, 6), (280, 108, 6), (344, 88, 5)):
        bird(c, x, y, size, rgb("4a3a60"))


@picture("umbrellas", 440, 440, 26_000, 32)
def _(c, w, h, dice):
    c.sky(ramp("7f95a6 6d8496 5b7286"))
    for y in range(0, h + 24, 24):
        for x in range(-24 + (y // 24 % 2) * 24, w + 24, 48):
            c.polygon(box(x + 1, y + 1, x + 47, y + 23), mix(rgb("8397a6"), rgb("5d7286"), dice()))
    placed, pairs = [], [
        "e4483a f6ede0",
        "f2b632 f7e3a6",
        "2f6f9e 8fc4de",
        "2f9a7c bfe6cf",
        "c9447e f7c2d6",
        "4b3a7a a797d6",
        "22304a 8795ac",
        "f0773a ffe2c4",
    ]
    for _ in range(900):
        size = dice(34, 74)
        x, y = dice(-20, w + 20), dice(-20, h + 20)
        if all(math.hypot(x - px, y - py) > (size + ps) * 0.93 for px, py, ps in placed):
            placed.append((x, y, size))
    for x, y, size in placed:
        turn, (a, b) = dice(0, 1), colours(dice.pick(pairs))
        sides = 8
        tips = [
            (size * math.cos(turn + k * math.pi / 4), size * math.sin(turn + k * math.pi / 4)) for k in range(sides)
        ]
        c.polygon([(x + px * 1.02 + 8, y + py * 1.02 + 11) for px, py in tips], rgb("1d2c3c"), 0.42)
        for k in range(sides):
            (px, py), (qx, qy) = tips[k], tips[(k + 1) % sides]
            mx, my = (px + qx) * 0.46, (py + qy) * 0.46
            light = -(mx * 0.6 + my * 0.8) / size
            tone = mix(a if k % 2 else b, rgb("fff8e8") if light > 0 else rgb("141a30"), abs(light) * 0.24)
            edge = curve([(x + px, y + py), (x + mx, y + my), (x + qx, y + qy)], 6)
            c.polygon([(x, y)] + edge, tone)
        for px, py in tips:
            c.stroke([(x, y), (x + px, y + py)], 1.1, rgb("1d2233"), 0.35)
            c.disc(x + px, y + py, 1.8, rgb("2a2f40"))
        c.disc(x, y, 3.2, rgb("f4ead6"))
    for _ in range(240):
        x, y = dice(0, w), dice(0, h)
        c.stroke([(x, y), (x - 4, y + 10)], 0.9, rgb("eaf4fa"), 0.4)


@picture("koi-pond", 400, 560, 26_000, 88)
def _(c, w, h, dice):
    c.sky(ramp("1d6a70 165460 0f3f50 0c3145"))
    c.glow(150, 130, 330, rgb("4fb3a6"), 0.5, 1.5)
    for _ in range(14):
        x, y = dice(0, w), dice(0, h)
        for k in range(3):
            c.stroke(ring(x, y, 14 + k * 13 + dice(0, 4), 0.6), 1, rgb("a8e0d6"), 0.22 - 0.05 * k, closed=True)
    patterns = ("f7efe2 e2512d", "f08a2c fbd9a0", "fbf5ea 2a2a33", "e8472c f9e9da", "f4c04a fff0c4", "f6eee4 ee6b35")
    for (x, y, turn, size), pair in zip(
        (
            (112, 138, 0.6, 84),
            (272, 196, 2.5, 92),
            (176, 338, -0.7, 92),
            (322, 404, 1.9, 76),
            (92, 462, -0.2, 82),
            (250, 520, 3.4, 62),
        ),
        patterns,
    ):
        base, spot = colours(pair)
        spine = []
        for k in range(25):
            t = k / 24
            a = turn + 0.9 * math.sin(t * 2.7 + x) * 0.55
            px, py = spine[-1] if spine else (x + size * 0.9 * math.cos(turn), y + size * 0.9 * math.sin(turn))
            spine.append((px - math.cos(a) * size * 0.076, py - math.sin(a) * size * 0.076))

        def along(i, off):
            (x0, y0), (x1, y1) = spine[max(0, i - 1)], spine[min(24, i + 1)]
            d = math.hypot(x1 - x0, y1 - y0)
            return spine[i][0] - (y1 - y0) / d * off * size, spine[i][1] + (x1 - x0) / d * off * size

        def wide(i):
            t = i / 24
            return 0.025 + 0.21 * math.sin(math.pi * min(1, t * 0.95 + 0.02)) ** 0.55 * (1 - 0.45 * t)

        for shift, tint, alpha in ((12, rgb("04202c"), 0.35), (0, None, 1.0)):

            def paint(col):
                return tint or col

            moved = lambda points: [(px + shift, py + shift * 1.3) for px, py in points]
            for s in (-1, 1):
                c.polygon(
                    moved(
                        curve(
                            [along(7, s * 0.16), along(9, s * 0.5), along(13, s * 0.46), along(10, s * 0.16)], 6, True
                        )
                    ),
                    paint(mix(base, rgb("ffffff"), 0.2)),
                    alpha * 0.8,
                )
                c.polygon(
                    moved(
                        curve(
                            [along(15, s * 0.1), along(17, s * 0.3), along(19, s * 0.24), along(17, s * 0.08)], 6, True
                        )
                    ),
                    paint(mix(base, rgb("ffffff"), 0.2)),
                    alpha * 0.8,
                )
                tail = along(24, s * 0.34)
                (x0, y0), (x1, y1) = spine[22], spine[24]
                tip = (tail[0] + (x1 - x0) * 2.4, tail[1] + (y1 - y0) * 2.4)
                c.polygon(
                    moved(
                        curve(
                            [spine[22], along(24, s * 0.14), tip, (x1 + (x1 - x0) * 1.1, y1 + (y1 - y0) * 1.1)], 6, True
                        )
                    ),
                    paint(mix(base, rgb("ffffff"), 0.15)),
                    alpha * 0.85,
                )
            body = [along(i, wide(i)) for i in range(25)] + [along(i, -wide(i)) for i in range(24, -1, -1)]
            c.polygon(moved(body), paint(base), alpha)
        for _ in range(6):
            i, side = 2 + dice.below(19), dice(-0.09, 0.09)
            bx, by = along(i, side)
            blob = [
                (bx + r * math.cos(a), by + r * math.sin(a))
                for a, r in ((k * 0.785, size * dice(0.05, 0.105)) for k in range(8))
            ]
            c.polygon(curve(blob, 4, True), spot)
        c.stroke(
            [along(i, 0) for i in range(6, 21)],
            [1 + 0.1 * size * 0.2 * math.sin(math.pi * i / 14) for i in range(15)],
            mix(base, spot, 0.4),
            0.6,
        )
        for s in (-1, 1):
            ex, ey = along(2, s * 0.1)
            c.disc(ex, ey, 2.2, rgb("14141c"))
    for x, y, size in (
        (346, 62, 56),
        (378, 134, 36),
        (40, 306, 50),
        (24, 372, 30),
        (366, 508, 52),
        (26, 26, 40),
        (192, 42, 30),
    ):
        turn = dice(0, 6.2)
        pad = [
            (x + size * math.cos(turn + 0.25 + k * 0.0965), y + size * math.sin(turn + 0.25 + k * 0.0965))
            for k in range(61)
        ]
        c.polygon([(px + 9, py + 12) for px, py in [(x, y)] + pad], rgb("04202c"), 0.4)
        tone = mix(rgb("4f9a4a"), rgb("7ab857"), dice())
        c.polygon([(x, y)] + pad, tone)
        c.polygon(
            [(x + (px - x) * 0.93, y + (py - y) * 0.93) for px, py in [(x, y)] + pad], mix(tone, rgb("2c6b3c"), 0.35)
        )
        for k in range(4, 61, 7):
            c.stroke([(x, y), (x + (pad[k][0] - x) * 0.9, y + (pad[k][1] - y) * 0.9)], 1, rgb("a6d47c"), 0.6)
        if size > 48:
            for layer, (count, far, tone) in enumerate(((9, 0.5, "f29ac0"), (7, 0.38, "f8bcd6"), (5, 0.24, "fde0ea"))):
                for k in range(count):
                    a = k * 2 * math.pi / count + layer * 0.4
                    dx, dy = math.cos(a), math.sin(a)
                    d = size * far
                    c.polygon(
                        curve(
                            [
                                (x, y),
                                (x + dx * d * 0.6 - dy * d * 0.24, y + dy * d * 0.6 + dx * d * 0.24),
                                (x + dx * d, y + dy * d),
                                (x + dx * d * 0.6 + dy * d * 0.24, y + dy * d * 0.6 - dx * d * 0.24),
                            ],
                            5,
                            True,
                        ),
                        mix(rgb(tone), rgb("d7709c"), 0.1 * (k % 2)),
                    )
            c.disc(x, y, size * 0.1, rgb("f7c948"))
