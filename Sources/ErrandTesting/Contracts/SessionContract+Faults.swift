import Errand

extension SessionContract.Promise {
    static let cutBody = Self("a truncated body is an error, never a shorter body") { request in
        .text("0123456789").truncatingBody(after: Int(request.url?.lastPathComponent ?? "") ?? 0)
    } check: { trial in
        for count in [0, 4, 9] { _ = try await trial.failure(of: trial.request("/\(count)")) }
    }

    static let lostConnection = Self("a lost connection is an error") { _ in
        .failure(URLError(.networkConnectionLost))
    } check: { trial in
        let error = try await trial.failure(of: trial.request("/"))
        try trial.expect(trial.code(of: error) != .cancelled, "expected a connection error, found cancelled")
    }

    static let cap = Self("the limit of a buffered body is enforced") { _ in
        .data(Data(count: 1_000))
    } check: { trial in
        let fits = try await trial.send(trial.request("/") { $0.delivery = .buffered(upTo: 1_000) }).body
        try trial.expect(fits.count == 1_000, "expected a body of exactly the limit, found \(fits.count) bytes")
        let error = try await trial.failure(of: trial.request("/") { $0.delivery = .buffered(upTo: 999) })
        let code = trial.code(of: error)
        try trial.expect(
            code == .bodyTooLarge, "expected \(ServiceError.Code.bodyTooLarge) for a body over the limit, found \(code)"
        )
    }

    static let refusal = Self("invalid requests are refused before they are sent") { _ in
        .status(200)
    } check: { trial in
        var broken = trial.request("/")
        broken.head.allHTTPHeaderFields = ["X-A": "1\r\nX-Forged: 2"]
        var unknown = trial.request("/")
        unknown.head.httpMethod = "GET /forged HTTP/1.1\r\nX:"
        var foreign = trial.request("/")
        foreign.head.url = URL(string: "file:///etc/hostname")
        for request in [broken, unknown, foreign, trial.request("/", .get, body: "a GET's body")] {
            _ = try await trial.failure(of: request)
        }
        try trial.expect(trial.seen().isEmpty, "expected no requests at the peer, found \(trial.seen().count)")
    }

    /// Stays silent before the header section, or in the middle of the body.
    @Sendable private static func silence(_ request: APIRequest) -> CannedReply {
        request.path == "/body" ? .text("0123456789").stallingBody(after: 4) : .stall
    }

    static let deadline = Self("a request ends by its deadline", peer: silence) { trial in
        for path in ["/", "/body"] {
            try await trial.expectTimeout {
                try await trial.failure(of: trial.request(path) { $0.deadline = .after(.milliseconds(100)) })
            }
        }
    }

    static let idleTimeout = Self("a request ends by its idle timeout", peer: silence) { trial in
        for path in ["/", "/body"] {
            try await trial.expectTimeout {
                try await trial.failure(of: trial.request(path) { $0.idleTimeout = .milliseconds(100) })
            }
        }
    }

    static let cancellation = Self("a request ends when its task is cancelled", peer: silence) { trial in
        for path in ["/", "/body"] {
            try await trial.promptly {
                let count = trial.seen().count
                let call = Task { [session = trial.session] in _ = try await session.send(trial.request(path)) }
                try await trial.arrival(of: count + 1)
                let start = SystemTime.system.now
                call.cancel()
                let ending = try await trial.bounded { await call.result }
                let time = SystemTime.system.now - start
                guard case .failure(let error) = ending else {
                    throw SessionContract.Broken("expected an error, found a response")
                }
                let code = trial.code(of: error)
                try trial.expect(code == .cancelled, "expected cancelled, found \(code)")
                return time
            }
        }
    }

    static let cancelledBefore = Self("a cancelled task sends nothing") { _ in
        .status(200)
    } check: { trial in
        let call = Task { [session = trial.session] in
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await session.send(trial.request("/"))
        }
        let ending = try await trial.bounded { await call.result }
        guard case .failure(let error) = ending else {
            throw SessionContract.Broken("expected an error, found a response")
        }
        try trial.expect(trial.code(of: error) == .cancelled, "expected cancelled, found \(trial.code(of: error))")
        try trial.expect(trial.seen().isEmpty, "expected no requests at the peer, found \(trial.seen().count)")
    }
}
