import Errand

/// The rows of the redirect table, by subject.
extension RedirectRow {
    typealias Reply = RedirectScene.Reply

    /// References and their targets. `URLSession` on Linux resolves the first five incorrectly.
    static let references: [RedirectRow] = [
        ("d", "/redir/b/d"), ("../z", "/redir/z"), ("?x=1", "/redir/b/c?x=1"), ("#f", "/redir/b/c?q=1#f"),
        ("./", "/redir/b/"), ("..", "/redir/"), ("../../../../g", "/g"), ("/", "/"),
        ("/g/./h/../i", "/g/i"), ("//{a}/n", "/n"), ("{A}/n/../m", "/m"), ("{A}", ""), ("{A}?x", "?x"),
        ("d#frag", "/redir/b/d#frag"), ("a%2Fb", "/redir/b/a%2Fb"), ("%7Eeva", "/redir/b/%7Eeva"),
        ("a//b", "/redir/b/a//b"), ("x;p=1,2", "/redir/b/x;p=1,2"), ("x|y", "/redir/b/x%7Cy"),
        ("./g:h", "/redir/b/g:h"),
        ("x?y=a%20b&c[]=1", "/redir/b/x?y=a%20b&c%5B%5D=1"), ("x?u=http://h/?a=b", "/redir/b/x?u=http://h/?a=b"),
        ("a b", "/redir/b/a%20b"), ("é", "/redir/b/%C3%A9"), ("x?a+b&c=%2B", "/redir/b/x?a+b&c=%2B"),
    ].map { reference, target in
        let sent = target.prefix { $0 != "#" }
        // Status 303, because a reference may lead back to the same target.
        return RedirectRow(
            name: "reference \(reference)", method: "POST", target: "{A}/redir/b/c?q=1",
            script: [Reply("A POST /redir/b/c?q=1", 303, reference)],
            received: ["A POST /redir/b/c?q=1", "A GET \(sent.first == "/" ? "" : "/")\(sent)"], end: "200 {A}\(target)"
        )
    }

    static let fragments: [RedirectRow] = [
        RedirectRow(
            name: "the fragment is kept", target: "{A}/start#top", script: [Reply("A GET /start", 302, "/x")],
            received: ["A GET /start", "A GET /x"], end: "200 {A}/x#top"),
        RedirectRow(
            name: "a new fragment is used", target: "{A}/start#top", script: [Reply("A GET /start", 302, "{B}/x#new")],
            received: ["A GET /start", "B GET /x"], end: "200 {B}/x#new"),
    ]

    /// Locations that are not followed, and the reasons.
    static let refusals: [RedirectRow] = [
        ("ftp://127.0.0.1/x", "expected the scheme http or https, found ftp"),
        ("javascript:alert(1)", "expected the scheme http or https, found javascript"),
        ("file:///etc/passwd", "expected the scheme http or https, found file"),
        ("data:,x", "expected the scheme http or https, found data"),
        ("about:blank", "expected the scheme http or https, found about"),
        ("http:///x", "invalid URL: expected a host"),
        ("http:x", "invalid URL: expected a host"), ("//", "invalid URL: expected a host"),
        ("http://[", "invalid Location: expected a valid URL (RFC 3986)"),
        ("http://127.0.0.1:x/", "invalid Location: expected a valid URL (RFC 3986)"),
        ("http://127.0.0.1:0/", "invalid port in the URL: expected 1 to 65535"),
        ("http://127.0.0.1:65536/", "invalid port in the URL: expected 1 to 65535"),
        ("http://eva:s3cr3t@{a}/x", "expected a Location without user information"),
        ("//eva:s3cr3t@{a}/x", "expected a Location without user information"),
        ("http://@{a}/x", "expected a Location without user information"),
        ("/" + String(repeating: "x", count: 65_536), "expected a Location of at most 65536 bytes, found more"),
    ].map { location, reason in
        RedirectRow(
            name: "refused: \(location.prefix(30))", script: [Reply("A GET /start", 302, location)],
            received: ["A GET /start"], end: reason)
    }

    /// Redirects to the same or an earlier URL. The limit ends the loops.
    static let cycles: [RedirectRow] = [
        RedirectRow(
            name: "the same URL", script: [Reply("A GET /start", 302, "/start")],
            received: Array(repeating: "A GET /start", count: 21), end: "expected at most 20 redirects, found more"),
        RedirectRow(
            name: "two servers", policy: .follow(upTo: 3),
            script: [Reply("A GET /start", 302, "{B}/x"), Reply("B GET /x", 301, "{A}/start")],
            received: ["A GET /start", "B GET /x", "A GET /start", "B GET /x"],
            end: "expected at most 3 redirects, found more"),
        RedirectRow(
            name: "a later URL", policy: .follow(upTo: 2),
            script: [Reply("A GET /start", 302, "/x"), Reply("A GET /x", 308, "x")],
            received: ["A GET /start", "A GET /x", "A GET /x"], end: "expected at most 2 redirects, found more"),
        RedirectRow(
            name: "the same URL with another method", method: "POST", body: "s",
            script: [Reply("A POST /start", 303, "/start")],
            received: ["A POST /start s", "A GET /start"], end: "200 {A}/start"),
    ]

    static let counts: [RedirectRow] = [
        (RedirectInterceptor.Policy.follow, 20, true), (.follow, 21, false),
        (RedirectInterceptor.Policy(limit: 99), 21, false),
        (.follow(upTo: 1), 1, true), (.follow(upTo: 1), 2, false), (.follow(upTo: 0), 1, false),
    ].map { policy, count, isFollowed in
        let hops = (0..<count).map { Reply("A GET /\($0)", [301, 302, 303, 307, 308][$0 % 5], "/\($0 + 1)") }
        return RedirectRow(
            name: "\(count) of \(policy.limit)", target: "{A}/0", policy: policy, script: hops,
            received: (0...(isFollowed ? count : policy.limit)).map { "A GET /\($0)" },
            end: isFollowed ? "200 {A}/\(count)" : "expected at most \(policy.limit) redirects, found more")
    }

    static let modes: [RedirectRow] =
        [
            RedirectRow(
                name: "manual", policy: .manual, script: [Reply("A GET /start", 302, "{B}/x")],
                received: ["A GET /start"],
                end: "302 {A}/start moved"),
            RedirectRow(
                name: "error", policy: .error, script: [Reply("A GET /start", 302, "{B}/x")],
                received: ["A GET /start"],
                end: "unexpected redirect: the redirect policy of the request is .error"),
            RedirectRow(
                name: "error without a redirect", policy: .error, script: [], received: ["A GET /start"],
                end: "200 {A}/start"),
            RedirectRow(
                name: "302 without Location", script: [Reply("A GET /start", 302, nil)], received: ["A GET /start"],
                end: "302 {A}/start ‹empty›"),
            RedirectRow(
                name: "302 with an empty Location", script: [Reply("A GET /start", 302, "", body: "")],
                received: ["A GET /start"], end: "302 {A}/start ‹empty›"),
            RedirectRow(
                name: "307 without Location after a hop",
                script: [Reply("A GET /start", 302, "/x"), Reply("A GET /x", 307, nil)],
                received: ["A GET /start", "A GET /x"], end: "307 {A}/x ‹empty›"),
        ]
        + [201, 300, 305, 306, 309].map { status in
            RedirectRow(
                name: "\(status) is not a redirect", script: [Reply("A GET /start", status, "{B}/x")],
                received: ["A GET /start"],
                end: "\(status) {A}/start moved")
        }
}
