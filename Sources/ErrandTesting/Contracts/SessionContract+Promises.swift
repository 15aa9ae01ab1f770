import Errand

extension SessionContract.Promise {
    static var all: [Self] {
        [everyStatus, requestArrives, answerArrives, ownAnswer, noBodyOnHead, again, noSecretAway]
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

    private static let everyStatus = Self("every status is an answer") { request in
        let number = number(in: request)
        return .status(number).field("X-Status", "\(number)").field("Location", "/200")
    } check: { trial in
        for status in [200, 201, 202, 203, 204, 206, 226, 300, 304] + Array(400...431) + Array(500...511) + [599] {
            let head = try await trial.send(trial.request("/\(status)")).head
            try trial.expect(head.status == status, "a \(status) arrived as \(head.status)")
            try trial.expect(head.fields["x-status"] == "\(status)", "a \(status) lost a header field")
        }
        for status in [301, 302, 303, 307, 308] {
            let head = try await trial.send(trial.request("/\(status)") { $0.redirects = .manual }).head
            try trial.expect(head.status == status, "a \(status) that is not to be followed arrived as \(head.status)")
        }
    }

    private static let requestArrives = Self("a request arrives as it was made") { _ in
        .status(200)
    } check: { trial in
        var sent = 0
        for method in [HTTPMethod.get, .query, .post, .put, .patch, .delete, .options] {
            var request = trial.request("/a%20b/c?d=e%26f&g", method, body: method == .get ? nil : "héllo \(method)")
            request.head.setValue("north", forHTTPHeaderField: "X-Tenant")
            _ = try await trial.send(request)
            sent += 1
            guard let arrived = trial.seen().last, trial.seen().count == sent else {
                throw SessionContract.Broken("\(trial.seen().count) requests reached the peer, of \(sent) sent")
            }
            for name in ["Authorization", "Cookie"] {
                try trial.expect(arrived.fields[name] == nil, "\(name) arrived, which nobody set")
            }
            try trial.expect(arrived.method == method, "\(method) arrived as \(arrived.method)")
            try trial.expect(arrived.path == "/a%20b/c", "the path arrived as \(arrived.path)")
            let query = arrived.url?.query(percentEncoded: true)
            try trial.expect(query == "d=e%26f&g", "the query arrived as \(query ?? "none")")
            try trial.expect(arrived.fields["X-Tenant"] == "north", "a header field of a \(method) did not arrive")
            let body = request.body.data ?? Data()
            try trial.expect((arrived.body.data ?? Data()) == body, "the body of a \(method) did not arrive")
        }
    }

    private static let parts = [
        Data(repeating: 0x61, count: 70_000), Data("é".utf8), Data(repeating: 0, count: 30_000),
    ]

    private static let answerArrives = Self("an answer arrives whole") { request in
        request.path == "/empty" ? .status(200) : .chunks(parts, type: "text/x").field("X-Trace", "7")
    } check: { trial in
        let request = trial.request("/parts?x=1")
        let (head, body) = try await trial.send(request)
        try trial.expect(
            body == Data(parts.joined()), "of \(parts.joined().count) bytes \(body.count) arrived, or others")
        try trial.expect(head.fields["x-trace"] == "7", "a header field did not arrive, or not without case")
        try trial.expect(head.url == request.url, "the head's address is not the one that was asked")
        let empty = try await trial.send(trial.request("/empty")).body
        try trial.expect(empty.isEmpty, "a body came of nothing")
    }

    private static let ownAnswer = Self("an answer is that of its own request") { request in
        .text(
            "\(request.path) \(request.fields["X-N"] ?? "") \(String(decoding: request.body.data ?? Data(), as: UTF8.self))"
        )
    } check: { trial in
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...24 {
                group.addTask {
                    // Half of them differ in their path, half in body and field alone.
                    let path = number % 2 == 0 ? "/n/\(number)" : "/n"
                    var request = trial.request(path, .post, body: "\(number)")
                    request.head.setValue("\(number)", forHTTPHeaderField: "X-N")
                    let text = String(decoding: try await trial.send(request).body, as: UTF8.self)
                    let expected = "\(path) \(number) \(number)"
                    try trial.expect(text == expected, "‹\(expected)› was answered with what belongs to ‹\(text)›")
                }
            }
            try await group.waitForAll()
        }
        try trial.expect(trial.seen().count == 24, "of 24 requests \(trial.seen().count) reached the peer")
    }

    private static let noSecretAway = Self("no secret goes to another origin") { request in
        request.path == "/away" ? .status(307).field("Location", elsewhere(request)) : .status(200)
    } check: { trial in
        var request = trial.request("/away")
        for name in ["Authorization", "Cookie", "X-Api-Key"] {
            request.head.setValue("s3cret", forHTTPHeaderField: name)
        }
        // Whether it follows or returns the redirect is the session's choice.
        _ = try await trial.send(request)
        for arrived in trial.seen().dropFirst() {
            for name in ["Authorization", "Cookie", "X-Api-Key"] {
                try trial.expect(arrived.fields[name] == nil, "a redirect took \(name) along")
            }
        }
    }

    /// The same peer under another name, which makes it another origin.
    private static func elsewhere(_ request: APIRequest) -> String {
        let port = request.url?.port.map { ":\($0)" } ?? ""
        return request.url?.host() == "127.0.0.1" ? "http://localhost\(port)/there" : "http://elsewhere.test/there"
    }

    private static let noBodyOnHead = Self("the answer to a HEAD has no body") { _ in
        .text("12345")
    } check: { trial in
        let (head, body) = try await trial.send(trial.request("/", .head))
        try trial.expect(head.status == 200 && body.isEmpty, "it has \(body.count) bytes")
    }

    private static let again = Self("a request can be sent again") { request in
        .data(request.body.data ?? Data())
    } check: { trial in
        let request = trial.request("/", .put, body: "again")
        for _ in 1...3 {
            let body = try await trial.send(request).body
            try trial.expect(body == Data("again".utf8), "its body did not arrive each time")
        }
        try trial.expect(trial.seen().count == 3, "of 3 requests \(trial.seen().count) reached the peer")
    }
}
