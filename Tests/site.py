"""Tests the documentation website in Chromium: `python Tests/site.py SITE FOLDER`.

SITE is the folder that `Scripts/docs.sh` writes, `.build/docs/site`. The test opens the landing page, a guide and a
symbol in two widths, writes screenshots to FOLDER, and looks for errors in the console. It also checks every internal
link of the site. The exit status is 1 if a check fails. It requires Debian's `chromium` and `chromium-driver`, and
`selenium` from PyPI.
"""

import functools
import http.server
import json
import pathlib
import shutil
import sys
import threading

from selenium import webdriver
from selenium.webdriver.chrome.service import Service as Driver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait

# The path of each page, its heading, and a text that it must contain.
PAGES = [
    ("/documentation/", "Errand", "ErrandGraphQL"),
    ("/documentation/errand/retry-interceptor/", "Retrying requests", "When not to use it"),
    ("/documentation/errand/apiloader/", "APILoader", "load("),
]
WIDTHS = [390, 1440]
TIMEOUT = 30


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *arguments):
        pass


def serve(site):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Handler, directory=site))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_address[1]}"


def open_browser():
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Driver(shutil.which("chromedriver")))


def check_page(browser, address, page, width, folder):
    """Yields the problems of a page."""
    path, heading, text = page
    browser.set_window_size(width, 1000)
    browser.get(address + path)
    WebDriverWait(browser, TIMEOUT).until(lambda it: it.find_elements(By.CSS_SELECTOR, "main h1"))
    found = browser.find_element(By.CSS_SELECTOR, "main h1").text.replace("\u200b", "")
    if heading not in found:
        yield f"expected the heading {heading}, found {found}"
    if text not in browser.find_element(By.TAG_NAME, "body").text:
        yield f"expected the text {text}"
    overflow = browser.execute_script("return document.documentElement.scrollWidth - window.innerWidth")
    if overflow > 0:
        yield f"the page is {overflow} px wider than the window"
    broken = browser.execute_script(
        "return [...document.images].filter(each => each.complete && !each.naturalWidth).map(each => each.src)")
    yield from (f"the image {each} cannot be loaded" for each in broken)
    name = path.strip("/").replace("/", "-") + f"-{width}.png"
    browser.save_screenshot(str(folder / name))
    yield from (entry["message"] for entry in browser.get_log("browser") if entry["level"] == "SEVERE")


def check_links(site):
    """Yields a problem for each internal link without a page or a file."""
    pages = {str(page.relative_to(site / "data").with_suffix("")).lower() for page in site.glob("data/**/*.json")}
    for page in sorted(site.glob("data/documentation/**/*.json")):
        for reference in json.loads(page.read_text()).get("references", {}).values():
            url = reference.get("url", "").split("#")[0]
            if url.startswith("/") and url.strip("/").lower() not in pages:
                yield f"{page.relative_to(site)} links to {url}, which does not exist"
            if reference.get("type") == "link" and url and ":" not in url and not url.startswith("/"):
                yield f"{page.relative_to(site)} has the relative link {url}"
            for variant in reference.get("variants", []):
                if not (site / variant["url"].lstrip("/")).exists() and ":" not in variant["url"]:
                    yield f"{page.relative_to(site)} shows {variant['url']}, which does not exist"


def main(site, folder):
    folder.mkdir(parents=True, exist_ok=True)
    problems = [f"links: {each}" for each in check_links(site)]
    address, browser = serve(site), open_browser()
    try:
        for page in PAGES:
            for width in WIDTHS:
                problems += [f"{page[0]} at {width} px: {each}" for each in check_page(browser, address, page, width, folder)]
    finally:
        browser.quit()
    for problem in problems:
        print(problem)
    if not problems:
        print(f"all checks passed: {len(PAGES)} pages in {len(WIDTHS)} widths, links of {len(list(site.glob('data/documentation/**/*.json')))} pages")
    return bool(problems)


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])))
