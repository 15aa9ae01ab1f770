#!/usr/bin/env python3
"""Draws the diagrams of the documentation and the badges of the README, as SVG that is readable on light and dark pages.

usage: Scripts/diagrams.py [--check]

With --check it writes nothing, and fails if a file is missing or differs.
"""
import html
import pathlib
import sys

CATALOG = pathlib.Path(__file__).parent.parent / "Sources/Errand/Errand.docc"
STYLE = """<style>
text { font: 14px -apple-system, "Helvetica Neue", "DejaVu Sans", Arial, sans-serif; fill: #1d1d1f; }
.name { font-weight: 600; } .small { font-size: 13px; } .note { fill: #6e6e73; font-size: 13px; }
.box { fill: #f5f5f7; stroke: #86868b; } .life { stroke: #c7c7cc; stroke-dasharray: 4 4; }
.line { stroke: #0066cc; stroke-width: 1.5; fill: none; } .tip { fill: #0066cc; }
.bad { stroke: #c9352b; } .badtip { fill: #c9352b; }
@media (prefers-color-scheme: dark) {
  text { fill: #f5f5f7; } .note { fill: #a1a1a6; } .box { fill: #2c2c2e; stroke: #8e8e93; } .life { stroke: #545458; }
  .line { stroke: #4da3ff; } .tip { fill: #4da3ff; } .bad { stroke: #ff6961; } .badtip { fill: #ff6961; }
}
</style>"""

# Each diagram: a title, its lanes, and its steps. A step is (from, to, label), and a failure if the label starts with "!".
# A step with one lane is a note there.
SEQUENCES = {
    "interceptor-identity": ("How IdentityInterceptor marks a request", ["Caller", "Identity", "Next session"], [
        (0, 1, "GET /orders, Authorization: Bearer …"), (1, "digest of the credentials: account A"),
        (1, 2, "the same request, identity A"), (2, 0, "200 OK")]),
    "interceptor-coalescing": ("How CoalescingInterceptor shares a request", ["Caller 1", "Caller 2", "Coalescing", "Server"], [
        (0, 2, "GET /photos"), (2, 3, "GET /photos"), (1, 2, "GET /photos, same identity"),
        (2, "same key: no second request"), (3, 2, "200 OK"), (2, 1, "200 OK"), (2, 0, "200 OK")]),
    "interceptor-cache": ("How CacheInterceptor uses a stored response", ["Caller", "Cache", "Server"], [
        (0, 1, "GET /photos"), (1, 2, "GET /photos"), (2, 1, "200 OK, max-age=60, ETag: 7"), (1, 0, "200 OK"),
        (0, 1, "GET /photos after 42 s"), (1, 0, "200 OK, Age: 42"), (0, 1, "GET /photos after 63 s"),
        (1, 2, "GET /photos, If-None-Match: 7"), (2, 1, "304 Not Modified"), (1, 0, "200 OK, Age: 0")]),
    "interceptor-authorization": ("How AuthorizationInterceptor replays a call", ["Caller", "Authorization", "API", "Token endpoint"], [
        (0, 1, "GET /orders"), (1, 2, "GET /orders, token 1"), (2, 1, "!401 Unauthorized"),
        (1, 3, "refresh, once for all calls"), (3, 1, "token 2"), (1, 2, "GET /orders, token 2"), (2, 0, "200 OK")]),
    "interceptor-retry": ("How RetryInterceptor repeats a request", ["Caller", "Retry", "Server"], [
        (0, 1, "GET /photos"), (1, 2, "attempt 1"), (2, 1, "!503, Retry-After: 2"), (1, "waits 2 s"),
        (1, 2, "attempt 2"), (2, 0, "200 OK")]),
    "interceptor-rate-limit": ("How RateLimitInterceptor delays a request", ["Caller", "Rate limit", "Server"], [
        (0, 1, "request 1"), (1, 2, "request 1"), (2, 0, "200 OK, RateLimit: r=0, t=5"), (0, 1, "request 2"),
        (1, "waits 5 s, in order of arrival"), (1, 2, "request 2"), (2, 0, "200 OK")]),
    "interceptor-shared-rate-limit": (
        "How SharedRateLimitInterceptor delays requests", ["Worker 1", "Worker 2", "Store", "Server"], [
            (0, 2, "reserve"), (2, 0, "now"), (0, 3, "request 1"), (1, 2, "reserve"), (2, 1, "in 20 ms"),
            (3, 0, "!429, Retry-After: 5"), (0, 2, "pause of 5 s"), (1, 2, "has it moved?"), (2, 1, "by 5 s"),
            (1, "waits 5 s"), (1, 3, "request 2"), (3, 1, "200 OK")]),
    "interceptor-idempotency": (
        "How IdempotencyInterceptor sends a request once", ["Worker 1", "Worker 2", "Ledger", "Server"], [
            (0, 2, "key job-7"), (2, 0, "reserved"), (0, 3, "POST /invoices, key job-7"), (1, 2, "key job-7"),
            (2, 1, "in use"), (3, 0, "201 Created"), (0, 2, "response"), (1, 2, "key job-7"), (2, 1, "201 Created")]),
    "interceptor-circuit-breaker": ("How CircuitBreakerInterceptor stops requests", ["Caller", "Circuit breaker", "Server"], [
        (0, 1, "requests 1 to 5"), (1, 2, "requests 1 to 5"), (2, 1, "!503, 503, 503, 503, 503"), (0, 1, "request 6"),
        (1, 0, "!circuitOpen, nothing is sent"), (1, "after 30 s"), (0, 1, "request 7"), (1, 2, "request 7, the probe"),
        (2, 0, "200 OK: the circuit is closed")]),
    "interceptor-redirect": ("How RedirectInterceptor follows a redirect", ["Caller", "Redirect", "api.example", "cdn.example"], [
        (0, 1, "GET /photo, Authorization"), (1, 2, "GET /photo, Authorization"), (2, 1, "302, Location: cdn.example"),
        (1, "another origin: few headers"), (1, 3, "GET /photo, no credentials"), (3, 0, "200 OK")]),
    "interceptor-cookie": ("How CookieInterceptor stores cookies", ["Caller", "Cookie", "Server"], [
        (0, 1, "POST /login"), (1, 2, "POST /login"), (2, 1, "200 OK, Set-Cookie: id=7"), (1, "stores id=7"),
        (1, 0, "200 OK"), (0, 1, "GET /orders"), (1, 2, "GET /orders, Cookie: id=7"), (2, 0, "200 OK")]),
    "interceptor-logging": ("What LoggingInterceptor writes", ["Caller", "Logging", "Server"], [
        (0, 1, "GET /photos"), (1, "writes method and URL"), (1, 2, "GET /photos"), (2, 1, "200 OK"),
        (1, "writes status and duration"), (1, 0, "200 OK")]),
    "interceptor-activity": ("How ActivityTracker counts requests", ["Caller", "Activity", "Server"], [
        (0, 1, "GET /photos"), (1, "count 0 → 1: active"), (1, 2, "GET /photos"), (2, 1, "200 OK, body complete"),
        (1, "count 1 → 0: idle"), (1, 0, "200 OK")]),
    "interceptor-flight-recorder": ("What FlightRecorder keeps", ["Caller", "Flight recorder", "Server"], [
        (0, 1, "GET /photos"), (1, 2, "GET /photos"), (2, 1, "!500, body"), (1, "keeps both, without secrets"),
        (1, "drops the oldest of more than 50"), (1, 0, "!500, error.har")]),
    "interceptor-trace-context": ("What TraceContextInterceptor adds", ["Caller", "Trace context", "Server"], [
        (0, 1, "GET /photos"), (1, "current trace 4bf9…"), (1, 2, "GET /photos, traceparent: 00-4bf9…"), (2, 0, "200 OK")]),
}

# Each decision: a title, its questions with the outcome of "yes", and the outcome if all of them are answered with "no".
DECISIONS = {
    "cache-decisions": ("The decisions of CacheInterceptor for a GET request", [
        ("Is there no stored response for this request?", "send the request"),
        ("Is the stored response fresh enough?", "use it"),
        ("Does stale-while-revalidate allow it?", "use it, validate it in the background"),
        ("Conditional request: is the status 304?", "use it, with the new headers"),
        ("Did it fail, and does stale-if-error allow it?", "use it instead of the error")],
        "use the new response, and store it"),
}

BADGES = {
    "badge-swift": ("Swift", "6.2 or later", "#b8401c"),
    "badge-platforms": ("platforms", "Linux, macOS, iOS, tvOS, watchOS, visionOS", "#1f6feb"),
    "badge-ci": ("CI", ".ci/run", "#1a7f37"),
    "badge-license": ("license", "MIT", "#57606a"),
}


def text(x, y, content, kind="", anchor="middle"):
    return f'<text x="{x}" y="{y}" class="{kind}" text-anchor="{anchor}">{html.escape(content)}</text>'


def arrow(start, end, y, label):
    """An arrow with its label above, in the middle. A label that starts with "!" is a failure."""
    bad = label.startswith("!")
    line, tip = ("line bad", "badtip") if bad else ("line", "tip")
    direction = 1 if end > start else -1
    points = f"{end},{y} {end - 8 * direction},{y - 4} {end - 8 * direction},{y + 4}"
    return [
        f'<path class="{line}" d="M{start} {y}H{end - 8 * direction}"/>', f'<polygon class="{tip}" points="{points}"/>',
        text((start + end) / 2, y - 7, label.removeprefix("!"), "small")]


def sequence(title, lanes, steps):
    gap, top, row = 250, 20, 44
    centers = [125 + gap * index for index in range(len(lanes))]
    width, height = gap * len(lanes), top + 52 + row * len(steps) + 20
    parts = [f'<title>{html.escape(title)}</title>', STYLE]
    for name, x in zip(lanes, centers):
        parts.append(f'<path class="life" d="M{x} {top + 36}V{height - 10}"/>')
        parts.append(f'<rect class="box" x="{x - 75}" y="{top}" width="150" height="36" rx="8"/>')
        parts.append(text(x, top + 23, name, "name"))
    for number, step in enumerate(steps):
        y = top + 52 + row * number + 32
        if len(step) == 2:
            parts.append(text(centers[step[0]] + 8, y - 4, step[1], "note", "start"))
        else:
            parts += arrow(centers[step[0]], centers[step[1]], y, step[2])
    return svg(width, height, parts)


def decision(title, questions, otherwise):
    """Questions from top to bottom. Each has its outcome for "yes" on the right."""
    width, row, left, right = 780, 74, 425, 315
    parts = [f'<title>{html.escape(title)}</title>', STYLE]
    for number, (question, outcome) in enumerate(questions):
        y = 20 + row * number
        parts.append(f'<rect class="box" x="10" y="{y}" width="{left - 10}" height="40" rx="8"/>')
        parts.append(text((10 + left) / 2, y + 25, question))
        parts += arrow(left, width - right, y + 20, "yes")
        parts.append(f'<rect class="box" x="{width - right}" y="{y}" width="{right - 10}" height="40" rx="20"/>')
        parts.append(text(width - right / 2 - 5, y + 25, outcome, "name"))
        x, end = (10 + left) / 2, y + row
        parts.append(f'<path class="line" d="M{x} {y + 40}V{end - 8}"/>')
        parts.append(f'<polygon class="tip" points="{x},{end} {x - 4},{end - 8} {x + 4},{end - 8}"/>')
        parts.append(text(x + 8, y + 60, "no", "small", "start"))
    y = 20 + row * len(questions)
    parts.append(f'<rect class="box" x="10" y="{y}" width="{left - 10}" height="40" rx="20"/>')
    parts.append(text((10 + left) / 2, y + 25, otherwise, "name"))
    return svg(width, y + 60, parts)


def badge(label, value, color):
    left, right = 12 + 7 * len(label), 12 + round(6.6 * len(value))
    parts = [
        f"<title>{html.escape(label)}: {html.escape(value)}</title>",
        f'<rect width="{left + right}" height="20" rx="3" fill="#444c56"/>',
        f'<path fill="{color}" d="M{left} 0h{right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3h-{right - 3}z"/>']
    font = 'font-family="Verdana, DejaVu Sans, sans-serif" font-size="11" fill="#fff" text-anchor="middle"'
    for x, width, content in [(left / 2, left, label), (left + right / 2, right, value)]:
        parts.append(f'<text x="{x}" y="14" textLength="{width - 10}" {font}>{html.escape(content)}</text>')
    return svg(left + right, 20, parts)


def svg(width, height, parts):
    head = f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img">'
    return "\n".join([head, *parts, "</svg>"]) + "\n"


def main(arguments):
    # A diagram is next to its page, so that its link also works in a viewer of the sources.
    files = {CATALOG / "Interceptors" / f"{name}.svg": sequence(*content) for name, content in SEQUENCES.items()}
    files |= {CATALOG / "Interceptors" / f"{name}.svg": decision(*content) for name, content in DECISIONS.items()}
    files |= {CATALOG / "Resources" / f"{name}.svg": badge(*content) for name, content in BADGES.items()}
    if arguments == ["--check"]:
        wrong = [path for path, content in files.items() if not path.exists() or path.read_text() != content]
        for path in wrong:
            print(f"outdated: {path.name}; run Scripts/diagrams.py")
        return 1 if wrong else 0
    if arguments:
        print(__doc__)
        return 64
    for path, content in files.items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(content)
    return 0


sys.exit(main(sys.argv[1:]))
