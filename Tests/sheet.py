"""Tests the page that `gallery fetch --html` writes, in Chromium: `python Tests/sheet.py GALLERY FOLDER`.

It tests two pages: one of the bundled catalogue, and one of a server with hostile picture titles. Screenshots are
written to the folder. The exit status is 1 if a check fails. It requires Debian's `chromium`, `chromium-driver` and
`tidy`, and `selenium` and `axe-core-python` from PyPI:

    python3 -m venv .venv && .venv/bin/pip install selenium axe-core-python
    .venv/bin/python Tests/sheet.py "$(swift build --show-bin-path)/gallery" .build/sheet
"""

import http.server
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import threading
import zlib

import axe_core_python
from selenium import webdriver
from selenium.common.exceptions import NoAlertPresentException
from selenium.webdriver.chrome.service import Service as Driver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

TITLES = [
    "A lake at dawn", "<script>document.title='broken'</script>", "\" onerror=\"document.title='broken'",
    "' onload='alert(1)", "\u202eright to left", "שלום עולם, a right-to-left title", "👩‍👩‍👧 漢字 ü", "x" * 10_000,
    "word " * 2_000, "", "\u202e", "Zebra", "two\nlines", "&amp; &lt;b&gt;", "</li></ul><img src=x onerror=alert(1)>",
    "<svg/onload=alert(1)>",
]
SHAPES = [(320, 180), (180, 320), (240, 240)]


def png(width, height, shade):
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = (b"\0" + bytes([shade, 120, 200 - shade // 2]) * width) * height
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


class Service(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        own = f"http://{self.headers['Host']}"
        path = self.path.split("?")[0]
        if path == "/photos":
            photos = [self.photo(own, place) for place in range(len(TITLES))]
            body, kind = json.dumps(photos).encode(), "application/json"
        elif path.startswith("/picture/"):
            place = int(path.rsplit("/", 1)[1])
            body, kind = png(*SHAPES[place % 3], place * 15), "image/png"
        else:
            body, kind = b'{"url":"x"}', "application/json"
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def photo(self, own, place):
        width, height = (1, 10**9) if place == 4 else SHAPES[place % 3]
        picture = f"{own}/picture/{place}"
        page = "javascript:alert(1)" if place == 3 else f"https://unsplash.com/photos/p{place}"
        pages = {"self": own, "html": page, "photos": own}
        return {
            "id": f"p{place}", "created_at": f"2026-01-{place + 1:02}T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z",
            "width": width, "height": height, "likes": 0, "liked_by_user": False, "description": TITLES[place],
            "urls": {size: picture for size in ("raw", "full", "regular", "small", "thumb")},
            "links": {**pages, "download": picture, "download_location": f"{own}/photos/p{place}/download"},
            "user": {"id": "u", "username": "ada", "name": f"Ada <{place}>", "links": pages},
        }

    def log_message(self, *arguments):
        pass


problems = []


def check(holds, what, found=None):
    print(("holds:  " if holds else "broken: ") + what + ("" if holds or found is None else f": {found}"))
    if not holds:
        problems.append(what)


def browser(width, dark):
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    for flag in ("headless=new", "no-sandbox", "disable-gpu", "hide-scrollbars", "force-device-scale-factor=1"):
        options.add_argument("--" + flag)
    driver = webdriver.Chrome(options=options, service=Driver(shutil.which("chromedriver")))
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
        "width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600})
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
        "features": [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]})
    return driver


# The contrast ratio (WCAG 2.2) between a colour of an element and its background.
CONTRAST = """
const [element, property] = arguments;
const parts = text => (text.match(/[\\d.]+/g) || []).map(Number);
const clear = text => parts(text).length === 4 && parts(text)[3] === 0;
const light = text => {
  const [r, g, b] = parts(text).map(v => v / 255).map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
let behind = property === "color" ? element : element.parentElement;
while (behind && clear(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
const back = behind ? getComputedStyle(behind).backgroundColor : "rgb(255, 255, 255)";
const [one, other] = [light(getComputedStyle(element)[property]), light(back)];
return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
"""
WORDS = ["h1", "label", "#search", "#sort", "#count", ".title", ".credit", ".credit a", "footer p", "kbd"]


def contrast(driver, name):
    def least(places):
        found = {p: (driver.find_elements(By.CSS_SELECTOR, p), q) for p, q in places}
        ratios = {p: driver.execute_script(CONTRAST, e[0], q) for p, (e, q) in found.items() if e}
        place = min(ratios, key=ratios.get)
        return ratios[place], f"{ratios[place]:.1f} at {place}"

    ratio, figure = least([(place, "color") for place in WORDS])
    check(ratio >= 4.5, f"{name}: text has a contrast of at least 4.5, the minimum is {figure}")
    ratio, figure = least([(place, "borderTopColor") for place in ("#search", "#sort")])
    check(ratio >= 3, f"{name}: input borders have a contrast of at least 3, the minimum is {figure}")


# The boxes of each tile's card and picture, and the aspect ratio of the picture.
TILES = """
return [...document.querySelectorAll("#sheet > li")].map(tile => {
  const box = e => { const r = e.getBoundingClientRect(); return [r.left, r.top, r.right, r.bottom]; };
  const image = tile.querySelector("img");
  return { card: box(tile.querySelector("figure")), image: box(image), shape: image.naturalWidth / image.naturalHeight };
});
"""


def near(one, other):
    return abs(one - other) <= 1.5


def layout(driver, name, isBundled):
    """Checks that pictures fill their tiles, and that tiles fill the rows."""
    tiles = driver.execute_script(TILES)
    left, right = driver.execute_script(
        "const r = document.getElementById('sheet').getBoundingClientRect(); return [r.left, r.right]")
    gaps = [t for t in tiles if not all(near(t["card"][side], t["image"][side]) for side in (0, 1, 2))]
    check(not gaps, f"{name}: no tile shows its background next to or above the picture", gaps[:2])
    bent = [t for t in tiles if not near((t["image"][2] - t["image"][0]) / t["shape"], t["image"][3] - t["image"][1])]
    check(not bent, f"{name}: each picture's box has the picture's aspect ratio", bent[:2])
    rows = {}
    for tile in tiles:
        rows.setdefault(round(tile["card"][1]), []).append(tile)
    rows = [row for _, row in sorted(rows.items())]
    heights = [[t["card"][3] - t["card"][1] for t in row] for row in rows]
    check(all(near(max(row), min(row)) for row in heights), f"{name}: the tiles of a row have the same height", heights[:2])
    if not isBundled:
        return
    short = [row for row in rows[:-1] if not (near(row[0]["card"][0], left) and near(row[-1]["card"][2], right))]
    check(not short, f"{name}: each row except the last fills the width", short[:1])
    bottoms = [[t["image"][3] for t in row] for row in rows]
    check(all(near(max(row), min(row)) for row in bottoms), f"{name}: the pictures of a row have the same height", bottoms[:2])
    kinds = [{(t["shape"] > 1.05) - (t["shape"] < 0.95) for t in row} for row in rows]
    if driver.execute_script("return innerWidth") >= 768:
        check(set.union(*kinds) == {-1, 0, 1} and any(len(kind) == 3 for kind in kinds),
              f"{name}: portrait, landscape and square pictures share a row", kinds)


def look(driver, page, name, folder, title, count):
    driver.get(page.as_uri())
    value = driver.execute_script
    found = value("return document.title")
    check(found == title, f"{name}: no script of the server ran", found)
    try:
        driver.switch_to.alert.dismiss()
        check(False, f"{name}: no dialog is shown")
    except NoAlertPresentException:
        check(True, f"{name}: no dialog is shown")
    check(value("return document.documentElement.scrollWidth <= innerWidth"), f"{name}: the page does not scroll horizontally")
    inner = "return [...document.querySelectorAll('*')].filter(e => e.getBoundingClientRect().right > innerWidth + 1)"
    check(not value(inner + ".map(e => e.outerHTML.slice(0, 80))"), f"{name}: no element extends beyond the page")
    check(len(driver.find_elements(By.CSS_SELECTOR, "#sheet > li")) == count, f"{name}: one tile per picture")
    check(value("return [...document.images].every(i => i.alt.trim())"), f"{name}: every picture has an alternative text")
    tallest = value("return Math.max(...[...document.images].map(i => i.height / i.width))")
    check(tallest < 4.1, f"{name}: no tile is much taller than wide", tallest)
    for image in driver.find_elements(By.TAG_NAME, "img"):
        value("arguments[0].loading = 'eager'; return arguments[0].decode()", image)
    shapes = value("return [...document.images].map(i => [i.naturalWidth / i.naturalHeight, i.width / i.height])")
    check(all(abs(one / other - 1) < 0.02 for one, other in shapes), f"{name}: pictures keep their aspect ratio")
    layout(driver, name, name.startswith("bundled"))
    contrast(driver, name)
    driver.save_screenshot(str(folder / f"{name.replace(' ', '-')}.png"))
    axe(driver, name)
    asked(driver, name, page)


def axe(driver, name):
    script = next(pathlib.Path(axe_core_python.__file__).parent.rglob("axe.min.js")).read_text()
    # Bypasses the page's content security policy, like the developer tools.
    driver.execute_cdp_cmd("Runtime.evaluate", {"expression": script})
    found = driver.execute_cdp_cmd("Runtime.evaluate", {
        "expression": "axe.run().then(r => JSON.stringify(r.violations.map(v => v.id + ': ' + v.nodes[0].html)))",
        "awaitPromise": True})
    violations = json.loads(found["result"]["value"])
    check(not violations, f"{name}: axe finds no violations", violations[:3])


def asked(driver, name, page):
    """Checks that the page requests only itself and the pictures next to it."""
    messages = [json.loads(entry["message"])["message"] for entry in driver.get_log("performance")]
    places = [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]
    own = page.parent.as_uri() + "/"
    others = [place for place in places if not place.startswith(own)]
    check(places and not others, f"{name}: only the page and its pictures are requested", others[:3])
    severe = [entry["message"] for entry in driver.get_log("browser") if entry["level"] == "SEVERE"]
    check(not severe, f"{name}: the browser logs no errors", severe[:3])


def keys(driver, page):
    driver.get(page.as_uri())
    active = lambda: driver.switch_to.active_element
    tiles = lambda: driver.find_elements(By.CSS_SELECTOR, "#sheet > li:not([hidden])")
    shown = lambda: [tile.get_attribute("data-place") for tile in tiles()]
    everything = shown()
    driver.find_element(By.TAG_NAME, "body").send_keys("/")
    check(active().get_attribute("id") == "search", "/ moves the focus to the search")
    active().send_keys("zebra")
    check(shown() == [str(TITLES.index("Zebra"))], "the search finds a title")
    check(driver.find_element(By.ID, "count").text == "1 picture", "the number of matches is shown")
    active().send_keys(" nothing like it")
    check(shown() == [] and driver.find_element(By.ID, "none").is_displayed(), "a note is shown if no picture matches")
    active().send_keys(Keys.ESCAPE)
    check(shown() == everything, "Esc clears the search")
    active().send_keys("<script>")
    check(shown() == ["1"], "the search treats HTML as text")
    active().send_keys(Keys.ESCAPE)
    active().send_keys(Keys.TAB)
    check(active().get_attribute("id") == "sort", "Tab moves the focus to the sort order")
    active().send_keys("n")
    check(shown() == everything[::-1], "the newest pictures can be first", shown())
    Select(active()).select_by_visible_text("title")
    titles = [tile.get_attribute("data-title").lower() for tile in tiles()]
    latin = [title for title in titles if title[0].isalpha() and title[0] < "\u0250"]
    check(latin == sorted(latin), "pictures can be sorted by title", latin)
    Select(active()).select_by_visible_text("order of the list")
    check(shown() == everything, "the original order can be restored", shown())
    arrows(driver, active)


def arrows(driver, active):
    focused = lambda: active().get_attribute("href")
    press = lambda key: active().send_keys(key)
    press(Keys.TAB)
    first = focused()
    check("picture" in (active().get_attribute("class") or ""), "Tab moves the focus to the first picture")
    order = []
    for _ in range(8):
        style, width = driver.execute_script(
            "const s = getComputedStyle(document.activeElement); return [s.outlineStyle, parseFloat(s.outlineWidth)]")
        order.append((active().get_attribute("class"), style != "none" and width >= 2))
        press(Keys.TAB)
    check([kind for kind, _ in order] == ["picture", "", "", ""] * 2, "the focus reaches each picture before its links", order)
    check(all(ring for _, ring in order), "the focused element has a ring", order)
    for _ in range(8):
        active().send_keys(Keys.SHIFT, Keys.TAB)
    check(focused() == first, "Shift and Tab move the focus back")
    ratio = driver.execute_script(CONTRAST, active(), "outlineColor")
    check(ratio >= 3, f"the ring has a contrast of at least 3: {ratio:.1f}")
    places = [link.get_attribute("href") for link in driver.find_elements(By.CLASS_NAME, "picture")]
    cards = [tile["card"] for tile in driver.execute_script(TILES)]
    tops = [round(card[1]) for card in cards]

    def neighbour(place, step):
        """Returns the tile of the next row with the nearest middle, or the same tile if no such row exists."""
        rows = sorted(set(tops))
        row = rows.index(tops[place]) + step
        if not 0 <= row < len(rows):
            return place
        middle = lambda at: (cards[at][0] + cards[at][2]) / 2
        return min((at for at in range(len(tops)) if tops[at] == rows[row]), key=lambda at: abs(middle(at) - middle(place)))

    last, below = len(places) - 1, neighbour(1, 1)
    for key, place in [
        (Keys.ARROW_LEFT, 0), (Keys.ARROW_UP, 0), (Keys.ARROW_RIGHT, 1), (Keys.ARROW_DOWN, below),
        (Keys.ARROW_UP, neighbour(below, -1)), (Keys.END, last), (Keys.ARROW_DOWN, last),
        (Keys.ARROW_UP, neighbour(last, -1)), (Keys.HOME, 0),
    ]:
        press(key)
        check(focused() == places[place], f"{key.encode('unicode-escape').decode()} moves the focus to picture {place}")


def write(gallery, folder, *arguments):
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder)}
    if "LD_LIBRARY_PATH" in os.environ:
        environment["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH"]
    subprocess.run(
        [gallery, "fetch", "--quiet", "--html", "--output", str(folder), *arguments], check=True, env=environment)
    page = (folder / "index.html").resolve()
    # tidy implements an older HTML version without lazy pictures.
    tidy = subprocess.run(["tidy", "-quiet", "-errors", "--warn-proprietary-attributes", "no", str(page)], capture_output=True, text=True)
    check(tidy.returncode == 0, f"{folder.name}: tidy finds no errors", tidy.stderr[:600])
    return page


def main():
    gallery, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    place = f"http://127.0.0.1:{server.server_port}"
    hostile = write(gallery, folder / "hostile", "--base-url", place)
    bundled = write(gallery, folder / "bundled", "--per-page", "30")
    for width, dark in ((360, False), (768, False), (1440, False), (360, True), (1440, True)):
        driver = browser(width, dark)
        name = f"{width}{' dark' if dark else ''}"
        try:
            look(driver, bundled, f"bundled {name}", folder, "New pictures", 30)
            look(driver, hostile, f"hostile {name}", folder, "New pictures", len(TITLES))
            if width == 1440 and not dark:
                keys(driver, hostile)
        finally:
            driver.quit()
    print(f"{len(problems)} broken" if problems else "all checks passed")
    sys.exit(1 if problems else 0)


main()
