import Errand

extension SessionContract.Promise {
    static var all: [Self] {
        [everyStatus, requestArrives, responseArrives, ownResponse, noBodyOnHead, again, noSecretAway]
            + [cutBody, lostConnection, cap, refusal]
            + [deadline, idleTimeout, cancellation, cancelledBefore]
            + [
                streamArrives, cutStream, uncappedStream, streamDeadline, streamIdleTimeout, streamCancellation,
                leaving,
            ]
    }

    private static func number(in request: APIRequest) -> Int {
        Int(request.url?.lastPathComponent ?? "") ?? 0
    }

    private static let everyStatus = Self("every status is returned as a response") { request in
        let number = number(in: request)
        return .status(number).header("X-Status", "\(number)").header("Location", "/200")
    } check: { trial in
        for status in [200, 201, 202, 203, 204, 206, 226, 300, 304] + Array(400...431) + Array(500...511) + [599] {
            let head = try await trial.send(trial.request("/\(status)")).head
            try trial.expect(head.status == status, "expected status \(status), found \(head.status)")
            try trial.expect(
                head.headers["x-status"] == "\(status)", "expected the X-Status header in a \(status) response")
        }
        for status in [301, 302, 303, 307, 308] {
            let head = try await trial.send(trial.request("/\(status)") { $0.redirects = .manual }).head
            try trial.expect(
                head.status == status, "expected status \(status) with manual redirects, found \(head.status)")
        }
    }

    private static let requestArrives = Self("a request arrives unchanged") { _ in
        .status(200)
    } check: { trial in
        var sent = 0
        for method in [HTTPMethod.get, .query, .post, .put, .patch, .delete, .options] {
            var request = trial.request("/a%20b/c?d=e%26f&g", method, body: method == .get ? nil : "héllo \(method)")
            request.head.setValue("north", forHTTPHeaderField: "X-Tenant")
            _ = try await trial.send(request)
            sent += 1
            guard let arrived = trial.seen().last, trial.seen().count == sent else {
                throw SessionContract.Broken("expected \(sent) requests at the peer, found \(trial.seen().count)")
            }
            for name in ["Authorization", "Cookie"] {
                try trial.expect(arrived.headers[name] == nil, "expected no \(name) header, because none was set")
            }
            try trial.expect(arrived.method == method, "expected the method \(method), found \(arrived.method)")
            try trial.expect(arrived.path == "/a%20b/c", "expected the path /a%20b/c, found \(arrived.path)")
            let query = arrived.url?.query(percentEncoded: true)
            try trial.expect(query == "d=e%26f&g", "expected the query d=e%26f&g, found \(query ?? "none")")
            try trial.expect(arrived.headers["X-Tenant"] == "north", "expected the X-Tenant header of a \(method)")
            let body = request.body.data ?? Data()
            try trial.expect((arrived.body.data ?? Data()) == body, "expected an unchanged body of a \(method)")
        }
    }

    private static let parts = [
        Data(repeating: 0x61, count: 70_000), Data("é".utf8), Data(repeating: 0, count: 30_000),
    ]

    private static let responseArrives = Self("a response arrives complete") { request in
        request.path == "/empty" ? .status(200) : .chunks(parts, type: "text/x").header("X-Trace", "7")
    } check: { trial in
        let request = trial.request("/parts?x=1")
        let (head, body) = try await trial.send(request)
        try trial.expect(
            body == Data(parts.joined()), "expected \(parts.joined().count) unchanged bytes, found \(body.count)")
        try trial.expect(head.headers["x-trace"] == "7", "expected the header x-trace: 7, ignoring case")
        try trial.expect(head.url == request.url, "expected the URL of the request in the response")
        let empty = try await trial.send(trial.request("/empty")).body
        try trial.expect(empty.isEmpty, "expected an empty body, found \(empty.count) bytes")
    }

    private static let ownResponse = Self("each request gets its own response") { request in
        .text(
            "\(request.path) \(request.headers["X-N"] ?? "") \(String(decoding: request.body.data ?? Data(), as: UTF8.self))"
        )
    } check: { trial in
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...24 {
                group.addTask {
                    // Half of the requests differ in the path. The others differ only in the body and a header.
                    let path = number % 2 == 0 ? "/n/\(number)" : "/n"
                    var request = trial.request(path, .post, body: "\(number)")
                    request.head.setValue("\(number)", forHTTPHeaderField: "X-N")
                    let text = String(decoding: try await trial.send(request).body, as: UTF8.self)
                    let expected = "\(path) \(number) \(number)"
                    try trial.expect(text == expected, "expected the response ‹\(expected)›, found ‹\(text)›")
                }
            }
            try await group.waitForAll()
        }
        try trial.expect(trial.seen().count == 24, "expected 24 requests at the peer, found \(trial.seen().count)")
    }

    private static let noSecretAway = Self("redirects to another origin carry no secrets") { request in
        request.path == "/away" ? .status(307).header("Location", elsewhere(request)) : .status(200)
    } check: { trial in
        var request = trial.request("/away")
        for name in ["Authorization", "Cookie", "X-Api-Key"] {
            request.head.setValue("s3cret", forHTTPHeaderField: name)
        }
        // A session may follow the redirect or return it.
        _ = try await trial.send(request)
        for arrived in trial.seen().dropFirst() {
            for name in ["Authorization", "Cookie", "X-Api-Key"] {
                try trial.expect(
                    arrived.headers[name] == nil, "expected no \(name) header after a redirect to another origin")
            }
        }
    }

    /// The URL of the same peer under another host name, which makes it a different origin.
    private static func elsewhere(_ request: APIRequest) -> String {
        let port = request.url?.port.map { ":\($0)" } ?? ""
        return request.url?.host() == "127.0.0.1" ? "http://localhost\(port)/there" : "http://elsewhere.test/there"
    }

    private static let noBodyOnHead = Self("a response to HEAD has no body") { _ in
        .text("12345")
    } check: { trial in
        let (head, body) = try await trial.send(trial.request("/", .head))
        try trial.expect(
            head.status == 200 && body.isEmpty,
            "expected status 200 without a body, found \(head.status) with \(body.count) bytes")
    }

    private static let again = Self("a request can be sent more than once") { request in
        .data(request.body.data ?? Data())
    } check: { trial in
        let request = trial.request("/", .put, body: "again")
        for _ in 1...3 {
            let body = try await trial.send(request).body
            try trial.expect(
                body == Data("again".utf8), "expected the body to arrive each time, found \(body.count) bytes")
        }
        try trial.expect(trial.seen().count == 3, "expected 3 requests at the peer, found \(trial.seen().count)")
    }
}
