"""Checks HAR files, and exports one from Chromium.

usage: python Tests/archives.py check FILE...
       python Tests/archives.py export FILE

`check` fails unless each file has the structure of HAR 1.2. The schema below has the members that the specification
requires, with their types. It requires `jsonschema` from PyPI.

`export` opens a page in Chromium and writes its requests with the exporter of Chromium's developer tools. The requests
have secrets: `canary-query`, `canary-header`, `canary-form` and `canary-cookie`. It requires Debian's `chromium` and
`chromium-driver`, and `selenium` from PyPI.
"""

import http.server
import json
import shutil
import socket
import sys
import threading

TIMEOUT = 30
PAGE = b"""<script>
(async () => {
  await fetch("/photos?page=1&api_key=canary-query", {headers: {"X-Api-Key": "canary-header"}})
  await fetch("/login", {method: "POST", body: new URLSearchParams({name: "eva", password: "canary-form"})})
  await fetch("/orders", {method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify({item: "tea"})})
  await fetch("/picture")
  await fetch("/none")
  document.title = "complete"
})()
</script>"""
REPLIES = {
    "/": (200, "text/html", PAGE), "/photos": (200, "application/json", b'[{"id":"a"}]'),
    "/login": (200, "text/plain; charset=utf-8", "willkommen, größer".encode()), "/orders": (201, "application/json", b'{"id":7}'),
    "/picture": (200, "image/png", bytes(range(256))),
}  # fmt: skip


def members(required, **optional):
    return {"type": "object", "required": list(required), "properties": {**required, **optional}}


STRING, NUMBER, INTEGER = {"type": "string"}, {"type": "number"}, {"type": "integer"}
PAIRS = {"type": "array", "items": members({"name": STRING, "value": STRING})}
PARAMETERS = {"type": "array", "items": members({"name": STRING}, value=STRING, fileName=STRING, contentType=STRING)}
DATE = {"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$"}
REQUEST = members(
    {"method": STRING, "url": STRING, "httpVersion": STRING, "cookies": PAIRS, "headers": PAIRS, "queryString": PAIRS,
     "headersSize": INTEGER, "bodySize": INTEGER},
    postData=members({"mimeType": STRING}, params=PARAMETERS, text=STRING))  # fmt: skip
RESPONSE = members(
    {"status": INTEGER, "statusText": STRING, "httpVersion": STRING, "cookies": PAIRS, "headers": PAIRS,
     "content": members({"size": INTEGER, "mimeType": STRING}, text=STRING, encoding=STRING), "redirectURL": STRING,
     "headersSize": INTEGER, "bodySize": INTEGER})  # fmt: skip
ENTRY = members({
    "startedDateTime": DATE, "time": NUMBER, "request": REQUEST, "response": RESPONSE, "cache": {"type": "object"},
    "timings": members({"send": NUMBER, "wait": NUMBER, "receive": NUMBER})})  # fmt: skip
CREATOR = members({"name": STRING, "version": STRING})
SCHEMA = members({
    "log": members({"version": {"const": "1.2"}, "creator": CREATOR, "entries": {"type": "array", "items": ENTRY}})})  # fmt: skip


def check(files):
    import jsonschema

    validator = jsonschema.Draft202012Validator(SCHEMA)
    count = 0
    for file in files:
        with open(file) as opened:
            archive = json.load(opened)
        for problem in validator.iter_errors(archive):
            print(f"FAILED: {file}: {problem.json_path}: {problem.message[:200]}")
            return 1
        count += len(archive["log"]["entries"])
    print(f"{len(files)} HAR files with {count} entries are valid")
    return 0 if count else 1


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def do_GET(self):
        status, kind, body = REPLIES.get(self.path.split("?")[0], (404, "text/plain", b"no such page"))
        self.send_response(status)
        for name, value in ("Content-Type", kind), ("Content-Length", str(len(body))):
            self.send_header(name, value)
        self.send_header("Set-Cookie", "session=canary-cookie")
        self.send_header("Set-Cookie", "theme=dark")
        self.end_headers()
        self.wfile.write(body)

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.do_GET()


# Runs in the page of the developer tools.
EXPORT = """
const done = arguments[arguments.length - 1];
(async () => {
  const base = "devtools://devtools/bundled/";
  const [HAR, Logs, Common] = await Promise.all(
    ["models/har/har.js", "models/logs/logs.js", "core/common/common.js"].map(path => import(base + path)));
  const parts = [];
  const requests = Logs.NetworkLog.NetworkLog.instance().requests();
  await HAR.Writer.Writer.write(
    {write: async part => parts.push(part)}, requests, {sanitize: false}, new Common.Progress.Progress());
  return parts.join("");
})().then(done, error => done("failed: " + error));
"""


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def export(file):
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service as Driver
    from selenium.webdriver.support.ui import WebDriverWait

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    port = free_port()
    options = webdriver.ChromeOptions()
    for argument in ("--headless=new", "--no-sandbox", "--disable-gpu", "--remote-allow-origins=*", f"--remote-debugging-port={port}"):
        options.add_argument(argument)
    browser = webdriver.Chrome(options=options, service=Driver(shutil.which("chromedriver")))
    try:
        browser.set_script_timeout(TIMEOUT)
        wait = WebDriverWait(browser, TIMEOUT)
        page = browser.current_window_handle
        browser.switch_to.new_window("tab")
        tools = browser.current_window_handle
        browser.get(f"devtools://devtools/bundled/devtools_app.html?ws=127.0.0.1:{port}/devtools/page/{page}")
        # The tools show their panels before they record. On a busy machine, they miss the first requests of a page.
        wait.until(lambda it: it.execute_script("return document.body !== null && document.body.children.length > 0"))
        for _ in range(10):
            browser.switch_to.window(page)
            browser.get(f"http://127.0.0.1:{server.server_address[1]}/")
            wait.until(lambda it: it.title == "complete")
            browser.switch_to.window(tools)
            content = browser.execute_async_script(EXPORT)
            if all(path in content for path in (*REPLIES, "/none", "canary-cookie")):
                break
        else:
            print(f"FAILED: Chromium did not export all requests: {content[:200]}")
            return 1
    finally:
        browser.quit()
        server.shutdown()
    with open(file, "w") as opened:
        opened.write(content)
    return 0


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["check", *files] if files:
            sys.exit(check(files))
        case ["export", file]:
            sys.exit(export(file))
        case _:
            sys.exit(__doc__)
