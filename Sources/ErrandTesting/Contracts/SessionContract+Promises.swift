import Errand

extension SessionContract.Promise {
    static var all: [Self] {
        [everyStatus, requestArrives, answerArrives, ownAnswer, noBodyOnHead, again]
            + [cutBody, lostConnection, cap, refusal]
            + [deadline, idleTimeout, cancellation, cancelledBefore]
    }

    private static func number(in request: APIRequest) -> Int {
        Int(request.url?.lastPathComponent ?? "") ?? 0
    }

    private static let everyStatus = Self("every status is an answer") { request in
        let number = number(in: request)
        return .status(number).field("X-Status", "\(number)").field("Location", "/200")
    } check: { trial in
        for status in [200, 201, 204, 206, 304, 400, 401, 404, 418, 429, 500, 503, 599] {
            let head = try await trial.send(trial.request("/\(status)")).head
            try trial.expect(head.status == status, "a \(status) arrived as \(head.status)")
            try trial.expect(head.fields["x-status"] == "\(status)", "a \(status) lost a header field")
        }
        let redirect = try await trial.send(trial.request("/302") { $0.redirects = .manual }).head
        try trial.expect(redirect.status == 302, "a 302 that is not to be followed arrived as \(redirect.status)")
    }

    private static let requestArrives = Self("a request arrives as it was made") { _ in
        .status(200)
    } check: { trial in
        for method in [HTTPMethod.get, .post, .put, .patch, .delete, .options] {
            var request = trial.request("/a%20b/c?d=e%26f&g", method, body: method == .get ? nil : "héllo \(method)")
            request.head.setValue("north", forHTTPHeaderField: "X-Tenant")
            _ = try await trial.send(request)
            guard let arrived = trial.seen().last else { throw SessionContract.Broken("nothing reached the peer") }
            try trial.expect(arrived.method == method, "\(method) arrived as \(arrived.method)")
            try trial.expect(arrived.path == "/a%20b/c", "the path arrived as \(arrived.path)")
            let query = arrived.url?.query(percentEncoded: true)
            try trial.expect(query == "d=e%26f&g", "the query arrived as \(query ?? "none")")
            try trial.expect(arrived.fields["X-Tenant"] == "north", "a header field of a \(method) did not arrive")
            let sent = request.body.data ?? Data()
            try trial.expect((arrived.body.data ?? Data()) == sent, "the body of a \(method) did not arrive")
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
        .text(request.path)
    } check: { trial in
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 1...24 {
                group.addTask {
                    let body = try await trial.send(trial.request("/n/\(number)")).body
                    let text = String(decoding: body, as: UTF8.self)
                    try trial.expect(text == "/n/\(number)", "/n/\(number) was answered with what belongs to \(text)")
                }
            }
            try await group.waitForAll()
        }
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
    }
}
