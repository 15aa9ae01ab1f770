import Errand

/// The rows of the redirect table, by what they are about.
extension RedirectRow {
    typealias Reply = RedirectScene.Reply

    /// References and the targets that they make; the first five are those that URLSession on Linux resolves wrongly.
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
        // With 303, as a reference may lead back to the same target.
        return RedirectRow(
            name: "reference \(reference)", method: "POST", target: "{A}/redir/b/c?q=1",
            script: [Reply("A POST /redir/b/c?q=1", 303, reference)],
            received: ["A POST /redir/b/c?q=1", "A GET \(sent.first == "/" ? "" : "/")\(sent)"], end: "200 {A}\(target)"
        )
    }

    static let fragments: [RedirectRow] = [
        RedirectRow(
            name: "the fragment goes on", target: "{A}/start#top", script: [Reply("A GET /start", 302, "/x")],
            received: ["A GET /start", "A GET /x"], end: "200 {A}/x#top"),
        RedirectRow(
            name: "another fragment wins", target: "{A}/start#top", script: [Reply("A GET /start", 302, "{B}/x#new")],
            received: ["A GET /start", "B GET /x"], end: "200 {B}/x#new"),
    ]

    /// Locations that are not followed, and why.
    static let refusals: [RedirectRow] = [
        ("ftp://127.0.0.1/x", "the scheme ftp is not http or https"),
        ("javascript:alert(1)", "the scheme javascript is not http or https"),
        ("file:///etc/passwd", "the scheme file is not http or https"),
        ("data:,x", "the scheme data is not http or https"),
        ("about:blank", "the scheme about is not http or https"), ("http:///x", "the address has no host"),
        ("http:x", "the address has no host"), ("//", "the address has no host"),
        ("http://[", "the Location is no address"),
        ("http://127.0.0.1:x/", "the Location is no address"),
        ("http://127.0.0.1:0/", "the address has a port that is none"),
        ("http://127.0.0.1:65536/", "the address has a port that is none"),
        ("http://eva:s3cr3t@{a}/x", "the Location holds user information"),
        ("//eva:s3cr3t@{a}/x", "the Location holds user information"),
        ("http://@{a}/x", "the Location holds user information"),
        ("/" + String(repeating: "x", count: 65_536), "the Location has more than 65536 bytes"),
    ].map { location, reason in
        RedirectRow(
            name: "refused: \(location.prefix(30))", script: [Reply("A GET /start", 302, location)],
            received: ["A GET /start"], end: reason)
    }

    /// Redirects that never end: the limit ends them.
    static let cycles: [RedirectRow] = [
        RedirectRow(
            name: "the same URL", script: [Reply("A GET /start", 302, "/start")],
            received: Array(repeating: "A GET /start", count: 21), end: "more than 20 redirects"),
        RedirectRow(
            name: "two servers", policy: .follow(upTo: 3),
            script: [Reply("A GET /start", 302, "{B}/x"), Reply("B GET /x", 301, "{A}/start")],
            received: ["A GET /start", "B GET /x", "A GET /start", "B GET /x"], end: "more than 3 redirects"),
        RedirectRow(
            name: "a later URL", policy: .follow(upTo: 2),
            script: [Reply("A GET /start", 302, "/x"), Reply("A GET /x", 308, "x")],
            received: ["A GET /start", "A GET /x", "A GET /x"], end: "more than 2 redirects"),
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
            end: isFollowed ? "200 {A}/\(count)" : "more than \(policy.limit) redirects")
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
                end: "the server redirects, and the call allows none"),
            RedirectRow(
                name: "error, and none", policy: .error, script: [], received: ["A GET /start"], end: "200 {A}/start"),
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
                name: "\(status) is an answer", script: [Reply("A GET /start", status, "{B}/x")],
                received: ["A GET /start"],
                end: "\(status) {A}/start moved")
        }
}
